"""An endpoint's chat completion, reduced to the recorded form of `protocol.Model.complete`.

Endpoints differ in what they send; whatever comes, the recorded reply has only text, whole numbers and known keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from envs.protocol import Json

_SURROGATE = re.compile("[\ud800-\udfff]")
_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


class UnusableReplyError(ValueError):
    """The endpoint answered, and not with a chat completion."""


def parse_body(raw: str) -> Mapping[str, Any]:
    """The JSON object of a response. Raises UnusableReplyError, with the whole body, for anything else."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise UnusableReplyError(f"the body is not JSON: {raw!r}") from None
    if not isinstance(body, dict):
        raise UnusableReplyError(f"the body is no JSON object: {raw!r}")
    return body


def recorded(body: Mapping[str, Any]) -> dict[str, Json]:
    """The recorded form of a completion: `message`, `finish_reason`, `usage`.

    Raises UnusableReplyError where there is no choice with a message: nothing of the model's has arrived then.
    """
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise UnusableReplyError("the reply has no message")
    finish = choice.get("finish_reason")
    return {
        "message": _message(choice["message"]),
        "finish_reason": clean(finish) if isinstance(finish, str) else "unknown",
        "usage": _usage(body.get("usage")),
    }


def failed_reply(finish: str, text: str) -> dict[str, Json]:
    """The recorded form of an error that was the model's or the prompt's doing; `text`: what the model had said."""
    return {"message": _message({"content": text}), "finish_reason": finish, "usage": _usage(None)}


def cached_tokens(body: Mapping[str, Any]) -> int:
    """Prompt tokens that the endpoint had in its cache; they depend on what ran before, so they are timing."""
    usage = body.get("usage")
    details = usage.get("prompt_tokens_details") if isinstance(usage, dict) else None
    return _count(details, "cached_tokens")


def _message(message: Mapping[str, Any]) -> dict[str, Json]:
    text, thoughts = _content(message.get("content"))
    for field in _REASONING_FIELDS:
        value = message.get(field)
        if isinstance(value, str) and value:
            thoughts = value
            break
    refusal = message.get("refusal")
    calls = [_call(call) for call in _listed(message.get("tool_calls"))]
    legacy = message.get("function_call")
    if not calls and isinstance(legacy, dict):
        calls = [_call({"function": legacy})]
    kept = {
        "content": clean(text),
        "tool_calls": calls,
        "reasoning": clean(thoughts),
        "refusal": clean(refusal) if isinstance(refusal, str) else "",
    }
    return {key: value for key, value in kept.items() if value}


def _content(content: Any) -> tuple[str, str]:
    """Text and reasoning of a content that is text, a list of parts, or something unforeseen."""
    if content is None:
        return "", ""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        return json.dumps(content), ""
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            for key, into in (("text", texts), ("refusal", texts), ("thinking", thoughts), ("reasoning", thoughts)):
                if isinstance(part.get(key), str):
                    into.append(part[key])
                    break
    return "".join(texts), "".join(thoughts)


def _call(call: Any) -> dict[str, Json]:
    function = call.get("function") if isinstance(call, dict) else None
    function = function if isinstance(function, dict) else {}
    name, arguments = function.get("name"), function.get("arguments")
    if arguments is None:
        arguments = ""
    elif not isinstance(arguments, str):
        arguments = json.dumps(arguments)
    return {
        "type": "function",
        "function": {"name": clean(name) if isinstance(name, str) else "", "arguments": clean(arguments)},
    }


def _usage(usage: Any) -> dict[str, int]:
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    return {
        "prompt": _count(usage, "prompt_tokens"),
        "completion": _count(usage, "completion_tokens"),
        "reasoning": _count(details, "reasoning_tokens"),
    }


def _count(holder: Any, key: str) -> int:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if type(value) is int and 0 <= value < 2**53 else 0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def clean(text: str) -> str:
    """No lone surrogates: neither the record nor the next request could be written with one."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
