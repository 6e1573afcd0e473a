"""The values of formulas, and the one number or day that an event's decisive words say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from envs.errors import DriftDeskError
from scenarios.mistake import quoted


class FormulaError(DriftDeskError):
    """What is wrong with a formula, or with what it reads, in a sentence that says how to mend it."""


@dataclass(frozen=True, slots=True)
class Days:
    """A span of days."""

    number: Fraction


Value = Fraction | Days | date
"""What a formula comes to: a number, a span, a day."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What a formula reads of one event: its decisive words, and when it happened, in the scenario's zone."""

    words: str
    time: datetime
    zone: ZoneInfo


_NUMBER = re.compile(
    r"(?<![\w.,:/-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d:/]|[.,-]\d|-\w|(?:st|nd|rd|th|k|m|b|bn)\b)",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>january|february|march|april|june|july|august|september|october|november|december|sept|[a-z]{3})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DAYS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})(?!\d)",
        rf"\b{_DAY} (?:of )?{_MONTH}\b\.?,?(?: (?P<year>\d{{4}})\b)?",
        rf"\b{_MONTH}\.? {_DAY}\b(?:,? (?P<year>\d{{4}})\b)?",
    )
)


def number_in(fact: Fact) -> Fraction:
    """The one number in the words, with or without commas between thousands; a number in a date, an id or a version
    is none. Raises FormulaError for none and for several."""
    text = fact.words
    for pattern in _DAYS:
        text = pattern.sub(lambda match: match[0] if _day(match, fact) is None else " ", text)
    found = {Fraction(number.replace(",", "")) for number in _NUMBER.findall(text)}
    if len(found) != 1:
        raise FormulaError(f"{quoted(fact.words)} says {_how_many(found)} number; {_QUOTE}")
    return found.pop()


def day_in(fact: Fact) -> date:
    """The one day in the words; without a year it is in that of the event. Raises FormulaError like `number_in`."""
    found = {day for pattern in _DAYS for match in pattern.finditer(fact.words) if (day := _day(match, fact))}
    if len(found) != 1:
        raise FormulaError(f"{quoted(fact.words)} says {_how_many(found)} day; {_QUOTE}")
    return found.pop()


def day_of(fact: Fact) -> date:
    """The day on which the event happened."""
    return fact.time.astimezone(fact.zone).date()


_QUOTE = "in `evidence`, quote words with just one"


def _how_many(found: set[Fraction] | set[date]) -> str:
    return "no" if not found else "more than one"


def _day(match: re.Match[str], fact: Fact) -> date | None:
    named = match.groupdict()
    year = int(named["year"] or day_of(fact).year)
    if named.get("number"):
        month = int(named["number"])
    elif named["month"][:3].lower() in _MONTHS:
        month = _MONTHS.index(named["month"][:3].lower()) + 1
    else:
        return None
    try:
        return date(year, month, int(named["day"]))
    except ValueError:
        return None


def combined(mark: str, left: Value, right: Value) -> Value:
    """`left` and `right` joined by one of + - * /. Raises FormulaError where that means nothing."""
    match left, mark, right:
        case (Fraction() | Days(), "/", Fraction(numerator=0) | Days(number=Fraction(numerator=0))):
            raise FormulaError("this divides by zero; correct the formula")
        case (Fraction(), _, Fraction()):
            return _arithmetic(mark, left, right)
        case (Days(), "+" | "-", Days()):
            return Days(_arithmetic(mark, left.number, right.number))
        case (Days(), "/", Days()):
            return left.number / right.number
        case (Days(), "*" | "/", Fraction()):
            return Days(_arithmetic(mark, left.number, right))
        case (Fraction(), "*", Days()):
            return Days(left * right.number)
        case (date(), "-", date()):
            return Days(Fraction((left - right).days))
        case (date(), "+" | "-", Days()):
            return _shifted(left, right.number if mark == "+" else -right.number)
        case _:
            kinds = f"{_KINDS[type(left)]} {mark} {_KINDS[type(right)]}"
            raise FormulaError(f"{kinds} means nothing; a span of days is written days(14)")


_KINDS = {Fraction: "a number", Days: "a span", date: "a day"}


def _arithmetic(mark: str, left: Fraction, right: Fraction) -> Fraction:
    match mark:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right


def _shifted(day: date, by: Fraction) -> date:
    if by.denominator != 1:
        raise FormulaError(f"a day and {float(by):g} days is no day; use whole days")
    try:
        return day + timedelta(days=int(by))
    except OverflowError:
        raise FormulaError("this leads beyond the calendar; correct the formula") from None
