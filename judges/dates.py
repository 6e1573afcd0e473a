"""Dates: the days and instants that an answer names, against a date gold.

Granularity. A gold of precision `day` wants day and month; a gold of precision `minute` also wants a time. A year that
the answer leaves out is taken as the gold's; one that it gives must agree, as must a weekday. A month, a week, a
weekday or "tomorrow" alone is too coarse. A time without a zone is in the gold's zone; `Z`, `UTC`, an offset, an IANA
name and the gold zone's own abbreviation on that day are understood, another abbreviation makes the time unreadable.
For a day gold a time with a zone moves the day into the gold's zone, without a zone it changes nothing.

`05/07/2025` is two days and never guessed; `13/05/2025` and `05/05/2025` are clear, and dotted dates have the day
first. "5 to 7 May" is a range, not a day, and a day that another is reckoned from or that bounds a time ("the Thursday
after 6 May", "by 6 May", "the week of 6 May") isn't stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import takewhile
from zoneinfo import ZoneInfo

from envs.answers import DateGold
from envs.clock import zone as zone_named
from envs.protocol import Verdict
from judges.standing import denied, past, settled
from judges.statement import Reading
from judges.times import TimeOfDay, times
from judges.tokens import Token, tokenise
from judges.words import CITATIONS, MONTHS, WEEKDAYS

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:t\S{0,40})?", re.ASCII)
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_HYPHENED = re.compile(r"(\d{1,2})-([a-z]{3,9})-(\d{4})", re.ASCII)
_MOST_DAYS = 8
"""One instant reads as two days in two zones; an answer with more than this many settles nothing."""
_ANCHORS = frozenset(("before", "after", "following", "preceding", "until", "till"))
_SPANS = frozenset(("day", "days", "week", "weeks", "month", "months", "weekend", "any"))
_ENDS = frozenset(("latest", "earliest", "onward", "onwards"))
_STEPS = frozenset(("is", "it's", "was", "be", "=", "to", "so", "now", "then"))
_OR_ELSE = frozenset(("later", "earlier", "after", "before", "thereafter"))
_RANGE = frozenset(("to", "and", "or", "until", "through", "till"))


@dataclass(frozen=True, slots=True)
class Day:
    """A day named at tokens [first, last]. `weekday`: as the answer says it, Monday 0. `at`: the times bound to it.

    `clear`: False for one end of a range and for a day that reads two ways.
    """

    year: int
    month: int
    day: int
    weekday: int | None
    first: int
    last: int
    clear: bool = True
    at: TimeOfDay | None = None

    @property
    def value(self) -> tuple[int, int, int, bool, TimeOfDay | None]:
        """What makes two mentions the same."""
        return self.year, self.month, self.day, self.clear, self.at and replace(self.at, first=0, last=0)


def judge_date(gold: DateGold, answer: str, competing: Sequence[str] = ()) -> Verdict:
    """1.0 where the one day or instant that the answer stands by is the gold's; else 0.0.

    `competing`: the question's superseded values and distractors.
    """
    zone = zone_named(gold.zone)
    wanted, instant = _wanted(gold, zone)
    reading = Reading(answer)
    found = list(days(reading.tokens, wanted.year))
    if not found:
        return Verdict(0.0, "no day stated")
    found = [day for day in found if not _is_anchor(reading, day.first, day.last)]
    found = [day for day in found if not _is_citation(reading, day)] or found
    rivals = {day.value for text in competing for day in days(tokenise(text), wanted.year)}
    left = settled(reading, found, lambda day: day.value in rivals)
    if len(left) > _MOST_DAYS:
        return Verdict(0.0, "several days stated")
    clocks = [clock for clock in times(reading.tokens) if not _is_anchor(reading, clock.first, clock.last)]
    clocks = [clock for clock in clocks if not denied(reading, clock.first, clock.last)]
    clocks = [clock for clock in clocks if not past(reading, clock.first, clock.last)] or clocks
    bound = [mention for day in left for mention in _bind(day, clocks, left, zone)]
    if any(not day.clear for day in left) or any(day.at is not None and not day.at.clear for day in bound):
        return Verdict(0.0, "reads two ways")
    if any(day.weekday is not None and day.weekday != date(day.year, day.month, day.day).weekday() for day in left):
        return Verdict(0.0, "weekday disagrees")
    if instant is not None:
        return _by_minute(instant, bound, zone)
    stated = {_local_day(day, zone) for day in bound}
    return _one(stated, wanted, "day")


def _wanted(gold: DateGold, zone: ZoneInfo) -> tuple[date, datetime | None]:
    """The gold's day in its zone and, for precision `minute`, its instant."""
    if not isinstance(gold.value, datetime):
        return gold.value, None
    local = gold.value.astimezone(zone).replace(second=0, microsecond=0)
    return local.date(), local.astimezone(UTC) if gold.precision == "minute" else None


def _by_minute(instant: datetime, bound: Sequence[Day], zone: ZoneInfo) -> Verdict:
    timed = [day for day in bound if day.at is not None]
    if not timed:
        return Verdict(0.0, "no time of day stated")
    return _one({_instant(day, zone) for day in timed}, instant, "instant")


def _one(stated: set[date] | set[datetime], wanted: date, noun: str) -> Verdict:
    if len(stated) != 1:
        return Verdict(0.0, f"several {noun}s stated" if stated else f"no {noun} stated")
    return Verdict(1.0, "equal") if wanted in stated else Verdict(0.0, f"another {noun}")


def _instant(day: Day, zone: ZoneInfo) -> datetime:
    assert day.at is not None
    local = datetime(day.year, day.month, day.day, day.at.hour, day.at.minute, tzinfo=day.at.zone or zone)
    return local.astimezone(UTC)


