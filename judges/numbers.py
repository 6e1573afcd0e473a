"""Numbers: the quantities that an answer states, with their units, against a number gold.

Read are digits with thousands separators (`12,000`, `12 000`, `12'000`, `1.234.567`), decimals (`3.5`, and so `1.234`;
`3,5` too, for it can't be thousands), signs, exponents, `k`, `M`, `bn` and English number words. Not read are digits
inside a word, an id, a version, a range, an ordinal, a time or a date, so that 23 isn't in `16723` and 12 not in
`ENG-12`.

The unit is the symbol or word right beside the number. Where the gold has a unit, numbers of that unit are looked at
first, and a number of another unit never matches; one without a unit does. A gold without a unit takes any unit but
percent, which is another number. Nothing is converted: 90 minutes aren't 1.5 hours here.

A bound is another number ("over 12", "at least 12", "12 or more"), unless it includes the number from above, as a mark
does ("at or under 12", "at most 12", "12 or less", "<=12"). So is a label ("page 12"), a part or multiple ("half of
12"), and what stands before a sign of equality ("12 * 2 = 24").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from envs.answers import NumberGold
from envs.protocol import Verdict
from judges.standing import settled
from judges.statement import Reading, is_verb
from judges.tokens import Token, tokenise
from judges.units import CURRENCIES, PERCENT, canonical
from judges.words import DETERMINERS, FUNCTION_WORDS, MONTHS, NUMBER_WORDS, RELATIVES, SCALES

_NUMBER = re.compile(
    r"(?:[~≈≤]|<=)?(?P<sign>[+-]?)(?P<currency>us\$|[$€£¥]|)(?P<inner>-?)(?P<digits>\d+(?:[.,'_]\d+)*|\.\d+)"
    r"(?P<exponent>e[+-]?\d{1,3}|)(?P<suffix>%|[^\W\d_]{0,12})",
    re.ASCII,
)
_FRACTION = re.compile(r"(\d{1,2})⁄(\d{1,2})", re.ASCII)
_LONGEST = 60
"""Characters of a number; longer runs of digits are no quantity."""
_SUFFIX_SCALES = {"k": 1000, "K": 1000, "M": 10**6, "mn": 10**6, "bn": 10**9, "B": 10**9}
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_NO_UNITS = (FUNCTION_WORDS | {"of"}) - {"per"}
_APART = frozenset(("minus", "negative"))
_LABELS = frozenset(
    ("page", "step", "room", "section", "chapter", "version", "question", "ticket", "line", "row", "item")
)
_MULTIPLES = frozenset(("half", "twice", "double", "triple", "thrice", "times"))
_PARTS = _MULTIPLES | {"none", "third", "quarter", "most", "some", "any", "few", "many", "several", "each", "part"}
_BOUNDS = frozenset(("over", "above", "under", "below", "exceeding", "beyond", "least", ">", "<", ">=", "≥"))
_OR_HIGHER = frozenset(("more", "over", "above", "higher", "greater", "up"))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at tokens [first, last]. `unit` is canonical; None: the answer names none."""

    number: Decimal
    unit: str | None
    first: int
    last: int

    @property
    def value(self) -> tuple[Decimal, bool]:
        """What makes two quantities the same: 20 and 20% differ, 12 and 12 flags don't."""
        return self.number, self.unit == PERCENT


def judge_number(gold: NumberGold, answer: str, competing: Sequence[str] = ()) -> Verdict:
    """1.0 where the answer states one number, within the tolerance of the gold's and not of another unit; else 0.0.

    `competing`: the question's superseded values and distractors.
    """
    reading = Reading(answer)
    unit = canonical(_unit_words(gold.unit)) if gold.unit is not None else None
    found = list(quantities(reading.tokens, unit))
    if unit is not None and any(quantity.unit == unit for quantity in found):
        found = [quantity for quantity in found if quantity.unit == unit]
    equals = [at for at, token in enumerate(reading.tokens) if token.text == "="]
    found = [q for q in found if not _is_part(reading, q) and not _is_operand(reading, q, equals)]
    rivals = {quantity.number for text in competing for quantity in quantities(tokenise(text), unit)}
    left = settled(
        reading,
        found,
        competes=lambda quantity: quantity.number in rivals,
        counts=lambda quantity: quantity.unit is not None and canonical((quantity.unit,), known=True) is None,
    )
    if not left:
        return Verdict(0.0, "no number stated")
    if len(left) > 1:
        return Verdict(0.0, "several numbers stated")
    stated = left[0]
    if _is_bound(reading, stated):
        return Verdict(0.0, "a bound")
    if stated.unit != unit and (stated.unit == PERCENT if unit is None else stated.unit is not None):
        return Verdict(0.0, f"unit {stated.unit}")
    distance = abs(stated.number - Decimal(repr(gold.value)))
    if distance <= Decimal(repr(gold.tolerance)):
        return Verdict(1.0, "equal" if distance == 0 else "within tolerance")
    return Verdict(0.0, f"states {stated.number:f}")


