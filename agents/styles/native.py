"""Native tool calls, for models and servers that have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from agents.aliases import Limits
from agents.conversation import Conversation, Message
from agents.prompt import prompt
from agents.turn import Stage, ToolCall, Turn, ended, ending, looks_like_call, visible, wire_calls
from envs.protocol import Json, ToolSpec

_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64
_ARGUMENTS_KEPT = 8_000
"""Characters of a call's arguments that stay in the history; the tool itself gets them all."""


class NativeStyle:
    """`tools` in the request, `tool_calls` in the reply."""

    needs = frozenset({"tools"})
    repair = prompt("unreadable_call")

    def __init__(self, limits: Limits) -> None:
        self._reply_tokens = limits.reply_tokens
        self._specs: tuple[ToolSpec, ...] = ()
        self._offered: list[dict[str, Any]] = []
        self._overhead = 0

    def system(self, specs: Sequence[ToolSpec]) -> str:
        return ""

    def request(self, messages: Sequence[Message], specs: Sequence[ToolSpec], stage: Stage) -> dict[str, Any]:
        request: dict[str, Any] = {"messages": messages}
        if self._reply_tokens is not None:
            request["max_tokens"] = self._reply_tokens
        if specs:
            # Always sent: a history with calls is refused without them, and they begin the cached prefix.
            request["tools"] = self._tools(specs)
            if stage != "any":
                request["tool_choice"] = "none" if stage == "answer" else "required"
        return request

    def read(self, reply: Mapping[str, Json], specs: Sequence[ToolSpec]) -> Turn:
        if (turn := ended(reply)) is not None:
            return turn
        text, thought = visible(reply["message"].get("content", ""))
        calls = wire_calls(reply["message"])
        if calls:
            return Turn(calls=calls, text=text or None)
        turn = ending(reply, text, thought)
        if turn.code == "answer" and looks_like_call(text, (spec.name for spec in specs)):
            return Turn(text=text, code="text_call")
        return turn

    def exchange(
        self, conversation: Conversation, turn: Turn, results: Sequence[str]
    ) -> tuple[Message, Sequence[Message]]:
        ids = [conversation.next_id() for _ in turn.calls]
        said = {
            "role": "assistant",
            "content": turn.text,
            "tool_calls": [_wire(call, id_) for call, id_ in zip(turn.calls, ids, strict=True)],
        }
        answers = [
            {"role": "tool", "tool_call_id": id_, "content": result} for id_, result in zip(ids, results, strict=True)
        ]
        return said, answers

    def answered(self, text: str) -> Message:
        return {"role": "assistant", "content": text}

    def overhead(self, specs: Sequence[ToolSpec]) -> int:
        self._tools(specs)
        return self._overhead

    def _tools(self, specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
        # They are fixed within an episode, and mostly between episodes of a run.
        if self._specs != tuple(specs):
            self._specs = tuple(specs)
            self._offered = [
                {
                    "type": "function",
                    "function": {"name": spec.name, "description": spec.description, "parameters": dict(spec.schema)},
                }
                for spec in specs
            ]
            self._overhead = len(orjson.dumps(self._offered))
        return self._offered


def _wire(call: ToolCall, id_: str) -> dict[str, Any]:
    name = _NAME.sub("_", call.name)[:_LONGEST_NAME] or "unnamed"
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": _object(call.arguments)}}


def _object(arguments: str) -> str:
    """The arguments as text of a JSON object, which is all that templates of strict servers can read.

    Others become `{}`; their error result tells the model what was wrong.
    """
    if len(arguments) > _ARGUMENTS_KEPT:
        return "{}"
    for _ in range(2):
        try:
            value = orjson.loads(arguments)
        except orjson.JSONDecodeError:
            return "{}"
        if isinstance(value, dict):
            return arguments
        if not isinstance(value, str):
            return "{}"
        arguments = value
    return "{}"
