"""`envs`, killed with SIGKILL at the n-th time that it comes to a place: `killed_run.py PLACE N ARGUMENTS...`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from envs import journal, records
from envs.cli import main


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killing(count: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which dies in place of its `count`-th call."""
    calls = 0

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        return die() if calls == count else function(*arguments, **named)

    return counted


def tearing(count: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function(handle, data)`, which at its `count`-th call writes half of the data and dies."""
    calls = 0

    def counted(handle: int, data: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls == count:
            function(handle, data[: len(data) // 2])
            die()
        function(handle, data)

    return counted


place, count = sys.argv[1], int(sys.argv[2])
if place == "write":  # any row, half of it on disk
    journal._write_all = tearing(count, journal._write_all)
elif place == "exchange":  # the agent loop, between a reply and its record
    records.RunRecord.exchange = killing(count, records.RunRecord.exchange)  # type: ignore[method-assign]
elif place == "finish":  # between the last reply and the row
    records.RunRecord.finish = killing(count, records.RunRecord.finish)  # type: ignore[method-assign]
elif place == "judge":  # between a row and its verdict
    records.RunRecord.judge = killing(count, records.RunRecord.judge)  # type: ignore[method-assign]
elif place == "close":  # between two files of the closing
    journal.rewrite = killing(count, journal.rewrite)
elif place in ("created", "closed"):  # before the run's first mark, or between the ordered rows and its last
    records._write_run = killing(count, records._write_run)
else:
    raise SystemExit(f"no place {place!r}")
sys.argv = ["envs", *sys.argv[3:]]
main()
