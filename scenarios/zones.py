"""Time zones by IANA name, from the tzdata package's list, so that the same names are valid on every machine."""

from __future__ import annotations

from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from scenarios.mistake import KeyPath, require


@cache
def zone_names() -> tuple[str, ...]:
    """All IANA names, as the tzdata package lists them."""
    return tuple(resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())


def checked_zone(name: str, path: KeyPath) -> ZoneInfo:
    """The zone called `name`. Raises Mistake at `path`, with the nearest name, where there is none."""
    require(name, zone_names(), path, "time zone")
    return ZoneInfo(name)
