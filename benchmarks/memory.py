"""Resident memory over 2,000 episodes: its height at 100 at once, and what each further episode adds."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path

import psutil

from benchmarks import episodes
from benchmarks.figures import Figure

AT_ONCE = 100
WARM = 200
EPISODES = 2_000


async def measure() -> list[Figure]:
    """Megabytes of this process, which also holds the benchmark itself."""
    instance = episodes.one_question()
    start = _resident()
    with tempfile.TemporaryDirectory() as folder:
        async with episodes.record_in(Path(folder) / "run") as (record, models):
            await episodes.run_episodes(instance, range(WARM), record, models, AT_ONCE)
            warm = _resident()
            await episodes.run_episodes(instance, range(WARM, WARM + EPISODES), record, models, AT_ONCE)
            end = _resident()
    return [
        Figure("before the first episode", start, "MB"),
        Figure(f"after {WARM} episodes, {AT_ONCE} at once", warm, "MB"),
        Figure(f"after {WARM + EPISODES} episodes", end, "MB", "target: under 150 MB"),
        Figure("a further episode", (end - warm) / EPISODES * 1e3, "kB", "target: at most 100 kB"),
    ]


def _resident() -> float:
    gc.collect()
    return psutil.Process().memory_info().rss / 1e6
