"""Texts: whether an answer states an accepted text, and nothing that competes with it.

The whole answer may be an accepted text (`judges.tokens.normal`), or an answer may state one:

- in a sentence ("It is owned by Dana Whitfield now."), as whole words that stand alone: beside them is a mark, a word
  of grammar or a verb; before a name written with a capital or a digit any lower-case word will do ("tagged v2.3.1").
  So `Redis` isn't stated by "It runs on Redis Cluster". "Dana's call" says `Dana`, "Dana's manager" doesn't;
- in a phrase without a verb ("On Wednesday, since the freeze"), as a whole clause.

What the answer says first counts: the text stands in the first clause after introductions ("As of 2 May", "Not Tom"),
or in a later one only where that concludes or tells what holds now ("so it's Dana", "now Dana") or is no more than
"that is Dana". So "Ros decides. Dana is told." doesn't say `Dana`.

Then more information doesn't matter, except: a denied, past or hedged text isn't stated; an answer that also states a
superseded value or a distractor of the question, neither denied nor put in the past, doesn't match, unless the text
alone is told as what holds now; nor does one that lists the text among other bare items ("Dana, Priya", "It is Dana or
Priya").
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from envs.answers import TextGold
from envs.protocol import Verdict
from judges.standing import concludes, denied, doubtful, overtaken, past, tells_now
from judges.statement import Clause, Reading, is_verb
from judges.tokens import Token, is_article, normal, occurrences
from judges.words import (
    CONTINUATIONS,
    DENIALS,
    FUNCTION_WORDS,
    HEDGES,
    INTRODUCTIONS,
    POINTERS,
    POSSESSED,
    PREPOSITIONS,
    REPORTS,
    ROLES,
    VERBS,
)

Span = tuple[int, int]
_ADVERBS = frozenset(("now", "currently"))
_OF_LEADS = frozenset(("because", "favour", "favor"))


def judge_text(gold: TextGold, answer: str, competing: Sequence[str] = ()) -> Verdict:
    """1.0 or 0.0. `competing`: the question's superseded values and distractors."""
    accepted = [normal(text) for text in gold.accepted]
    reading = Reading(answer)
    if reading.normal in accepted or (reading.text != answer and normal(answer) in accepted):
        return Verdict(1.0, "equal")
    rivals = [form for form in map(normal, competing) if form not in accepted]
    right, wrong = contest(reading, accepted, rivals)
    if right and doubtful(reading, right[0][0]):
        return Verdict(0.0, "doubtful")
    lead = _lead(reading, Reach([*right, *wrong]))
    stated = [span for span in right if states(reading, span) and _asserts(reading, span, lead)]
    if not stated:
        return Verdict(0.0, "not stated")
    current = any(tells_now(reading, first) for first, _ in stated)
    for first, last in wrong:
        older = denied(reading, first, last) or past(reading, first, last) or _reports(reading, (first, last), stated)
        if not older and not (current and not tells_now(reading, first)):
            return Verdict(0.0, f"states {spelled(reading, (first, last))!r} too")
    items = _Items(reading, right)
    if all(items.list_with(span) for span in stated):
        return Verdict(0.0, "one of several listed")
    return Verdict(1.0, "stated")


def contest(
    reading: Reading, accepted: Sequence[tuple[str, ...]], rivals: Sequence[tuple[str, ...]]
) -> tuple[list[Span], list[Span]]:
    """Where accepted forms and where rivals occur. An accepted one inside a longer rival is dropped, and then every
    rival that overlaps an accepted one."""
    wrong = _found(reading, rivals)
    around = Reach(wrong)
    right = [(first, last) for first, last in _found(reading, accepted) if not around.contains(first, last)]
    taken = Reach(right)
    return right, [(first, last) for first, last in wrong if not taken.touches(first, last)]