def _local_day(day: Day, zone: ZoneInfo) -> date:
    if day.at is None or day.at.zone is None:
        return date(day.year, day.month, day.day)
    return _instant(day, zone).astimezone(zone).date()


def _bind(day: Day, clocks: Sequence[TimeOfDay], others: Sequence[Day], zone: ZoneInfo) -> Iterator[Day]:
    """The day once for each time nearest to it, or once without any."""
    own = [clock for clock in clocks if min(others, key=lambda other: _distance(other, clock)) == day]
    yield from (replace(day, at=clock.in_zone(zone, day.year, day.month, day.day)) for clock in own)
    if not own:
        yield day


def _distance(day: Day, clock: TimeOfDay) -> int:
    return max(clock.first - day.last, day.first - clock.last, 0)


def days(tokens: Sequence[Token], year: int) -> Iterator[Day]:
    """The days named in `tokens`, in order; `year` is that of a day without one. Impossible days are skipped."""
    places = [at for at, token in enumerate(tokens) if not token.mark]
    words = [tokens[at].text for at in places]
    spot = 0
    last = -1
    while spot < len(words):
        read = _one_word(words[spot]) or _several_words(tokens, places, words, spot, year)
        if read is None:
            spot += 1
            continue
        (y, m, d), length, clear = read
        end = spot + length - 1
        before, after = (_weekday(words, at) for at in (spot - 1, end + 1))
        weekday = after if before is None else before
        if _exists(y, m, d):
            clear = clear and not _in_range(words, spot, end, last)
            yield Day(y, m, d, weekday, places[spot - (before is not None)], places[end], clear)
        last = end
        spot = end + 1


def _weekday(words: Sequence[str], at: int) -> int | None:
    return WEEKDAYS.get(words[at]) if 0 <= at < len(words) else None


def _is_anchor(reading: Reading, first: int, last: int) -> bool:
    """Whether the day or time at tokens [first, last] is what another is reckoned from, or a bound or span of time."""
    before = [token.text for token in reading.before(first, 5) if token.text not in ("the", "on", "at")]
    before = list(takewhile(lambda word: word not in _STEPS, before))
    if before[:1] == ["by"] or not _ANCHORS.isdisjoint(before):
        return True
    if before[:1] in (["of"], ["from"]) and not _SPANS.isdisjoint(before[1:3]):
        return True
    clause = reading.clause_at(last)
    ahead = [token.text for token in reading.ahead(last, 4)]
    if not _ENDS.isdisjoint(ahead) or ahead == ["on"]:
        return True
    if clause is None or reading.tokens[reading.clauses[clause].end].text != "or" or clause + 1 == len(reading.clauses):
        return False
    following = reading.clauses[clause + 1]
    return reading.words(following.start, following.end)[0].text in _OR_ELSE


def _is_citation(reading: Reading, day: Day) -> bool:
    """Whether the day is when something was said ("as confirmed on 14 May", "as of 14 May"), not what was asked."""
    before = [token.text for token in reading.before(day.first, 4)]
    return bool(before) and before[0] in ("on", "of", "since") and not CITATIONS.isdisjoint(before[1:])


Read = tuple[tuple[int, int, int], int, bool]
"""Year, month, day; how many words; whether it reads one way only."""


def _one_word(word: str) -> Read | None:
    if len(word) > 60:
        return None
    if match := _ISO.fullmatch(word):
        return (int(match[1]), int(match[3]), int(match[4])), 1, True
    if (match := _HYPHENED.fullmatch(word)) and match[2] in MONTHS:
        return (int(match[3]), MONTHS[match[2]], int(match[1])), 1, True
    if match := _NUMERIC.fullmatch(word):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        month_first = match[2] != "." and second > 12
        clear = match[2] == "." or first == second or max(first, second) > 12
        return ((year, first, second) if month_first else (year, second, first)), 1, clear
    return None


def _several_words(
    tokens: Sequence[Token], places: Sequence[int], words: Sequence[str], spot: int, year: int
) -> Read | None:
    """`7 May`, `7th of May, 2025`, `May 7`, `May 7th, 2025`."""
    at = spot
    if words[spot] in MONTHS:
        month, day = MONTHS[words[spot]], _DAY.fullmatch(words[spot + 1]) if spot + 1 < len(words) else None
        at += 1
    else:
        day = _DAY.fullmatch(words[spot])
        at += 2 if words[spot + 1 : spot + 2] == ["of"] else 1
        month = MONTHS.get(words[at], 0) if at < len(words) else 0
    if day is None or not month or any(tokens[i].mark for i in range(places[spot], places[at])):
        return None
    if at + 1 < len(words) and _YEAR.fullmatch(words[at + 1]) and places[at + 1] - places[at] <= 2:
        return (int(words[at + 1]), month, int(day[1])), at + 2 - spot, True
    return (year, month, int(day[1])), at + 1 - spot, True


def _in_range(words: Sequence[str], spot: int, end: int, last: int) -> bool:
    """Whether a bare day stands before or after with a word of range between: `5 to 7 May`, `May 5 to 7`.

    `last`: where the day before ends, so that in `May 5 to June 7` each is a day.
    """
    before = spot - 2 > last and words[spot - 1] in _RANGE and _DAY.fullmatch(words[spot - 2]) is not None
    after = end + 2 < len(words) and words[end + 1] in _RANGE and _DAY.fullmatch(words[end + 2]) is not None
    return before or (after and not (end + 3 < len(words) and words[end + 3] in MONTHS))


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
