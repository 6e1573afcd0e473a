"""`python -m benchmarks [NAME...]`: all of them, or the ones named, each in a process of its own."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib import import_module

NAMES = ("startup", "tool_calls", "episodes", "memory", "timeline")


async def measure(name: str) -> None:
    """Prints one benchmark's figures."""
    print(name, flush=True)
    for figure in await import_module(f"benchmarks.{name}").measure():
        print(figure, flush=True)


def main() -> None:
    """Runs what was named. Memory is a process's, and imports stay: so each benchmark has a process."""
    wanted = sys.argv[1:] or list(NAMES)
    if unknown := [name for name in wanted if name not in NAMES]:
        raise SystemExit(f"benchmarks: there is no {unknown[0]!r}; there are {', '.join(NAMES)}")
    if len(wanted) == 1:
        asyncio.run(measure(wanted[0]))
        return
    for name in wanted:
        subprocess.run([sys.executable, "-m", "benchmarks", name], check=True)


main()