def _before(reading: Reading, quantity: Quantity) -> list[str]:
    """The two words before the quantity, the nearest first, articles left out."""
    before = [token.text for token in reading.before(quantity.first, 4) if token.text not in ("the", "all", "our")]
    return [*before, "", ""][:2]


def _is_part(reading: Reading, quantity: Quantity) -> bool:
    """Whether the quantity is a label or what a part or multiple is taken of."""
    nearest, second = _before(reading, quantity)
    return nearest in _LABELS | _MULTIPLES or (nearest == "of" and second in _PARTS)


def _is_operand(reading: Reading, quantity: Quantity, equals: Sequence[int]) -> bool:
    """Whether a sign of equality, whose places are `equals`, comes after the quantity in its sentence."""
    index = bisect_right(equals, quantity.first)
    clause = reading.clause_of(quantity.first)
    sign = reading.clause_of(equals[index]) if index < len(equals) else None
    return clause is not None and sign is not None and clause.sentence == sign.sentence


def _is_bound(reading: Reading, quantity: Quantity) -> bool:
    """Whether the quantity only bounds the number, and doesn't include it from above."""
    if _before(reading, quantity)[0] in _BOUNDS and not _is_inclusive(reading, quantity.first):
        return True
    clause = reading.clause_at(quantity.last)
    if clause is None or clause + 1 == len(reading.clauses) or reading.tokens[reading.clauses[clause].end].text != "or":
        return False
    following = reading.clauses[clause + 1]
    return reading.words(following.start, following.end)[0].text in _OR_HIGHER


def _is_inclusive(reading: Reading, at: int) -> bool:
    """Whether the bound before token `at` is "at or under" or "at or below"."""
    clause = reading.clause_of(at)
    if clause is None or clause.start == 0 or reading.tokens[clause.start - 1].text != "or":
        return False
    return [token.text for token in reading.before(clause.start - 1, 1)] == ["at"]


def _unit_words(unit: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokenise(unit) if not token.mark) or (unit,)


def quantities(tokens: Sequence[Token], unit: str | None = None) -> Iterator[Quantity]:
    """The quantities among `tokens`, in order; `unit`: one to know besides the usual ones.

    Parts of dates, the pronoun `one` and the whole in "3 of 12" are left out where there are other numbers.
    """
    places = [at for at, token in enumerate(tokens) if not token.mark]
    found: list[tuple[Quantity, bool]] = []
    spot, after = 0, -1
    while spot < len(places):
        read = _digits(tokens, places, spot) or _spelt(tokens, places, spot)
        if read is None:
            spot += 1
            continue
        number, own_unit, last = read
        before = tokens[places[spot - 1]].text if spot else ""
        named, end = _unit_after(tokens, places, last, unit) if own_unit is None else (canonical((own_unit,)), last)
        if before in CURRENCIES:
            named, end = canonical((before,)), last
        if own_unit is None or named == unit or canonical((own_unit,), known=True) is not None:
            quantity = Quantity(-number if before in _APART else number, named, places[spot], places[end])
            incidental = (
                _in_date(tokens, places, spot, last)
                or (spot == last and _is_pronoun(tokens, places, spot))
                or _is_whole([tokens[places[at]].text for at in range(after + 1, spot)], after)
            )
            found.append((quantity, incidental))
        after = end
        spot = last + 1
    certain = [quantity for quantity, incidental in found if not incidental]
    yield from certain or (quantity for quantity, _ in found)


def _is_pronoun(tokens: Sequence[Token], places: Sequence[int], spot: int) -> bool:
    if tokens[places[spot]].text != "one":
        return False
    before = tokens[places[spot - 1]].text if spot else ""
    following = tokens[places[spot + 1]].text if spot + 1 < len(places) else ""
    return before in DETERMINERS or following in RELATIVES


def _is_whole(between: Sequence[str], after: int) -> bool:
    """Whether nothing but `of`, or `out of the`, lies between this number and the one before."""
    return after >= 0 and "of" in between and all(word in ("out", "of", "the", "all", "our") for word in between)


Read = tuple[Decimal, str | None, int]
"""Number, unit written in one with it, index into `places` of its last word."""


def _digits(tokens: Sequence[Token], places: Sequence[int], spot: int) -> Read | None:
    token = tokens[places[spot]]
    match = _NUMBER.fullmatch(token.text) if len(token.text) <= _LONGEST else None
    if match is None or match["suffix"] in _ORDINALS:
        return _fraction(token, spot)
    number = _value(match["digits"], match["exponent"])
    if number is None:
        return None
    last = spot
    plain = not match["exponent"] and not match["suffix"] and match["digits"].isdigit() and len(match["digits"]) <= 3
    while plain and _adjacent(places, last) and len(group := tokens[places[last + 1]].text) == 3 and group.isdigit():
        number = number * 1000 + int(group)
        last += 1
    if _adjacent(places, last) and (part := _fraction(tokens[places[last + 1]], last + 1)) is not None:
        number, last = number + part[0], last + 1
    if "-" in (match["sign"], match["inner"]):
        number = -number
    suffix = token.raw[len(token.raw) - len(match["suffix"]) :] if match["suffix"] else ""
    if suffix in _SUFFIX_SCALES:
        number, suffix = number * _SUFFIX_SCALES[suffix], ""
    elif _adjacent(places, last) and tokens[places[last + 1]].text in SCALES and not suffix:
        number, last = number * SCALES[tokens[places[last + 1]].text], last + 1
    return number, (match["currency"] or suffix.lower() or None), last


