"""The answer kinds: what a question's gold may be. Scenarios declare them, `match` compares by them.

Plain frozen dataclasses, without the spelling that a file gives them (that is scenarios.schema).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class TextGold:
    """A short text; any of `accepted` is as good (its first is the one to show)."""

    accepted: tuple[str, ...]
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class NumberGold:
    """A number within `tolerance` (absolute, in the same unit). A unit that the answer names must be `unit`."""

    value: float
    tolerance: float = 0.0
    unit: str | None = None
    kind: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class DateGold:
    """A day, or an instant compared to the minute in UTC; `zone` is the one to read an offset-less answer in."""

    value: date | datetime
    zone: str
    precision: Literal["day", "minute"] = "day"
    kind: Literal["date"] = "date"


@dataclass(frozen=True, slots=True)
class SetGold:
    """A set of parts in any order, each with its accepted spellings; partial credit by part."""

    parts: tuple[tuple[str, ...], ...]
    kind: Literal["set"] = "set"


@dataclass(frozen=True, slots=True)
class YesNoGold:
    """Yes or no."""

    value: bool
    kind: Literal["yes_no"] = "yes_no"


@dataclass(frozen=True, slots=True)
class ListGold:
    """Parts in their order, each with its accepted spellings; partial credit by part in order."""

    parts: tuple[tuple[str, ...], ...]
    kind: Literal["list"] = "list"


@dataclass(frozen=True, slots=True)
class ChoiceGold:
    """One of several options, each with its accepted spellings. `right`: the index of the right one."""

    options: tuple[tuple[str, ...], ...]
    right: int
    kind: Literal["choice"] = "choice"


@dataclass(frozen=True, slots=True)
class AbstainGold:
    """There is no answer, and the right one is to say so. `reason`: why, for people."""

    reason: str
    kind: Literal["abstain"] = "abstain"


Gold = TextGold | NumberGold | DateGold | SetGold | YesNoGold | ListGold | ChoiceGold | AbstainGold
