"""The gateway: the one door to every tool. It checks arguments, gates by time, charges the clock and records."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import orjson

from envs.errors import Fault, OperationError
from envs.protocol import Call, Clock, Item, Json, ToolPack, ToolResult, ToolSpec
from servers.entities import nearest, shown

_log = logging.getLogger(__name__)

MASKED: Final = OperationError(
    "internal_error", "the tool failed on our side", hint="this is not about your arguments; go on without it"
)
"""All that a caller learns of an unexpected exception, whose own text could hold anything."""


class Gateway:
    """One caller's tools for one question. `calls` is the record, one entry a call, in the order of execution."""

    def __init__(
        self,
        packs: Sequence[ToolPack],
        clock: Clock,
        arrivals: Callable[[], tuple[Item, ...]],
        *,
        charging: bool,
        caller: str = "agent",
        called: Callable[[Call], None] | None = None,
        keep: bool = True,
    ) -> None:
        """`charging`: calls cost time (not for an independent question). `called` hears of every call when it returns.
        `keep` False leaves `calls` empty, for a server without an end.

        Raises ValueError for a name used twice.
        """
        self._table: dict[str, tuple[ToolSpec, ToolPack]] = {}
        for pack in packs:
            for spec in pack.specs():
                if spec.name in self._table:
                    raise ValueError(f"two tools are named {spec.name}: {self._table[spec.name][0].op} and {spec.op}")
                self._table[spec.name] = spec, pack
        self._clock = clock
        self._arrivals = arrivals
        self._charging = charging
        self._caller = caller
        self._called = called
        self._keep = keep
        self._turn = asyncio.Lock()
        self.calls: list[Call] = []

    def specs(self) -> Sequence[ToolSpec]:
        return [spec for spec, _ in self._table.values()]

    async def call(self, name: str, arguments: str | Mapping[str, Json] | None) -> ToolResult:
        """Runs a tool, one call at a time in the order of arrival. Raises Fault for what failed on our side."""
        async with self._turn:
            notices: tuple[Item, ...] = ()
            if self._charging:
                self._clock.charge()
                notices = self._arrivals()
            return await self._executed(name, arguments, notices)

    async def _executed(
        self, name: str, arguments: str | Mapping[str, Json] | None, notices: tuple[Item, ...]
    ) -> ToolResult:
        now = self._clock.now()
        spec, pack = self._table.get(name, (None, None))
        given: Json = None
        code: str | None = "cancelled"
        text = ""
        try:
            given, problem = parse_arguments(arguments)
            if spec is None or pack is None:
                raise self._unknown(name)
            if problem is not None:
                raise problem
            text = await pack.run(spec.op, given, now)
            code = None
        except OperationError as error:
            code, text = error.code, error_text(error)
        except Fault:
            code = "fault"
            raise
        except Exception:
            _log.exception("tool %s failed", name)
            code, text = MASKED.code, error_text(MASKED)
        finally:
            op, reads, writes = (spec.op, spec.reads, spec.writes) if spec else ("", False, False)
            call = Call(_plain(name), op, given, code, now, reads, writes, self._caller, text)
            if self._keep:
                self.calls.append(call)
            if self._called is not None:
                self._called(call)
        return ToolResult(text, code, notices)

    def _unknown(self, name: str) -> OperationError:
        names = {known: known for known in self._table}
        return OperationError(
            "unknown_tool",
            f"there is no tool {shown(_plain(name))!r}",
            hint=f"the tools are {', '.join(names)}" if names else "there are no tools",
            candidates=nearest(name, names),
        )


def error_text(error: OperationError) -> str:
    """The one form in which a caller is told of an error."""
    told: dict[str, Json] = {"ok": False, "error": error.code, "message": error.message}
    if error.hint is not None:
        told["hint"] = error.hint
    if error.candidates:
        told["candidates"] = error.candidates
    return orjson.dumps(told).decode()


def parse_arguments(raw: str | Mapping[str, Json] | None) -> tuple[Json, OperationError | None]:
    """The arguments as a JSON object; or what to record of them, with the error to tell.

    Nothing, an empty text and `null` are an empty object. An object within a JSON text is taken too, since some
    servers encode twice. What JSON can't hold (lone surrogates, numbers that aren't finite) is refused.
    """
    if raw is None:
        return {}, None
    try:
        if not isinstance(raw, str):
            # By way of text, so that an odd number ends as it does where the model sent text.
            return orjson.loads(json.dumps(dict(raw), allow_nan=False)), None
        value = orjson.loads(raw) if raw.strip() else None
        if isinstance(value, str):
            value = orjson.loads(value) if value.strip() else None
        if value is None:
            return {}, None
        if isinstance(value, dict):
            orjson.dumps(value)
            return value, None
        message = "the arguments must be a JSON object"
    except (ValueError, TypeError, RecursionError):
        message = "the arguments are not valid JSON"
    return _raw_text(raw), OperationError("invalid_arguments", message, hint='send an object, such as {"limit": 10}')


def _raw_text(raw: str | Mapping[str, Json]) -> str:
    if isinstance(raw, str):
        return _plain(raw)
    try:
        return json.dumps(raw, default=lambda value: type(value).__name__)
    except (ValueError, TypeError, RecursionError):
        return "(not JSON)"


def _plain(text: str) -> str:
    """`text` with lone surrogates written out, so that every record can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()
