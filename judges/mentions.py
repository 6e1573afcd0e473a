"""Whether a text mentions what a gold states, in any of the forms that `match` reads.

This is for the material that an answer rests on, not for answers: a value counts wherever it stands, also where it is
denied, hedged or one of many. Golds that nobody writes down as they are (yes or no, a choice) have no parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal

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
from judges.dates import days, judge_date
from judges.numbers import quantities
from judges.tokens import normal, occurrences, tokenise

Part = TextGold | NumberGold | DateGold
"""A gold that can be looked for as one value."""

Mentions = Callable[[Part, str], bool]

_ANY_YEAR = 2000
"""A leap year, for finding days whose year doesn't matter."""
_PLAIN = re.compile(r"-?\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,15})?%?", re.ASCII)
_PIECE = re.compile(r"\n+|(?<=[.!?;])\s+")


def parts(gold: Gold) -> tuple[Part, ...]:
    """The values that make up `gold`, none where it is inferred."""
    match gold:
        case TextGold() | NumberGold() | DateGold():
            return (gold,)
        case SetGold() | ListGold():
            return tuple(TextGold(spellings) for spellings in gold.parts)
        case YesNoGold() | ChoiceGold() | AbstainGold():
            return ()


def mentions(part: Part, text: str) -> bool:
    """Whether `text` mentions `part` anywhere. A day without a year is taken in the gold's year."""
    match part:
        case TextGold():
            tokens = tokenise(text)
            return any(any(occurrences(tokens, normal(spelling))) for spelling in part.accepted)
        case NumberGold():
            return _mentions_number(part, text)
        case DateGold():
            return _mentions_date(part, text)


def _mentions_number(part: NumberGold, text: str) -> bool:
    return any(_counts(part, piece) for piece in _PIECE.split(text))


def _counts(part: NumberGold, piece: str) -> bool:
    wanted, tolerance = Decimal(repr(part.value)), Decimal(repr(part.tolerance))
    tokens = tokenise(piece)
    dated = {at for day in days(tokens, _ANY_YEAR) for at in range(day.first, day.last + 1)}
    read = [quantity.number for quantity in quantities(tokens) if quantity.first not in dated]
    # An answer states one number of "3 of 12"; the material holds both.
    read += [
        Decimal(token.text.rstrip("%").replace(",", ""))
        for at, token in enumerate(tokens)
        if at not in dated and _PLAIN.fullmatch(token.text)
    ]
    return any(abs(number - wanted) <= tolerance for number in read)


def _mentions_date(part: DateGold, text: str) -> bool:
    if part.precision == "minute" or isinstance(part.value, datetime):
        # Which time belongs to which day is for the judge to say, one sentence after the other.
        return any(judge_date(part, piece).score == 1.0 for piece in _PIECE.split(text) if piece.strip())
    wanted = part.value
    return any(
        date(day.year, day.month, day.day) == wanted and day.weekday in (None, wanted.weekday())
        for day in days(tokenise(text), wanted.year)
    )


def unmentioned(gold: Gold, texts: Sequence[str]) -> list[str]:
    """The parts of `gold`, each as one would write it, that none of `texts` mentions."""
    return [spelt(part) for part in parts(gold) if not any(mentions(part, text) for text in texts)]


def spelt(part: Part) -> str:
    """A part as one would write it."""
    match part:
        case TextGold():
            return part.accepted[0]
        case NumberGold():
            return f"{part.value:.15g}"
        case DateGold():
            return part.value.isoformat()
