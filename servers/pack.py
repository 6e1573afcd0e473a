"""Operations as tool packs: bound to one viewer or machine, and to the state at the time of each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from envs.protocol import Json, ToolPack, ToolSpec
from servers.operation import Operation
from servers.replay import Copyable, Replay

StateT = TypeVar("StateT", bound=Copyable)
ViewT = TypeVar("ViewT")


@dataclass(frozen=True, slots=True)
class View(Generic[StateT]):
    """What an operation works on: the state as of `now`, and the handle of who looks at it."""

    state: StateT
    viewer: str
    now: datetime


class PlatformPack(Generic[StateT]):
    """One platform's tools for one viewer."""

    def __init__(self, operations: Sequence[Operation[View[StateT]]], replay: Replay[StateT], viewer: str) -> None:
        self._operations = {operation.spec.op: operation for operation in operations}
        self._replay = replay
        self._viewer = viewer

    def specs(self) -> Sequence[ToolSpec]:
        return [operation.spec for operation in self._operations.values()]

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        return self._operations[op](View(self._replay.at(now), self._viewer, now), arguments)


class ThreadedPack(Generic[ViewT]):
    """Tools that touch files or run programs: each call works in a thread, so that other runs go on meanwhile."""

    def __init__(self, operations: Sequence[Operation[ViewT]], view: Callable[[datetime], ViewT]) -> None:
        """`view` makes what an operation works on, as of a time; it is called in the thread too."""
        self._operations = {operation.spec.op: operation for operation in operations}
        self._view = view

    def specs(self) -> Sequence[ToolSpec]:
        return [operation.spec for operation in self._operations.values()]

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        return await asyncio.to_thread(lambda: self._operations[op](self._view(now), arguments))


class PrefixedPack:
    """A pack whose tools carry their platform's name, for an endpoint that offers several platforms at once."""

    def __init__(self, pack: ToolPack) -> None:
        self._pack = pack

    def specs(self) -> Sequence[ToolSpec]:
        return [replace(spec, name=_prefixed(spec)) for spec in self._pack.specs()]

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        return await self._pack.run(op, arguments, now)


def _prefixed(spec: ToolSpec) -> str:
    prefix = spec.op.partition(".")[0] + "_"
    return spec.name if spec.name.startswith(prefix) else prefix + spec.name
