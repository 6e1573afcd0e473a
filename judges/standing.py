"""What an answer stands by: which of the values that it names it denies, puts in the past, doubts or upholds.

All kinds of gold share these rules, which apply in this order:

1. An answer that says that it doesn't know ("unclear", "I can't tell") states nothing.
2. A value that its own clause denies ("not Tuesday", "Tuesday is wrong", "Tuesday doesn't hold"), that stands in a
   question, that its clause calls older ("moved from Tuesday", "previously Tuesday", "Tuesday -> ...") or hedges
   ("perhaps Tuesday") isn't stated. One told in the past tense ("it was Tuesday") is older only where another value is
   left, or another clause tells what holds now.
3. Where several are still left, those in brackets go; then a clause that concludes ("so it's Wednesday") decides; then
   a clause that tells what holds now overrules the question's superseded values and distractors.
4. Where several are still left and the first is alone in its clause ("12, of which 5 are new"), it decides, unless
   another is alone in its clause too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from itertools import takewhile
from typing import Protocol, TypeVar

from judges.statement import SPLITTERS, Reading
from judges.words import (
    CONCLUSIONS,
    DENIALS,
    DOUBTS,
    FILLERS,
    HEDGES,
    MISSES,
    MOVES,
    NEGATED,
    NEGATIONS,
    OUTDATED,
    OUTDATED_AFTER,
    PAST,
    PAST_AFTER,
    REFUTATIONS,
    SUBORDINATORS,
)

_DOUBTS = re.compile(rf"(?<!\S)(?:{DOUBTS})(?!\S)")
_MISSES = re.compile(rf"(?<!\S)(?:{MISSES})(?!\S)")


def doubtful(reading: Reading, at: int) -> bool:
    """Whether the answer says that it doesn't know, or before token `at` that it found nothing."""
    words = " ".join(token.text for token in reading.tokens if not token.mark)
    before = " ".join(token.text for token in reading.tokens[:at] if not token.mark)
    return _DOUBTS.search(words) is not None or _MISSES.search(before) is not None


def denied(reading: Reading, first: int, last: int, *, counted: bool = False) -> bool:
    """Whether the value at tokens [first, last] is negated or called wrong before or after it in its clause.

    `counted`: it counts things, and what is negated of these doesn't deny their number ("12 tickets have no owner").
    """
    before = [token.text for token in reading.back(first, 5)]
    if not NEGATIONS.isdisjoint(before[:3]) or not DENIALS.isdisjoint(before):
        return True
    after = [token.text for token in reading.ahead(last, 3)]
    return not REFUTATIONS.isdisjoint(after) or (not counted and negated(after))


def negated(after: Sequence[str]) -> bool:
    """Whether these words after a value negate what is said of it ("does not decide"); "not Tom" doesn't."""
    if after[:1] == ["not"]:
        return False
    return any(word in NEGATED for word in takewhile(lambda word: word not in SUBORDINATORS, after))


def outdated(reading: Reading, first: int, last: int) -> bool:
    """Whether the clause of the value at tokens [first, last] calls it an older one."""
    mark = reading.beside(last, 1)
    if mark is not None and mark.mark and mark.raw == "→":
        return True
    before = [token.text for token in reading.back(first, 8)]
    if not OUTDATED.isdisjoint(before[:4]):
        return True
    if "from" in before[:4] and not MOVES.isdisjoint(before[before.index("from") :]):
        return True
    after = [token.text for token in reading.ahead(last, 5)]
    if not OUTDATED_AFTER.isdisjoint(after[:4]) or "replaced by" in " ".join(after[:4]):
        return True
    return len(after) < 5 and after[-1:] == ["before"]


def past(reading: Reading, first: int, last: int) -> bool:
    """Whether the value at tokens [first, last] is an older one, or told in the past tense."""
    if outdated(reading, first, last) or any(token.text in PAST for token in reading.back(first, 4)):
        return True
    after = [token.text for token in reading.ahead(last, 4)]
    return "first" in after or not PAST_AFTER.isdisjoint(after[:1])


