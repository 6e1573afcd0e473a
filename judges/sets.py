"""Sets: partial credit in proportion, for an answer that lists parts in any order.

score = found / (parts + extra)

`found` counts the parts of which the answer states a spelling, not denied, asked or hedged; stating one twice counts
once. `extra` counts the other items that it lists: bare clauses ("Kim" in "Dana, Priya and Kim") and stated values from
the question's superseded values and distractors that aren't put in the past. What has grammar or stands in brackets is
explanation, not an item, and so is what follows a part and a colon or dash ("SIZE-12: sizing model"). So three of four
right are 0.75, four right and one wrong 0.8, and a list of everything earns little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.answers import SetGold
from envs.protocol import Verdict
from judges.statement import Reading, is_verb
from judges.text import Reach, Span, contest
from judges.tokens import Token, normal
from judges.words import FUNCTION_WORDS, HEDGES, SEQUENCERS


def judge_set(gold: SetGold, answer: str, competing: Sequence[str] = ()) -> Verdict:
    """found / (parts + extra). `competing`: the question's superseded values and distractors."""
    found = listing(gold.parts, answer, competing)
    count = sum(place is not None for place in found.places)
    total = len(gold.parts)
    return Verdict(count / (total + found.extra), f"{count} of {total} parts, {found.extra} extra")


@dataclass(frozen=True, slots=True)
class Listing:
    """`places`: for each part the token at which the answer first lists it, None where it doesn't.

    `extra`: how many other items it lists.
    """

    places: tuple[int | None, ...]
    extra: int


def listing(parts: Sequence[Sequence[str]], answer: str, competing: Sequence[str]) -> Listing:
    """Where `answer` lists `parts`, each with its spellings, and how much besides. `competing`: as for `judge_set`."""
    reading = Reading(answer)
    forms = [tuple(normal(spelling) for spelling in part) for part in parts]
    rivals = [form for form in map(normal, competing) if not any(form in part for part in forms)]
    spans, wrong = contest(reading, [form for part in forms for form in part], rivals)
    longest = _longest(spans)
    said = {reading.normal: 0}
    for span in longest:
        if _is_listed(reading, span):
            said.setdefault(_form(reading, span), span[0])
    places = tuple(min((said[form] for form in part if form in said), default=None) for part in forms)
    return Listing(places, _extra(reading, longest, wrong))


def _longest(spans: Sequence[Span]) -> list[Span]:
    """Without those inside another: `main` isn't a part of its own where `main branch` is one that is said."""
    around = Reach(spans)
    return [(first, last) for first, last in spans if not around.contains(first, last)]


def _form(reading: Reading, span: Span) -> tuple[str, ...]:
    words = [token.text for token in reading.words(span[0], span[1] + 1)]
    return tuple(word for word in words if word != "the") or tuple(words)


def _is_listed(reading: Reading, span: Span) -> bool:
    """Whether the part stands alone as an item or in a sentence, and the answer stands by it."""
    clause = reading.clause_of(span[0])
    if clause is None or reading.denied(*span):
        return False
    sentence = reading.sentences[clause.sentence]
    own = sum(token.text in HEDGES for token in reading.words(span[0], span[1] + 1))
    if sentence.asks or sentence.hedges > own:
        return False
    return _is_edge(reading.beside(span[0], -1)) and _is_edge(reading.beside(span[1], 1))


def _is_edge(token: Token | None) -> bool:
    return token is None or token.mark or token.text in FUNCTION_WORDS | SEQUENCERS or is_verb(token)


def _extra(reading: Reading, right: Sequence[Span], wrong: Sequence[Span]) -> int:
    """How many different items are listed that are no part."""
    parts = Reach(right)
    rivals = {
        (first, last) for first, last in wrong if not reading.denied(first, last) and not reading.past(first, last)
    }
    known = Reach(wrong)
    items = {_form(reading, span) for span in rivals}
    for index, clause in enumerate(reading.clauses):
        end = clause.end - 1
        label = reading.clauses[clause.label] if clause.label >= 0 else None
        explains = label is not None and parts.touches(label.start, label.end)
        taken = parts.touches(clause.start, end) or known.touches(clause.start, end)
        if reading.is_item(index) and not explains and not taken:
            items.add(_form(reading, (clause.start, end)))
    return len(items)
