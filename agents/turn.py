"""A reply as the loop sees it: tool calls to run, or text with the code that ends the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from envs.protocol import Code, Json

Stage = Literal["calls", "any", "answer"]
"""What a step may be: a call (the first step, where the limits want one), either, or the answer (the last)."""

_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CALL_MARKS = re.compile(
    r"^\s*(?:<tool_call>|<\|tool_call|<｜tool|<function_call|<function=|<invoke\b|\[TOOL_CALLS\]|\[TOOL_REQUEST\]"
    r"|<\|python_tag\|>|<\|channel\|>commentary|```tool_(?:code|call))",
    re.MULTILINE,
)
_FENCE = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL)
_NAMED = re.compile(r"""\{\s*"(?:name|tool|function|tool_name)"\s*:\s*"([^"]{1,64})\"""")
_PYTHONIC = re.compile(r"\[?\s*([A-Za-z_][A-Za-z0-9_]{0,63})\(.*\)\s*\]?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """As the model sent it: `arguments` is raw text, of any kind."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Turn:
    """`calls` and no code: the question goes on. A code and perhaps text: it ends, or is asked once more.

    `unreadable`: text that isn't in the style's form; the code then stands if it doesn't get better.
    """

    calls: tuple[ToolCall, ...] = ()
    text: str | None = None
    code: Code | None = None
    unreadable: bool = False


def visible(text: str) -> tuple[str, bool]:
    """`text` without its reasoning, and whether there was any.

    What precedes a closing tag alone is reasoning (templates open it in the prompt); so is what follows an opening tag
    alone (the reply was cut off there).
    """
    kept: list[str] = []
    inside, position = False, 0
    for tag in _THINKING.finditer(text):
        if tag[1]:
            if not inside:
                kept.clear()
            inside = False
        elif not inside:
            kept.append(text[position : tag.start()])
            inside = True
        position = tag.end()
    if not inside:
        kept.append(text[position:])
    return "".join(kept).strip(), position > 0


def looks_like_call(text: str, names: Iterable[str]) -> bool:
    """Whether `text` is a tool call that the server's parser left in the text.

    True for the marks of the known dialects, and for JSON or code that names one of the declared tools.
    """
    if _CALL_MARKS.search(text):
        return True
    fenced = _FENCE.fullmatch(text)
    bare = fenced[1] if fenced else text
    named = _NAMED.match(bare.lstrip("[ \n")) or _PYTHONIC.fullmatch(bare)
    return named is not None and named[1] in set(names)


def ended(reply: Mapping[str, Json]) -> Turn | None:
    """The turn of a reply that the endpoint refused, couldn't read or found too long; None for any other."""
    if reply["finish_reason"] == "overflow":
        return Turn(code="overflow")
    refusal = reply["message"].get("refusal")
    if refusal or reply["finish_reason"] == "content_filter":
        return Turn(text=refusal or None, code="refused")
    if reply["finish_reason"] == "malformed_call":
        text, _ = visible(reply["message"].get("content", ""))
        return Turn(text=text or None, code="text_call", unreadable=True)
    return None


def ending(reply: Mapping[str, Json], text: str, thought: bool) -> Turn:
    """The turn of a reply without calls, from its visible text."""
    if reply["finish_reason"] == "length":
        return Turn(text=text or None, code="truncated")
    if text:
        return Turn(text=text, code="answer")
    return Turn(code="reasoning_only" if thought or reply["message"].get("reasoning") else "empty")


def wire_calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls of a recorded message."""
    return tuple(
        ToolCall(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", ())
    )
