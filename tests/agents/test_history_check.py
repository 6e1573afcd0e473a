"""The strict history check itself: it accepts a whole episode and refuses each thing that servers refuse."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from history_check import InvalidHistoryError, check_request

Request = dict[str, Any]


def _valid() -> Request:
    call = {"id": "call00001", "type": "function", "function": {"name": "echo", "arguments": "{}"}}
    return {
        "model": "m",
        "tools": [{}],
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": None, "tool_calls": [call, {**call, "id": "call00002"}]},
            {"role": "tool", "tool_call_id": "call00001", "content": "r"},
            {"role": "tool", "tool_call_id": "call00002", "content": "r"},
            {"role": "assistant", "content": "a"},
            {"role": "user", "content": "u"},
        ],
    }


def _change(index: int, **fields: Any) -> Callable[[Request], None]:
    return lambda request: request["messages"][index].update(fields)


def _function(**fields: Any) -> Callable[[Request], None]:
    return lambda request: request["messages"][2]["tool_calls"][0]["function"].update(fields)


BROKEN: dict[str, Callable[[Request], None]] = {
    "an unknown field": lambda request: request.update(logit=1),
    "calls without tools": lambda request: request.pop("tools"),
    "an unknown role": _change(1, role="developer"),
    "a field of a message": _change(5, reasoning="hm"),
    "reasoning in the text": _change(5, content="hm</think>a"),
    "an empty turn": _change(5, content=""),
    "a turn without content": _change(5, content=None),
    "two users": lambda request: request["messages"].insert(1, {"role": "user", "content": "u"}),
    "two assistants": lambda request: request["messages"].insert(5, {"role": "assistant", "content": "u"}),
    "an unanswered call": lambda request: request["messages"].pop(4),
    "results out of order": lambda request: request["messages"].insert(3, request["messages"].pop(4)),
    "a result too many": lambda request: request["messages"].insert(5, request["messages"][4]),
    "a user after results": lambda request: request["messages"].pop(5),
    "an id twice": lambda request: request["messages"][2]["tool_calls"][1].update(id="call00001"),
    "an id too long": lambda request: request["messages"][2]["tool_calls"][0].update(id="call_000001"),
    "arguments no JSON": _function(arguments="{"),
    "arguments no object": _function(arguments="[]"),
    "a name with a blank": _function(name="e cho"),
    "an assistant at the end": lambda request: request["messages"].pop(6),
    "a lone surrogate": _change(1, content="\ud83d"),
}


def test_a_whole_exchange_is_accepted() -> None:
    check_request(_valid())


@pytest.mark.parametrize("name", BROKEN)
def test_each_broken_history_is_refused(name: str) -> None:
    request = copy.deepcopy(_valid())
    BROKEN[name](request)
    with pytest.raises((InvalidHistoryError, UnicodeEncodeError)):
        check_request(request)
