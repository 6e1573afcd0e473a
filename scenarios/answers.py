"""The `answer:` of a question: its kind is the key that it has, its gold what the judges compare with."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from envs.answers import DateGold, Gold, NumberGold, SetGold, TextGold, YesNoGold
from envs.clock import parse_instant
from scenarios.evidence import folded
from scenarios.mistake import KeyPath, Mistake, quoted, suggestion
from scenarios.part import Part
from scenarios.planned import PLANNED_ANSWERS
from scenarios.question_schema import (
    ANSWER_KINDS,
    DateAnswer,
    NumberAnswer,
    SetAnswer,
    TextAnswer,
    YesNoAnswer,
)
from scenarios.scalars import real_day
from scenarios.source import Source
from scenarios.validation import unknown_key, validated


def read_answer(answer: dict[str, Any], zone: ZoneInfo, path: KeyPath, source: Source) -> Gold:
    """The gold that `answer` states. Raises Mistake."""
    kinds = [key for key in answer if key in ANSWER_KINDS]
    if len(kinds) > 1:
        raise Mistake((*path, kinds[1]), f"`{kinds[0]}` says the answer already; remove one of them", at_key=True)
    if not kinds:
        for key in answer:
            raise unknown_key(key, ANSWER_KINDS, PLANNED_ANSWERS, (*path, key))
        raise Mistake(path, f"an answer has one kind as its key{suggestion('', ANSWER_KINDS)}")
    return _gold(validated(ANSWER_KINDS[kinds[0]], answer, path, source), zone, path)


def spellings(gold: Gold) -> tuple[str, ...]:
    """What a text may say to be the gold or a part of it: as declared, or the plainest spelling of a value."""
    match gold:
        case TextGold():
            return gold.accepted
        case SetGold():
            return tuple(spelling for part in gold.parts for spelling in part)
        case NumberGold():
            return (f"{gold.value:.15g}",)
        case DateGold():
            return (gold.value.isoformat() if gold.precision == "day" else f"{gold.value:%Y-%m-%dT%H:%MZ}",)
        case YesNoGold():
            return ("yes" if gold.value else "no",)


def _gold(answer: Part, zone: ZoneInfo, path: KeyPath) -> Gold:
    match answer:
        case TextAnswer():
            return TextGold((answer.text, *answer.accept))
        case NumberAnswer():
            for key, number in (("number", answer.number), ("tolerance", answer.tolerance)):
                if float(number) != number:
                    raise Mistake((*path, key), f"{number} has too many digits to compare; write it as text")
            return NumberGold(float(answer.number), float(answer.tolerance), answer.unit)
        case DateAnswer():
            return DateGold(_date(answer, zone, (*path, "date")), zone.key, answer.precision)
        case SetAnswer():
            parts = tuple((part,) if isinstance(part, str) else part for part in answer.set)
            _check_parts(parts, (*path, "set"))
            return SetGold(parts)
        case YesNoAnswer():
            return YesNoGold(answer.yes_no == "yes")
        case _:
            raise AssertionError(f"an answer without a gold: {type(answer).__name__}")


def _date(answer: DateAnswer, zone: ZoneInfo, path: KeyPath) -> date | datetime:
    try:
        if answer.precision == "minute":
            return parse_instant(answer.date, zone)
    except ValueError as error:
        raise Mistake(path, f"{error}; or leave `precision` out for a day") from None
    try:
        return date.fromisoformat(real_day(answer.date))
    except ValueError:
        message = f"{quoted(answer.date)} is no day; write 2025-05-01, or add `precision: minute` for an instant"
        raise Mistake(path, message) from None


def _check_parts(parts: tuple[tuple[str, ...], ...], path: KeyPath) -> None:
    seen: dict[str, int] = {}
    for index, part in enumerate(parts):
        for spelling in part:
            if seen.setdefault(folded(spelling), index) != index:
                raise Mistake((*path, index), f"{quoted(spelling)} is another part's spelling too; remove one")
