"""The host's clock: the one module that may read it. Only `timings.jsonl` and the progress display hold its values."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def monotonic() -> float:
    """Seconds for measuring durations."""
    return time.monotonic()  # noqa: TID251 - this is that one module


def now() -> datetime:
    """The host's wall time, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is that one module
