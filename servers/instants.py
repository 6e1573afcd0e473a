"""How callers name instants and days in filters."""

from __future__ import annotations

import re

from envs.clock import format_instant, parse_instant, zone
from envs.errors import OperationError

_UTC = zone("UTC")
_FRACTION = re.compile(r"(?<=:\d\d)\.\d+")


def instant_bound(argument: str, text: str) -> str:
    """The instant named, in the form in which results show theirs; a day counts from its midnight, all in UTC.

    Raises OperationError: invalid_date.
    """
    plain = _FRACTION.sub("", text.strip())
    try:
        day_only = len(plain) == len("2025-05-01")
        return format_instant(parse_instant(f"{plain}T00:00" if day_only else plain, _UTC))
    except ValueError:
        raise OperationError(
            "invalid_date",
            f"`{argument}` is not a day or an instant",
            hint="write 2025-05-01 or 2025-05-01T09:00:00Z",
        ) from None


def day_bound(argument: str, text: str) -> str:
    """The day named, as `2025-05-01`; of an instant its day in UTC. Raises OperationError: invalid_date."""
    return instant_bound(argument, text)[: len("2025-05-01")]