def overtaken(reading: Reading, first: int, last: int) -> bool:
    """Whether the value is an older one even where no other is named: "It was Tuesday, now it's open"."""
    if outdated(reading, first, last):
        return True
    elsewhere = len(reading.current) - tells_now(reading, first)
    return elsewhere > 0 and past(reading, first, last)


def tells_now(reading: Reading, at: int) -> bool:
    """Whether the clause of token `at` tells what holds now."""
    return reading.clause_at(at) in reading.current


def concludes(reading: Reading, at: int) -> bool:
    """Whether the clause of token `at` opens as a conclusion does."""
    clause = reading.clause_of(at)
    return clause is not None and reading.words(clause.start, clause.end)[0].text in CONCLUSIONS


def _hedged(reading: Reading, at: int) -> bool:
    """Whether the clause of token `at` hedges, or the one after it in its sentence opens so ("Tuesday, perhaps")."""
    index = reading.clause_at(at)
    if index is None:
        return False
    clause = reading.clauses[index]
    following = reading.clauses[index + 1 : index + 2]
    opening = [reading.words(c.start, c.end)[0] for c in following if c.sentence == clause.sentence and not c.aside]
    return any(token.text in HEDGES for token in [*reading.words(clause.start, clause.end), *opening])


class Mention(Protocol):
    """A value found at tokens [first, last] of a reading. `value` is what makes two mentions the same."""

    @property
    def value(self) -> Hashable: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


M = TypeVar("M", bound=Mention)


def settled(
    reading: Reading,
    mentions: Sequence[M],
    competes: Callable[[M], bool],
    counts: Callable[[M], bool] = lambda mention: False,
) -> list[M]:
    """The mentions that the answer stands by, one of each value. One left: that is its value.

    `competes`: whether a mention's value is a superseded one or a distractor of the question. `counts`: whether it is
    a number of things.
    """
    if mentions and doubtful(reading, min(mention.first for mention in mentions)):
        return []
    upheld = [m for m in mentions if _upheld(reading, m, counted=counts(m))]
    if len(_distinct(upheld)) > 1:
        upheld = [m for m in upheld if not past(reading, m.first, m.last)]
    upheld = [m for m in upheld if not _bracketed(reading, m)] or upheld
    left = _distinct(upheld)
    for decides in (concludes, tells_now):
        telling = _distinct([m for m in upheld if decides(reading, m.first)])
        others = [m for m in left if m.value != telling[0].value] if len(telling) == 1 else []
        if others and (decides is concludes or all(map(competes, others))):
            return telling
    if len(left) < 2:
        return left
    alone = [mention for mention in left if _fills_clause(reading, mention)]
    if len(alone) == 1 and alone[0].first == min(mention.first for mention in mentions):
        return alone
    return left


def _upheld(reading: Reading, mention: Mention, *, counted: bool) -> bool:
    first, last = mention.first, mention.last
    if denied(reading, first, last, counted=counted) or reading.asked(first) or _hedged(reading, first):
        return False
    return not overtaken(reading, first, last)


def _bracketed(reading: Reading, mention: Mention) -> bool:
    """Whether the mention stands in brackets, as an explanation; "(or Tuesday)" is none."""
    clause = reading.clause_of(mention.first)
    return clause is not None and clause.aside and reading.tokens[clause.start - 1].text != "or"


def _distinct(mentions: Sequence[M]) -> list[M]:
    first_of: dict[Hashable, M] = {}
    for mention in mentions:
        first_of.setdefault(mention.value, mention)
    return list(first_of.values())


def _fills_clause(reading: Reading, mention: Mention) -> bool:
    """Whether the clause of the mention has nothing else but words like `about`, and is joined to no other by `and`."""
    own = reading.clause_of(mention.first)
    if own is None or own.aside or reading.tokens[own.end].text in SPLITTERS:
        return False
    outside = [*range(own.start, mention.first), *range(mention.last + 1, own.end)]
    return all(reading.tokens[at].mark or reading.tokens[at].text in FILLERS for at in outside)