def _fraction(token: Token, spot: int) -> Read | None:
    """A vulgar fraction, which arrives as `1⁄2`."""
    match = _FRACTION.fullmatch(token.text)
    if match is None or not int(match[2]):
        return None
    return Decimal(int(match[1])) / int(match[2]), None, spot


def _adjacent(places: Sequence[int], spot: int) -> bool:
    return spot + 1 < len(places) and places[spot + 1] == places[spot] + 1


def _value(digits: str, exponent: str) -> Decimal | None:
    """The number that digits with separators mean, None where they are no one number (`1.2.3`, `1,2,3`)."""
    digits = digits.replace("_", "'")
    separators = [char for char in digits if not char.isdigit()]
    groups = re.split(r"[.,']", digits)
    kinds = list(dict.fromkeys(separators))
    point = ""
    if len(kinds) == 2 and separators.count(kinds[1]) == 1 and kinds[1] != "'":
        point, thousands = kinds[1], groups[:-1]
    elif len(kinds) == 1 and len(separators) == 1 and (kinds[0] == "." or (kinds[0] == "," and not _grouped(groups))):
        point, thousands = kinds[0], groups[:1]
    elif len(kinds) <= 1:
        thousands = groups
    else:
        return None
    if len(thousands) > 1 and not _grouped(thousands):
        return None
    return Decimal("".join(thousands) + (f".{groups[-1]}" if point else "") + exponent)


def _grouped(groups: Sequence[str]) -> bool:
    return 1 <= len(groups[0]) <= 3 and groups[0] != "0" and all(len(group) == 3 for group in groups[1:])


def _spelt(tokens: Sequence[Token], places: Sequence[int], spot: int) -> Read | None:
    """A number in words: `twenty-one`, `one hundred and five`, `two thousand`, `a dozen`."""
    total, group, at, read, rank = 0, 0, spot, False, 100
    while at < len(places) and (at == spot or _adjacent(places, at - 1)):
        word = tokens[places[at]].text
        parts = word.split("-") if len(word) <= _LONGEST else [word]
        if word == "and" and read and rank > 10 and _adjacent(places, at) and _is_small(tokens[places[at + 1]].text):
            at += 1
            continue
        if all(part in NUMBER_WORDS for part in parts):
            amount = sum(NUMBER_WORDS[part] for part in parts)
            size = 10 if amount >= 10 and amount % 10 == 0 and amount > 10 else 1
            if size >= rank or (amount >= 10 and rank <= 10):
                break
            group, rank = group + amount, size
        elif word in SCALES and (read or word in ("hundred", "thousand", "dozen")):
            scale = SCALES[word]
            group = max(group, 1) * scale
            if scale > 100:
                total, group = total + group, 0
            rank = 100
        else:
            break
        at, read = at + 1, True
    return (Decimal(total + group), None, at - 1) if read else None


def _is_small(word: str) -> bool:
    return all(part in NUMBER_WORDS for part in word.split("-")) if len(word) <= _LONGEST else False


def _unit_after(tokens: Sequence[Token], places: Sequence[int], last: int, unit: str | None) -> tuple[str | None, int]:
    """The unit in the up to three words right after, and the index of its last word: the longest that is known or is
    `unit`, else the one next word unless that is one of grammar."""
    following: list[str] = []
    at = last
    while len(following) < 3 and _adjacent(places, at):
        token = tokens[places[at + 1]]
        if is_verb(token) or token.text in _NO_UNITS or _opens_number(token):
            break
        following.append(token.text)
        at += 1
    for length in range(len(following), 0, -1):
        named = canonical(tuple(following[:length]))
        if named == unit or canonical(tuple(following[:length]), known=True) is not None:
            return named, last + length
    return (canonical((following[0],)), last + 1) if following else (None, last)


def _opens_number(token: Token) -> bool:
    return token.text[0].isdigit() or token.text.partition("-")[0] in NUMBER_WORDS


def _in_date(tokens: Sequence[Token], places: Sequence[int], spot: int, last: int) -> bool:
    """Whether a month's name stands beside the number, or a day and month before it (a year)."""
    around = [tokens[places[at]] for at in (spot - 2, spot - 1, last + 1) if 0 <= at < len(places)]
    return any(token.text in MONTHS and (token.text != "may" or token.is_name) for token in around)
