"""Times of day as answers write them: `09:30`, `9:30 am`, `9am`, `noon`, the time of an ISO instant, with zones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from envs.clock import zone, zone_names
from judges.tokens import Token

_CLOCK = re.compile(
    r"(?:\d{4}-\d{1,2}-\d{1,2}t)?(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(am|pm|a\.m|p\.m|)(z|[+-]\d{2}:?\d{2}|)",
    re.ASCII,
)
_HOUR = re.compile(r"(\d{1,2})(am|pm|a\.m|p\.m)", re.ASCII)
_BARE_HOUR = re.compile(r"\d{1,2}", re.ASCII)
_HALVES = {"am": "a", "a.m": "a", "pm": "p", "p.m": "p"}
_NAMED = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}
_OFFSET = re.compile(r"(?:utc|gmt)?([+-])(\d{1,2}):?(\d{2})?", re.ASCII)
_ABBREVIATION = re.compile(r"[A-Z]{1,4}T", re.ASCII)
_UNIVERSAL = frozenset(("utc", "gmt", "z"))


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time at tokens [first, last]. `zone` None: none given. `abbreviation`: a zone's, which only a day resolves."""

    hour: int
    minute: int
    zone: tzinfo | None
    first: int
    last: int
    abbreviation: str | None = None
    clear: bool = True

    def in_zone(self, zone: ZoneInfo, year: int, month: int, day: int) -> TimeOfDay:
        """The same with an abbreviation resolved: it is `zone`'s own on that day, or the time isn't clear."""
        if self.abbreviation is None:
            return self
        local = datetime(year, month, day, self.hour, self.minute, tzinfo=zone)
        return replace(self, zone=zone, clear=local.tzname() == self.abbreviation)


def times(tokens: Sequence[Token]) -> Iterator[TimeOfDay]:
    """The times named in `tokens`, in order. Impossible ones are skipped."""
    for at, token in enumerate(tokens):
        if token.mark or len(token.text) > 60:
            continue
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        end = at
        offset = ""
        if match := _CLOCK.fullmatch(token.text):
            hour, minute, half, offset = int(match[1]), int(match[2]), match[3], match[4]
        elif match := _HOUR.fullmatch(token.text):
            hour, minute, half = int(match[1]), 0, match[2]
        elif token.text in _NAMED:
            (hour, minute), half = _NAMED[token.text], ""
        elif _BARE_HOUR.fullmatch(token.text) and following in _HALVES:
            hour, minute, half = int(token.text), 0, ""
        else:
            continue
        if not half and following in _HALVES:
            half, end = following, at + 1
        if half:
            if not 1 <= hour <= 12:
                continue
            hour = hour % 12 + (12 if _HALVES[half] == "p" else 0)
        if hour > 23 or minute > 59:
            continue
        yield _zoned(TimeOfDay(hour, minute, None, at, end), offset, tokens, end)


def _zoned(time: TimeOfDay, offset: str, tokens: Sequence[Token], end: int) -> TimeOfDay:
    """With the zone written in one with it or in the next word, a bracket or the mark of `a.m.` between."""
    if offset:
        return replace(time, zone=UTC if offset == "z" else _offset(offset))
    at = end + 1
    while at < len(tokens) and at <= end + 2 and tokens[at].mark and tokens[at].raw in "(.":
        at += 1
    if at >= len(tokens) or tokens[at].mark:
        return time
    word = tokens[at]
    if word.text in _UNIVERSAL:
        return replace(time, zone=UTC, last=at)
    if (named := _offset(word.text) or _iana(word.raw)) is not None:
        return replace(time, zone=named, last=at)
    if _ABBREVIATION.fullmatch(word.raw):
        return replace(time, abbreviation=word.raw, last=at)
    return time


def _offset(text: str) -> timezone | None:
    match = _OFFSET.fullmatch(text)
    if match is None or int(match[2]) > 15 or int(match[3] or 0) > 59:
        return None
    span = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return timezone(-span if match[1] == "-" else span)


def _iana(text: str) -> ZoneInfo | None:
    return zone(text) if "/" in text and text in zone_names() else None
