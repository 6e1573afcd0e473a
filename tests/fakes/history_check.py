"""The strictest history rules of the servers we know, in one place: what a scripted endpoint or model refuses.

Users and assistants alternate; every tool call is answered exactly once, in order, before anything else; no assistant
turn is empty; ids are unique and nine letters or digits; arguments are JSON objects; nothing has an unknown field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

REQUEST_FIELDS = frozenset(
    [
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "response_format",
        "grammar",
        "max_tokens",
        "max_completion_tokens",
        "temperature",
        "top_p",
        "top_k",
        "min_p",
        "seed",
        "reasoning_effort",
    ]
)
_FIELDS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls"},
    "tool": {"role", "content", "tool_call_id"},
}
_NEXT = {
    None: {"system", "user"},
    "system": {"user"},
    "user": {"assistant"},
    "assistant": {"user"},
    "tool": {"assistant"},
}
_ID = re.compile(r"[a-zA-Z0-9]{9}")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class InvalidHistoryError(AssertionError):
    """A request that a strict server would refuse."""


def check_request(request: Mapping[str, Any]) -> None:
    """Raises InvalidHistoryError for a request with unknown fields, an invalid history, or calls without tools."""
    unknown = set(request) - REQUEST_FIELDS
    _need(not unknown, f"unknown fields {sorted(unknown)}")
    messages = request["messages"]
    check_history(messages)
    if any(message.get("tool_calls") for message in messages):
        _need(bool(request.get("tools")), "the history has tool calls and the request has no tools")


def check_history(messages: Sequence[Mapping[str, Any]]) -> None:
    """Raises InvalidHistoryError unless the messages are ones that every server takes."""
    json.dumps(messages, allow_nan=False).encode()
    json.dumps(messages, allow_nan=False, ensure_ascii=False).encode()
    seen: set[str] = set()
    open_calls: list[str] = []
    before: str | None = None
    for index, message in enumerate(messages):
        role = str(message.get("role"))
        where = f"message {index} ({role})"
        _need(role in _FIELDS, f"{where}: unknown role")
        _need(set(message) <= _FIELDS[role], f"{where}: unknown fields {sorted(set(message) - _FIELDS[role])}")
        if role == "tool":
            _need(bool(open_calls), f"{where}: answers no call")
            _need(message["tool_call_id"] == open_calls.pop(0), f"{where}: not the id of the next call")
            _need(isinstance(message["content"], str), f"{where}: content is not text")
        else:
            _need(not open_calls, f"{where}: calls {open_calls} are unanswered")
            _need(role in _NEXT[before], f"{where}: after {before}")
            if role == "assistant":
                open_calls = _assistant(message, where, seen)
            else:
                _need(isinstance(message["content"], str) and bool(message["content"].strip()), f"{where}: empty")
        before = role
    _need(not open_calls, f"the history ends with calls {open_calls} unanswered")
    _need(before in ("user", "tool"), f"the history ends with {before}")


def _assistant(message: Mapping[str, Any], where: str, seen: set[str]) -> list[str]:
    content, calls = message.get("content"), message.get("tool_calls") or []
    _need(content is None or isinstance(content, str), f"{where}: content is not text")
    _need(bool(calls) or bool((content or "").strip()), f"{where}: neither text nor calls")
    _need("</think>" not in (content or "") and "<think>" not in (content or ""), f"{where}: holds reasoning")
    _need("tool_calls" not in message or bool(calls), f"{where}: an empty list of calls")
    ids = []
    for call in calls:
        _need(set(call) == {"id", "type", "function"} and call["type"] == "function", f"{where}: odd call {call}")
        _need(set(call["function"]) == {"name", "arguments"}, f"{where}: odd function {call}")
        _need(bool(_ID.fullmatch(call["id"])), f"{where}: id {call['id']!r}")
        _need(call["id"] not in seen, f"{where}: id {call['id']!r} twice")
        _need(bool(_NAME.fullmatch(call["function"]["name"])), f"{where}: name {call['function']['name']!r}")
        _need(isinstance(_parsed(call["function"]["arguments"]), dict), f"{where}: arguments are no JSON object")
        seen.add(call["id"])
        ids.append(call["id"])
    return ids


def _parsed(arguments: Any) -> Any:
    try:
        return json.loads(arguments)
    except (TypeError, ValueError, RecursionError):
        return None


def _need(condition: bool, complaint: str) -> None:
    if not condition:
        raise InvalidHistoryError(complaint)
