"""The `answer:` of a question: its kind is the key that it has, its gold what the judges compare with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from envs.answers import (
    AbstainGold,
    ChoiceGold,
    DateGold,
    Gold,
    ListGold,
    NumberGold,
    SetGold,
    TextGold,
    YesNoGold,
)
from envs.clock import parse_instant
from scenarios.evidence import folded
from scenarios.file_texts import checked_file
from scenarios.formula import evaluate, events_of, parse
from scenarios.formula_values import Days, Fact, FormulaError
from scenarios.mistake import KeyPath, Mistake, absent, quoted, suggestion
from scenarios.part import Part
from scenarios.question_schema import (
    ANSWER_KINDS,
    AbstainAnswer,
    ChoiceAnswer,
    DateAnswer,
    FormulaAnswer,
    ListAnswer,
    NumberAnswer,
    SetAnswer,
    Spellings,
    TextAnswer,
    YesNoAnswer,
)
from scenarios.scalars import real_day
from scenarios.source import Source
from scenarios.validation import not_text, unknown_key, validated


def read_answer(
    answer: dict[str, Any], facts: Mapping[str, Fact], zone: ZoneInfo, path: KeyPath, source: Source
) -> Gold:
    """The gold that `answer` states, or that its formula comes to. `facts`: of the evidence, by event id.

    Raises Mistake, also for a `script` that isn't there.
    """
    if "script" in answer:
        checked_file(_script(answer, path, source), source.folder, (*path, "script"))
    stated = {key: value for key, value in answer.items() if key != "script"}
    kinds = [key for key in stated if key in ANSWER_KINDS]
    if len(kinds) > 1:
        raise Mistake((*path, kinds[1]), f"`{kinds[0]}` says the answer already; remove one of them", at_key=True)
    if not kinds:
        for key in stated:
            raise unknown_key(key, (*ANSWER_KINDS, "script"), (), (*path, key))
        raise Mistake(path, f"an answer has one kind as its key{suggestion('', ANSWER_KINDS)}")
    valid = validated(ANSWER_KINDS[kinds[0]], stated, path, source)
    return _computed(valid, facts, zone, path) if isinstance(valid, FormulaAnswer) else _gold(valid, zone, path)


def _script(answer: dict[str, Any], path: KeyPath, source: Source) -> str:
    script = answer["script"]
    if not isinstance(script, str):
        raise not_text(script, (*path, "script"), source)
    return script


def spellings(gold: Gold) -> tuple[str, ...]:
    """What a text may say to be the gold or a part of it: as declared, or the plainest spelling of a value."""
    match gold:
        case TextGold():
            return gold.accepted
        case SetGold() | ListGold():
            return tuple(spelling for part in gold.parts for spelling in part)
        case ChoiceGold():
            return gold.options[gold.right]
        case AbstainGold():
            return ()
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
            return SetGold(_parts(answer.set, (*path, "set")))
        case ListAnswer():
            return ListGold(_parts(answer.list, (*path, "list")))
        case ChoiceAnswer():
            return _choice(answer, path)
        case AbstainAnswer():
            return AbstainGold(answer.abstain)
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


def _choice(answer: ChoiceAnswer, path: KeyPath) -> ChoiceGold:
    options = _parts(answer.options, (*path, "options"))
    for index, option in enumerate(options):
        if folded(answer.choice) in map(folded, option):
            return ChoiceGold(options, index)
    raise Mistake((*path, "choice"), absent(answer.choice, [option[0] for option in options], "option"))


def _computed(answer: FormulaAnswer, facts: Mapping[str, Fact], zone: ZoneInfo, path: KeyPath) -> Gold:
    where = (*path, "formula")
    try:
        term = parse(answer.formula)
        for event in events_of(term):
            if event not in facts:
                raise FormulaError(f"{absent(event, facts, 'evidence')}; add it to `evidence`")
        value = evaluate(term, facts)
    except FormulaError as error:
        raise Mistake(where, str(error)) from None
    given = answer.model_fields_set & {"unit", "tolerance"}
    if isinstance(value, date):
        for key in sorted(given):
            raise Mistake((*path, key), f"the formula comes to the day {value}, which has no {key}", at_key=True)
        return DateGold(value, zone.key)
    number, unit = (value.number, "days") if isinstance(value, Days) else (value, answer.unit)
    if isinstance(value, Days) and answer.unit not in (None, "days"):
        raise Mistake((*path, "unit"), "the formula comes to a span in days; divide it, as by days(7) for weeks")
    if not answer.tolerance and (number * 10**_PLACES).denominator != 1:
        raise Mistake(where, f"the formula comes to {float(number):.9f}..., a broken number; give a `tolerance`")
    return NumberGold(float(number), float(answer.tolerance), unit)


_PLACES = 6
"""Decimals that an answer may be asked for exactly."""


def _parts(given: tuple[Spellings, ...], path: KeyPath) -> tuple[tuple[str, ...], ...]:
    """Every part with its spellings. Raises Mistake where two parts have one in common."""
    parts = tuple((part,) if isinstance(part, str) else part for part in given)
    seen: dict[str, int] = {}
    for index, part in enumerate(parts):
        for spelling in part:
            if seen.setdefault(folded(spelling), index) != index:
                raise Mistake((*path, index), f"{quoted(spelling)} is another part's spelling too; remove one")
    return parts
