"""Simulated time. Every instant inside the program is zone-aware and in UTC; only this module parses it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

_INSTANT = re.compile(r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:\d{2})?", re.ASCII)
_DURATION = re.compile(r"\+(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)


@cache
def zone(name: str) -> ZoneInfo:
    """The IANA zone of that name, by the tzdata package's rules: the host's own may be of another year.

    Raises ValueError for an unknown name.
    """
    if name not in zone_names():
        raise ValueError(f"{name!r} is not a time zone")
    with resources.files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, name)


@cache
def zone_names() -> tuple[str, ...]:
    """All IANA names, as the tzdata package lists them."""
    return tuple(resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())


def parse_instant(text: str, zone: ZoneInfo | None = None) -> datetime:
    """The instant that `text` names, in UTC, to the second.

    `2025-05-01T09:00[:00]` with `Z` or an offset, or without one as local time of `zone`. Raises ValueError, with a
    sentence fit for an author, for another spelling, a missing zone, and a local time that doesn't exist or occurs
    twice (clocks moved), where only an offset can say which one is meant.
    """
    match = _INSTANT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not an instant; write 2025-05-01T09:00:00+02:00 or 2025-05-01T09:00")
    year, month, day, hour, minute, second = (int(match[group] or 0) for group in range(1, 7))
    offset = match[7]
    try:
        naive = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - zone is added below
    except ValueError as error:
        raise ValueError(f"{text!r} is not an instant: {error}") from None
    if offset is not None:
        try:
            return datetime.fromisoformat(naive.isoformat() + offset).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{text!r} is not an instant: {error}") from None
    if zone is None:
        raise ValueError(f"{text!r} has no offset and there is no zone to read it in; add one, as in {text}Z")
    try:
        return _local(naive, zone, text)
    except OverflowError as error:
        raise ValueError(f"{text!r} is not an instant: {error}") from None


def _local(naive: datetime, zone: ZoneInfo, text: str) -> datetime:
    first, second = (naive.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(UTC)
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != naive:
        raise ValueError(f"{text!r} does not exist in {zone.key} (clocks went forward); give an offset")
    raise ValueError(f"{text!r} occurs twice in {zone.key} (clocks went back); give an offset")


def parse_duration(text: str) -> timedelta:
    """`+2h30m`, `+3d`, `+1w2d`, `+45s`: a positive or zero span. Raises ValueError for another spelling."""
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groups()):
        raise ValueError(f"{text!r} is not a span; write +2h30m, +3d or +1w")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    try:
        return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except OverflowError:
        raise ValueError(f"{text!r} is too long a span") from None


def format_instant(instant: datetime) -> str:
    """ISO 8601 in UTC with Z, to the second: `2025-05-15T09:00:00Z`."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class FrozenClock:
    """The clock of one run that stands while the agent works and moves only when the environment says so."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def charge(self) -> None:
        """A tool call costs nothing here."""

    def advance(self, to: datetime) -> None:
        """Moves to `to`. Raises ValueError when that lies in the past: simulated time never runs backwards."""
        if to < self._now:
            raise ValueError(f"time would run backwards, from {self._now} to {to}")
        self._now = to
