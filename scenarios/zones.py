"""The time zones that a scenario names."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from envs.clock import zone, zone_names
from scenarios.mistake import KeyPath, require


def checked_zone(name: str, path: KeyPath) -> ZoneInfo:
    """The zone called `name`. Raises Mistake at `path`, with the nearest name, where there is none."""
    require(name, zone_names(), path, "time zone")
    return zone(name)
