"""How long `envs --help` takes, against importing pydantic."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.figures import REPEATS, Figure

_ENVS = str(Path(sys.executable).with_name("envs"))


async def measure() -> list[Figure]:
    """Whole processes, medians."""
    bare = _seconds([sys.executable, "-c", ""])
    pydantic = _seconds([sys.executable, "-c", "import pydantic"])
    shown = _seconds([_ENVS, "--help"])
    listed = _seconds([_ENVS, "list"])
    return [
        Figure("python -c ''", bare, "s"),
        Figure("python -c 'import pydantic'", pydantic, "s"),
        Figure("envs --help", shown, "s", "target: under 0.4 s"),
        Figure("envs list", listed, "s"),
        Figure("envs --help over importing pydantic", shown / pydantic, "times"),
    ]


def _seconds(command: list[str]) -> float:
    spans = []
    for _ in range(REPEATS + 1):  # the first warms the file cache and is dropped
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spans.append(time.perf_counter() - began)
    return statistics.median(spans[1:])