class Reach:
    """How far spans reach, to ask in logarithmic time whether one of them contains or touches another."""

    def __init__(self, spans: Sequence[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [first for first, _ in ordered]
        self._ends = list(accumulate((last for _, last in ordered), max))

    def _end(self, start: int) -> int:
        """The furthest end among the spans that start at or before `start`, -1 without any."""
        index = bisect_right(self._starts, start)
        return self._ends[index - 1] if index else -1

    def contains(self, first: int, last: int) -> bool:
        """Whether a span of these holds all of [first, last] and more."""
        return self._end(first) > last or self._end(first - 1) >= last

    def touches(self, first: int, last: int) -> bool:
        """Whether a span of these shares a token with [first, last]."""
        return self._end(last) >= first


def spelled(reading: Reading, span: Span) -> str:
    """The words of `span` as the answer writes them."""
    return " ".join(token.raw for token in reading.words(span[0], span[1] + 1))


def _found(reading: Reading, forms: Sequence[tuple[str, ...]]) -> list[Span]:
    """Where the forms occur, as they are or as the owner of what was asked for ("Dana's", "Dana's call")."""
    found = {span for form in forms for span in occurrences(reading.tokens, form)}
    owners = {span for form in forms for span in occurrences(reading.tokens, (*form[:-1], f"{form[-1]}'s"))}
    return sorted(found | {span for span in owners if _owns(reading.beside(span[1], 1))})


def _owns(token: Token | None) -> bool:
    return _is_edge(token) or (token is not None and token.text in POSSESSED)


def states(reading: Reading, span: Span) -> bool:
    """Whether the answer says the text at `span`, rather than denies, asks, supposes or merely contains it."""
    clause = reading.clause_of(span[0])
    if clause is None or clause.heads or denied(reading, *span) or overtaken(reading, *span):
        return False
    if _alternative(reading, span):
        return False
    sentence = reading.sentences[clause.sentence]
    label = reading.clauses[clause.label] if clause.label >= 0 else None
    heading = reading.words(label.start, label.end) if label else []
    own = sum(token.text in HEDGES for token in reading.words(span[0], span[1] + 1))
    if sentence.asks or sentence.hedges > own or any(token.text in HEDGES | DENIALS for token in heading):
        return False
    owner = reading.tokens[span[1]].text.endswith("'s")
    if sentence.says or owner:
        return _ends_before(reading, span) and (owner or _is_edge(reading.beside(span[1], 1)))
    return _is_phrase(reading, clause, span)


def _asserts(reading: Reading, span: Span, lead: int) -> bool:
    """Whether the answer says the text first, or in a later clause that takes up what was asked.

    `lead`: the first clause that says something.
    """
    own = bisect_right(reading.starts, span[0]) - 1
    if own <= lead or concludes(reading, span[0]) or tells_now(reading, span[0]):
        return True
    before = [token.text for token in reading.words(reading.clauses[own].start, span[0])]
    return bool(before) and all(word in POINTERS for word in before)


def _lead(reading: Reading, known: Reach) -> int:
    """The index of the first clause that is no introduction; `known`: where the texts and their rivals are."""
    introduced = False
    for index in range(len(reading.clauses)):
        introduced = _introduces(reading, index, known, introduced)
        if not introduced:
            return index
    return len(reading.clauses)


def _reports(reading: Reading, span: Span, stated: Sequence[Span]) -> bool:
    """Whether the rival at `span` is who reported or handed over, in a clause that doesn't state the text."""
    after = reading.beside(span[1], 1)
    own = reading.clause_at(span[0])
    return after is not None and after.text in REPORTS and all(reading.clause_at(first) != own for first, _ in stated)


def _introduces(reading: Reading, index: int, known: Reach, joined: bool) -> bool:
    """Whether clause `index` says nothing of its own: a label, a question, brackets, "As of today", "Not Tom".

    A clause that holds the text or a rival is one too, for these are judged themselves; so is one that `and` joins to
    an introduction (`joined`), and what an arrow leads away from.
    """
    clause = reading.clauses[index]
    if clause.heads or clause.aside or reading.sentences[clause.sentence].asks:
        return True
    if known.touches(clause.start, clause.end - 1):
        return True
    if reading.tokens[clause.end].raw == "→" or reading.words(clause.start, clause.end)[0].text in INTRODUCTIONS:
        return True
    return joined and reading.tokens[clause.start - 1].text == "and"


def _alternative(reading: Reading, span: Span) -> bool:
    return any(
        token is not None and token.text == "or" for token in (reading.beside(span[0], -1), reading.beside(span[1], 1))
    )


def _ends_before(reading: Reading, span: Span) -> bool:
    before = reading.beside(span[0], -1)
    if before is None or before.mark or before.text in FUNCTION_WORDS or before.text in VERBS:
        return True
    if before.text == "of":
        lead = reading.beside(span[0] - 1, -1)
        return lead is not None and lead.text in _OF_LEADS
    return reading.tokens[span[0]].is_name and before.raw.isalpha() and before.raw.islower()


def _is_edge(token: Token | None) -> bool:
    return token is None or token.mark or token.text in FUNCTION_WORDS or is_verb(token)


def _is_phrase(reading: Reading, clause: Clause, span: Span) -> bool:
    """Whether the text is the whole of its clause but for a preposition, and what goes on with "since" or "not"."""
    before = reading.words(clause.start, span[0])
    after = reading.words(span[1] + 1, reading.clauses[_clauses(reading, span)[-1]].end)
    opens = PREPOSITIONS if reading.tokens[span[0]].is_name else PREPOSITIONS | {"in"}
    if before and (before[-1].text == "the" or is_article(before[-1].text, reading.tokens[span[0]].text)):
        before = before[:-1]
    if len(before) > 1 or (before and before[0].text not in opens | _ADVERBS):
        return False
    return not after or after[0].text in CONTINUATIONS


def _clauses(reading: Reading, span: Span) -> range:
    """The indexes of the clauses that the words of `span` lie in: `7 May, 2025` lies in two."""
    first, last = (bisect_right(reading.starts, at) - 1 for at in span)
    return range(max(first, 0), last + 1)


class _Items:
    """The bare items of a reading that hold no accepted text, and whether such an item stands in a list with one."""

    def __init__(self, reading: Reading, right: Sequence[Span]) -> None:
        self._reading = reading
        self._held = {index for span in right for index in _clauses(reading, span)}
        clauses = [reading.clauses[index] for index in range(len(reading.clauses)) if self._is_other(index)]
        self._labels = {clause.label for clause in clauses}
        self._places = {(clause.label, clause.sentence) for clause in clauses}

    def _is_other(self, index: int) -> bool:
        clause = self._reading.clauses[index]
        if index in self._held or not self._reading.is_item(index):
            return False
        return self._reading.words(clause.start, clause.end)[-1].text not in ROLES

    def list_with(self, span: Span) -> bool:
        """In a sentence: an item joined by and, or; or two of them joined by commas. In a phrase: any item of the
        sentence, or of the answer where the text's clause is an item itself."""
        reading = self._reading
        own = _clauses(reading, span)
        first, last = reading.clauses[own[0]], reading.clauses[own[-1]]
        if reading.sentences[first.sentence].says:
            opens = not reading.words(first.start, span[0])
            closes = not reading.words(span[1] + 1, last.end)
            if (closes and self._chain(own[-1], 1)) or (opens and self._chain(own[0], -1)):
                return True
            before = own[0] - 1
            whole = opens and closes and before >= 0 and before not in self._held
            return whole and reading.clauses[before].sentence == first.sentence and self._joint(own[0])
        if (first.label, first.sentence) in self._places:
            return True
        return first.label in self._labels and all(reading.is_bare(reading.clauses[index]) for index in own)

    def _chain(self, index: int, step: int) -> bool:
        """Whether the items that follow on (or come before) are joined by a word or at least two."""
        reading, sentence = self._reading, self._reading.clauses[index].sentence
        length = 0
        at = index + step
        while 0 <= at < len(reading.clauses) and reading.clauses[at].sentence == sentence and self._is_other(at):
            length += 1
            if length > 1 or self._joint(at if step > 0 else at + 1):
                return True
            at += step
        return False

    def _joint(self, index: int) -> bool:
        """Whether clause `index` is joined to the one before by `and` or `or`."""
        start = self._reading.clauses[index].start
        return start > 0 and self._reading.tokens[start - 1].text in ("and", "or")
