"""What a model-free agent asks of the tools for one question: each call once, refusals told apart, pages followed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import orjson

from envs.canonical import dumps
from envs.protocol import Json, ToolResult, Tools

_MOST = 200


class Enquiry:
    """Calls by op, so that it works under every profile's names. `platforms`: those that may be asked, None: all."""

    def __init__(self, tools: Tools, platforms: Collection[str] | None = None) -> None:
        self._tools = tools
        self._names = {
            spec.op: spec.name for spec in tools.specs() if platforms is None or spec.op.partition(".")[0] in platforms
        }
        self._results: dict[bytes, ToolResult] = {}

    async def ask(self, op: str, **arguments: Json) -> Any:
        """The result's value; None where the op isn't offered or refuses."""
        result = await self._result(op, arguments)
        return None if result is None or result.error is not None else orjson.loads(result.text)

    async def refusal(self, op: str, **arguments: Json) -> str | None:
        """The code with which the op refuses; None where it doesn't, or isn't offered."""
        result = await self._result(op, arguments)
        return None if result is None else result.error

    async def entries(self, op: str, key: str, **arguments: Json) -> list[Any]:
        """The entries under `key` of all pages; none where the op isn't offered or refuses."""
        found: list[Any] = []
        after: Json = None
        while True:
            page = await self.ask(op, **arguments, limit=_MOST, after_id=after)
            if page is None:
                return found
            found += page[key]
            if not page["has_more"]:
                return found
            after = page["next_after_id"]

    async def _result(self, op: str, arguments: dict[str, Json]) -> ToolResult | None:
        if op not in self._names:
            return None
        key = dumps([op, arguments])
        if key not in self._results:
            self._results[key] = await self._tools.call(self._names[op], arguments)
        return self._results[key]
