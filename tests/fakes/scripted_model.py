"""A fake model in the process: replies by a script, with the strict history check; and a fake record in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from envs.errors import RunError
from envs.protocol import Answer, Case, RowKey
from history_check import check_request

Script = Callable[[str, int, Mapping[str, Any]], Mapping[str, Any]]
"""(scope, ordinal, request) -> the recorded form of a reply; it may raise Fault."""


def says(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """A reply with text; `message` adds `reasoning`, `refusal`."""
    content = {} if text is None else {"content": text}
    return {"message": {**content, **message}, "finish_reason": finish, "usage": _usage()}


def calls(*wanted: tuple[str, Any], text: str | None = None, finish: str = "tool_calls") -> dict[str, Any]:
    """A reply with tool calls: (name, arguments), arguments an object or the raw text."""
    listed = [
        {
            "type": "function",
            "function": {"name": name, "arguments": value if isinstance(value, str) else json.dumps(value)},
        }
        for name, value in wanted
    ]
    content = {} if text is None else {"content": text}
    return {"message": {**content, "tool_calls": listed}, "finish_reason": finish, "usage": _usage()}


def _usage() -> dict[str, int]:
    return {"prompt": 10, "completion": 5, "reasoning": 0}


@dataclass
class ScriptedModels:
    """`protocol.Models` over a script. `requests` keeps (scope, ordinal, request), in order of arrival."""

    script: Script
    requests: list[tuple[str, int, Mapping[str, Any]]] = field(default_factory=list)

    def __call__(self, scope: str) -> ScriptedModel:
        return ScriptedModel(self, scope)


@dataclass
class ScriptedModel:
    models: ScriptedModels
    scope: str
    ordinal: int = 0

    async def complete(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        check_request(request)
        ordinal, self.ordinal = self.ordinal, self.ordinal + 1
        self.models.requests.append((self.scope, ordinal, request))
        return self.models.script(self.scope, ordinal, request)


@dataclass
class MemoryRecord:
    """`protocol.Record` without a folder. `exchanges`: (scope, ordinal) -> (request digest, reply)."""

    exchanges: dict[tuple[str, int], tuple[str, Any]] = field(default_factory=dict)
    timings: list[Mapping[str, float]] = field(default_factory=list)
    cases: dict[RowKey, Case] = field(default_factory=dict)

    def answer(self, row: RowKey) -> Answer | None:
        case = self.cases.get(row)
        return None if case is None or case.answer.fault else case.answer

    async def finish(self, case: Case) -> None:
        known = self.cases.get(case.row)
        if known is not None and not known.answer.fault and known != case:
            raise RunError(f"{case.row} stands recorded otherwise")
        self.cases[case.row] = case

    def reply(self, scope: str, ordinal: int, request: str) -> Any | None:
        known = self.exchanges.get((scope, ordinal))
        if known is None:
            return None
        if known[0] != request:
            raise RunError(f"{scope} request {ordinal}: another request was recorded")
        return known[1]

    async def exchange(self, scope: str, ordinal: int, request: str, reply: Any, timing: Mapping[str, float]) -> None:
        self.exchanges[scope, ordinal] = (request, reply)
        self.timings.append(timing)
