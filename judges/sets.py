"""Sets: partial credit in proportion, for an answer that lists parts in any order.

score = found / (parts + extra)

`found` counts the parts of which the answer states a spelling (with `@` before it, too), not denied, asked or hedged;
stating one twice counts once. `extra` counts the other items that it lists: bare clauses ("Kim" in "Dana, Priya and
Kim"), stated values from the question's superseded values and distractors that aren't put in the past, and "all
others". So three of four right are 0.75, four right and one wrong 0.8, and a list of everything earns little.

Parts joined by a comma, `and` or `or` are one group: what denies or offers one ("Ana and Ben aren't involved", "Ana or
Ben") does so to all. An answer that opens with nobody or with everybody ("None: ...", "Every brand: ...", "Everything
but ...") states no part. What stands in brackets is explanation, not an item, and so is what follows a part and a colon
or dash ("SIZE-12: sizing model"), and a sentence with a verb after a bare list, unless it adds to the list ("Kim too").
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from envs.answers import SetGold
from envs.protocol import Verdict
from judges.standing import denied, doubtful, overtaken, past
from judges.statement import Clause, Reading, is_verb
from judges.text import Reach, Span, contest
from judges.tokens import Token, normal
from judges.words import ADDITIONS, EXEMPTIONS, FUNCTION_WORDS, HEDGES, NEGATIONS, OTHERS, QUANTIFIERS, SEQUENCERS


@dataclass(frozen=True, slots=True)
class _Group:
    """Clauses [first, last) joined by commas and words. `states`: neither denied nor offered as alternatives, and no
    explanation. `rest`: it names all others."""

    first: int
    last: int
    states: bool
    rest: bool


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


def listing(parts: Sequence[Sequence[str]], answer: str, competing: Sequence[str], *, ordered: bool = False) -> Listing:
    """Where `answer` lists `parts`, each with its spellings, and how much besides. `competing`: as for `judge_set`.

    `ordered`: an arrow leads from one item to the next, not from an older value to the one that holds.
    """
    reading = Reading(answer)
    forms = [tuple(form for spelling in part for form in _forms(spelling)) for part in parts]
    rivals = [form for form in map(normal, competing) if not any(form in part for part in forms)]
    spans, wrong = contest(reading, [form for part in forms for form in part], rivals)
    if spans and (doubtful(reading, spans[0][0]) or _quantifies(reading)):
        return Listing((None,) * len(parts), 0)
    longest = _longest(spans)
    groups = _groups(reading, longest, wrong)
    hedged = _hedged(reading, longest)
    said = {reading.normal: 0}
    for span in longest:
        if _is_listed(reading, span, groups, hedged, ordered=ordered):
            said.setdefault(_form(reading, span), span[0])
    places = tuple(min((said[form] for form in part if form in said), default=None) for part in forms)
    return Listing(places, _extra(reading, longest, wrong, groups))


def _forms(spelling: str) -> list[tuple[str, ...]]:
    form = normal(spelling)
    return [form] if form[0].startswith("@") else [form, (f"@{form[0]}", *form[1:])]


def _longest(spans: Sequence[Span]) -> list[Span]:
    """Without those inside another: `main` isn't a part of its own where `main branch` is one that is said."""
    around = Reach(spans)
    return [(first, last) for first, last in spans if not around.contains(first, last)]


def _form(reading: Reading, span: Span) -> tuple[str, ...]:
    words = [token.text for token in reading.words(span[0], span[1] + 1)]
    return tuple(word for word in words if word != "the") or tuple(words)


def _quantifies(reading: Reading) -> bool:
    """Whether the answer opens with nobody or everybody: "None", "No brand", "Every brand", "All but"."""
    clause = reading.clauses[0]
    words = [token.text for token in reading.words(clause.start, clause.end)]
    if words[0] == "no":
        return len(words) > 1
    return words[0] in QUANTIFIERS or (words[0] == "all" and reading.tokens[clause.end].text == "but")


def _groups(reading: Reading, right: Sequence[Span], wrong: Sequence[Span]) -> list[_Group]:
    """The groups of the answer's clauses, in order."""
    starts = [at for at in range(len(reading.clauses)) if at == 0 or not _joins(reading, at)]
    parts, named = Reach(right), Reach([*right, *wrong])
    refuted = sorted(first for first, last in [*right, *wrong] if _is_refuted(reading, first, last))
    groups: list[_Group] = []
    listed: int | None = None
    for first, last in pairwise([*starts, len(reading.clauses)]):
        clauses = reading.clauses[first:last]
        start, end, sentence = clauses[0].start, clauses[-1].end, clauses[0].sentence
        words = reading.words(start, end)
        says = any(map(is_verb, words))
        explains = says and listed is not None and sentence > listed and not any(w.text in ADDITIONS for w in words)
        offers = any(
            reading.tokens[clause.start - 1].text == "or" and named.touches(before.start, clause.end - 1)
            for before, clause in pairwise(clauses)
        )
        denies = bisect_left(refuted, start) < bisect_left(refuted, end)
        rest = any(_names_rest(reading, clause) for clause in clauses)
        told = listed is not None and sentence > listed and reading.sentences[sentence].says
        groups.append(_Group(first, last, not (explains or offers or denies), rest and not told))
        if listed is None and not says and parts.touches(start, end - 1):
            listed = sentence
    return groups


