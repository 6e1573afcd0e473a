"""One JSON object a turn, held to its form by a schema or a grammar, for models without tool calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import orjson

from agents.aliases import Limits
from agents.conversation import Conversation, Message
from agents.prompt import prompt
from agents.styles.grammar import grammar
from agents.turn import Stage, ToolCall, Turn, ended, ending, looks_like_call, visible
from envs.protocol import Json, ToolSpec

_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
_SPARE_TOKENS = 8
"""Above the grammar's longest text, or the closing brace is cut off."""


class ConstrainedStyle:
    """`response_format` with a JSON schema or, for llama.cpp, a compact `grammar`; calls and results are plain text."""

    def __init__(self, limits: Limits, constraint: Literal["gbnf"] | None) -> None:
        self._limits = limits
        self._gbnf = constraint == "gbnf"
        self._specs: tuple[ToolSpec, ...] = ()
        self._fields: dict[Stage, dict[str, Any]] = {}

    repair = prompt("unreadable")

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"grammar" if self._gbnf else "response_format"})

    def system(self, specs: Sequence[ToolSpec]) -> str:
        return "\n".join([prompt("json_format"), *map(_line, specs)])

    def request(self, messages: Sequence[Message], specs: Sequence[ToolSpec], stage: Stage) -> dict[str, Any]:
        if self._specs != tuple(specs):
            self._specs = tuple(specs)
            self._fields = {}
        if stage not in self._fields:
            self._fields[stage] = self._constraint(stage)
        return {"messages": messages, **self._fields[stage]}

    def _constraint(self, stage: Stage) -> dict[str, Any]:
        if self._gbnf:
            rules, longest = grammar(self._specs, stage, self._limits.answer_chars)
            return {"grammar": rules, "max_tokens": longest + _SPARE_TOKENS}
        schema = _schema(self._specs, stage, self._limits.answer_chars)
        fields: dict[str, Any] = {
            "response_format": {"type": "json_schema", "json_schema": {"name": "step", "schema": schema}}
        }
        if self._limits.reply_tokens is not None:
            fields["max_tokens"] = self._limits.reply_tokens
        return fields

    def read(self, reply: Mapping[str, Json], specs: Sequence[ToolSpec]) -> Turn:
        if (turn := ended(reply)) is not None:
            return turn
        text, thought = visible(reply["message"].get("content", ""))
        step = _step(text)
        if step is None:
            turn = ending(reply, text, thought)
            # An object of another form, or half of one, is a call or an answer gone wrong; plain words are an answer.
            broken = text.startswith(("{", "[", "```")) or looks_like_call(text, (spec.name for spec in specs))
            if turn.code == "answer" and broken:
                return Turn(text=text, code="text_call", unreadable=True)
            return turn
        if "tool" in step:
            return Turn(calls=(ToolCall(str(step["tool"]), _compact(step.get("arguments", {}))),))
        answer = step["answer"] if isinstance(step["answer"], str) else _compact(step["answer"])
        return Turn(text=answer.strip(), code="answer") if answer.strip() else Turn(code="empty")

    def exchange(
        self, conversation: Conversation, turn: Turn, results: Sequence[str]
    ) -> tuple[Message, Sequence[Message]]:
        (call,), (result,) = turn.calls, results
        said = _compact({"tool": call.name, "arguments": orjson.loads(call.arguments)})
        return {"role": "assistant", "content": said}, [{"role": "user", "content": f"Result: {result}"}]

    def answered(self, text: str) -> Message:
        return {"role": "assistant", "content": _compact({"answer": text})}

    def overhead(self, specs: Sequence[ToolSpec]) -> int:
        return 0


def _line(spec: ToolSpec) -> str:
    required = spec.schema.get("required", ())
    optional = [f"{name}?" for name in spec.schema.get("properties", {}) if name not in required]
    return f"- {spec.name}({', '.join([*required, *optional])}): {spec.summary}"


def _schema(specs: Sequence[ToolSpec], stage: Stage, answer_chars: int) -> dict[str, Any]:
    branches: list[dict[str, Any]] = []
    if stage != "answer":
        branches += [_object(tool={"const": spec.name}, arguments=dict(spec.schema)) for spec in specs]
    if stage != "calls" or not branches:
        branches.append(_object(answer={"type": "string", "minLength": 1, "maxLength": answer_chars}))
    return {"anyOf": branches}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _step(text: str) -> dict[str, Any] | None:
    """The object that a reply holds, where it is a call or an answer, and not too deep to be written again."""
    fenced = _FENCE.fullmatch(text)
    try:
        step = orjson.loads(fenced[1] if fenced else text)
        _compact(step)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None
    return step if isinstance(step, dict) and ("tool" in step) != ("answer" in step) else None


def _compact(value: Any) -> str:
    return orjson.dumps(value).decode()
