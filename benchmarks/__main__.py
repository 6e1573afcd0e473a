"""`python -m benchmarks [NAME...]`: all of them, or the ones named."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module

NAMES = ("startup", "tool_calls", "episodes", "memory", "timeline")


async def main() -> None:
    """Prints each benchmark's figures as soon as it is done."""
    wanted = sys.argv[1:] or list(NAMES)
    if unknown := [name for name in wanted if name not in NAMES]:
        raise SystemExit(f"benchmarks: there is no {unknown[0]!r}; there are {', '.join(NAMES)}")
    for name in wanted:
        print(name, flush=True)
        for figure in await import_module(f"benchmarks.{name}").measure():
            print(figure, flush=True)


asyncio.run(main())