def _joins(reading: Reading, at: int) -> bool:
    """Whether clause `at` goes on with the group of the one before: only commas and joining words lie between, it opens
    with no negation, and no more than one of the two has a verb."""
    before, clause = reading.clauses[at - 1], reading.clauses[at]
    between = reading.tokens[before.end : clause.start]
    if any(token.text == "but" or (token.mark and token.raw not in ',"') for token in between):
        return False
    words = reading.words(clause.start, clause.end)
    if words[0].text in NEGATIONS - {"nor"}:
        return False
    return not (any(map(is_verb, words)) and any(map(is_verb, reading.words(before.start, before.end))))


def _is_refuted(reading: Reading, first: int, last: int) -> bool:
    """Whether the item is denied, or its clause says that nothing is the matter with it: "Kim is fine"."""
    return denied(reading, first, last) or any(token.text in EXEMPTIONS for token in reading.ahead(last, 3))


def _names_rest(reading: Reading, clause: Clause) -> bool:
    words = [token.text for token in reading.words(clause.start, clause.end)]
    return not clause.aside and not clause.heads and all(word in OTHERS for word in words)


def _group_of(reading: Reading, at: int, groups: Sequence[_Group]) -> _Group | None:
    index = reading.clause_at(at)
    if index is None:
        return None
    return groups[bisect_right(groups, index, key=lambda group: group.first) - 1]


def _is_listed(reading: Reading, span: Span, groups: Sequence[_Group], hedged: Set[int], *, ordered: bool) -> bool:
    """Whether the part stands alone as an item or in a sentence, and the answer stands by it."""
    clause, group = reading.clause_of(span[0]), _group_of(reading, span[0], groups)
    if clause is None or group is None or not group.states:
        return False
    beside = reading.beside(span[1], 1)
    leads_on = ordered and beside is not None and beside.raw == "→"
    if not leads_on and overtaken(reading, *span):
        return False
    if reading.sentences[clause.sentence].asks or clause.sentence in hedged:
        return False
    return _is_edge(reading.beside(span[0], -1)) and (
        _is_edge(reading.beside(span[1], 1)) or _is_qualified(reading, span)
    )


def _hedged(reading: Reading, parts: Sequence[Span]) -> set[int]:
    """The sentences that hedge; a hedging word that belongs to a part's name ("Option A") is none."""
    own: Counter[int] = Counter()
    for first, last in parts:
        clause = reading.clause_of(first)
        if clause is not None:
            own[clause.sentence] += sum(token.text in HEDGES for token in reading.words(first, last + 1))
    return {number for number, sentence in reading.sentences.items() if sentence.hedges > own[number]}


def _is_qualified(reading: Reading, span: Span) -> bool:
    """Whether a name is followed by one lower-case word and then stands alone: "Skarn boots"."""
    word = reading.tokens[span[1] + 1]
    if not reading.tokens[span[0]].is_name or not (word.raw.isalpha() and word.raw.islower()):
        return False
    return _is_edge(reading.beside(span[1] + 1, 1))


_EDGES = FUNCTION_WORDS | SEQUENCERS | {"&", "+", "/"}


def _is_edge(token: Token | None) -> bool:
    return token is None or token.mark or token.text in _EDGES or is_verb(token)


def _extra(reading: Reading, right: Sequence[Span], wrong: Sequence[Span], groups: Sequence[_Group]) -> int:
    """How many different items are listed that are no part."""
    parts, known = Reach(right), Reach(wrong)
    items: set[tuple[str, ...]] = set()
    for span in wrong:
        clause, group = reading.clause_of(span[0]), _group_of(reading, span[0], groups)
        if clause is None or group is None or clause.aside or not group.states:
            continue
        if not past(reading, *span):
            items.add(_form(reading, span))
    for group in groups:
        if group.rest:
            items.add(())
        for index in range(group.first, group.last) if group.states else ():
            clause = reading.clauses[index]
            label = reading.clauses[clause.label] if clause.label >= 0 else None
            explains = label is not None and parts.touches(label.start, label.end)
            taken = parts.touches(clause.start, clause.end - 1) or known.touches(clause.start, clause.end - 1)
            if reading.is_item(index) and not explains and not taken:
                items.add(_form(reading, (clause.start, clause.end - 1)))
    return len(items)
