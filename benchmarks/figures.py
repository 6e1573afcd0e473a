"""How the benchmarks measure and print: medians over repeats, each figure beside its target."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

REPEATS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value with its unit, and what it is held against (a target, or the peer of the same run)."""

    name: str
    value: float
    unit: str
    beside: str = ""

    def __str__(self) -> str:
        shown = f"{self.value:,.3f}" if self.value < 10 else f"{self.value:,.0f}"
        return f"  {self.name:<58} {shown:>10} {self.unit:<12} {self.beside}"


def seconds_per_call(function: Callable[[], object], count: int) -> float:
    """Median over REPEATS of the mean seconds of `count` calls in a row."""
    spans = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        for _ in range(count):
            function()
        spans.append((time.perf_counter() - began) / count)
    return statistics.median(spans)


async def seconds_per_await(function: Callable[[], Awaitable[object]], count: int) -> float:
    """The same for a coroutine function, awaited one after the other."""
    spans = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        for _ in range(count):
            await function()
        spans.append((time.perf_counter() - began) / count)
    return statistics.median(spans)
