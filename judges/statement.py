"""The part of an answer that is judged, with its clauses and sentences. All kinds of gold share this.

The stated part is what the last `\\boxed{...}` or `<answer>...</answer>` holds; else the rest of the last line that
begins with `Answer:` or `Final answer:` (where nothing follows on that line, the paragraph below); else the whole
answer. Lines that begin with `Source:`, `Evidence:`, `Reference:`, `Reasoning:`, `Note:` or `Confidence:` (or their
plurals) are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from judges.tokens import Token, normal_form, tokenise
from judges.words import FUNCTION_WORDS, HEDGES, NOW, OPENING_VERBS, TURNS, VERBS

_MARKER = re.compile(
    r"[\s>#*_`-]{0,20}(?:final |short )?answer[*_`]{0,3}\s{0,3}:[*_`]{0,3}(.*)", re.IGNORECASE | re.ASCII
)
_ASIDE = re.compile(
    r"[\s>#*_`-]{0,20}(?:sources?|evidence|references?|reasoning|notes?|confidence)[*_`]{0,3}\s{0,3}:",
    re.IGNORECASE | re.ASCII,
)
_WRAPPED = re.compile(r"\\boxed\{([^{}]{1,2000})\}|<answer>([^<>]{1,2000})</answer>", re.IGNORECASE)
SPLITTERS = frozenset(("and", "or", "but", "&", "+", "/"))
_SENTENCE_ENDS = frozenset(".;!?\n")


def stated_part(answer: str) -> str:
    """The part of `answer` that is judged."""
    answer = answer.replace("\\%", "%")
    wrapped = _WRAPPED.findall(answer)
    if wrapped and "".join(wrapped[-1]).strip():
        return "".join(wrapped[-1])
    lines = answer.splitlines()
    for index in range(len(lines) - 1, -1, -1):
        match = _MARKER.match(lines[index])
        if match is None:
            continue
        if match[1].strip():
            return match[1]
        below = _paragraph(lines[index + 1 :])
        if below:
            return "\n".join(below)
    kept = [line for line in lines if not _ASIDE.match(line)]
    return "\n".join(kept if any(line.strip() for line in kept) else lines)


def _paragraph(lines: Sequence[str]) -> list[str]:
    taken: list[str] = []
    for line in lines:
        if line.strip():
            taken.append(line)
        elif taken:
            break
    return taken


def is_verb(token: Token) -> bool:
    """Whether the word makes a sentence: a listed verb, which few are with a capital, or a lower-case word in -ed."""
    if token.text in VERBS:
        return not token.raw[0].isupper() or token.text in OPENING_VERBS
    return len(token.raw) > 4 and token.raw.endswith("ed") and token.raw.isalpha() and token.raw.islower()


@dataclass(frozen=True, slots=True)
class Clause:
    """A run of tokens [start, end) between splitting marks. `label`: the index of the clause that heads it, or -1.

    `heads`: it ends in a colon. `aside`: it stands in brackets.
    """

    start: int
    end: int
    sentence: int
    label: int
    heads: bool
    aside: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """Clauses [first, last) of one sentence or line. `asks`: it ends in a question mark. `says`: it has a verb.

    `hedges`: how many hedging words it has. Asides don't count for the last two.
    """

    first: int
    last: int
    asks: bool
    says: bool
    hedges: int


class Reading:
    """The stated part of an answer, tokenised once, with its clauses and sentences."""

    def __init__(self, answer: str) -> None:
        self.text = stated_part(answer)
        self.tokens: tuple[Token, ...] = tokenise(self.text)

    @cached_property
    def normal(self) -> tuple[str, ...]:
        """The normal form of the stated part."""
        return normal_form(self.tokens, self.text)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        found: list[Clause] = []
        start, sentence, label, depth = 0, 0, -1, 0
        for at, token in enumerate(self.tokens):
            if not self.splits(at):
                continue
            if any(not inner.mark for inner in self.tokens[start:at]):
                heads = token.raw == ":"
                found.append(Clause(start, at, sentence, label, heads, depth > 0))
                if heads:
                    label = len(found) - 1
            start = at + 1
            if token.mark:
                depth = max(0, depth + (token.raw == "(") - (token.raw == ")"))
            if token.mark and token.raw in _SENTENCE_ENDS:
                sentence, depth = sentence + 1, 0
                if not self._continues_list(at, found):
                    label = -1
        return tuple(found)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first token of each clause."""
        return tuple(clause.start for clause in self.clauses)

    def _continues_list(self, at: int, found: Sequence[Clause]) -> bool:
        """After `Owners:` at a line's end, the lines below stand under that label, up to a blank line."""
        if self.tokens[at].raw != "\n" or not found:
            return False
        blank = at > 0 and self.tokens[at - 1].mark and self.tokens[at - 1].raw == "\n"
        head = found[found[-1].label] if not found[-1].heads else found[-1]
        return not blank and head.heads and self.tokens[head.end + 1].raw == "\n"

    @cached_property
    def sentences(self) -> Mapping[int, Sentence]:
        """By the number that `Clause.sentence` holds."""
        found: dict[int, Sentence] = {}
        for number, group in groupby(range(len(self.clauses)), key=lambda index: self.clauses[index].sentence):
            indexes = list(group)
            clauses = [self.clauses[index] for index in indexes]
            words = [word for clause in clauses if not clause.aside for word in self.words(clause.start, clause.end)]
            found[number] = Sentence(
                first=indexes[0],
                last=indexes[-1] + 1,
                asks=self.tokens[clauses[-1].end].raw == "?",
                says=any(map(is_verb, words)),
                hedges=sum(word.text in HEDGES for word in words),
            )
        return found

    @cached_property
    def current(self) -> frozenset[int]:
        """The indexes of the clauses that tell what holds now."""
        told = [any(word.text in NOW for word in self.words(clause.start, clause.end)) for clause in self.clauses]
        return frozenset(index for index, tells in enumerate(told) if tells)

    def splits(self, at: int) -> bool:
        """Whether a clause ends at this token: any mark but a quote, and the words and, or, but, &, +, /."""
        token = self.tokens[at]
        return token.raw != '"' if token.mark else token.text in SPLITTERS

    def clause_at(self, at: int) -> int | None:
        """The index of the clause that holds token `at`; None for a word that only joins clauses."""
        index = bisect_right(self.starts, at) - 1
        return index if index >= 0 and at < self.clauses[index].end else None

    def clause_of(self, at: int) -> Clause | None:
        """The clause that holds token `at`."""
        index = self.clause_at(at)
        return None if index is None else self.clauses[index]

    def asked(self, at: int) -> bool:
        """Whether token `at` stands in a question."""
        clause = self.clause_of(at)
        return clause is not None and self.sentences[clause.sentence].asks

    def words(self, start: int, end: int) -> list[Token]:
        """The words among tokens [start, end)."""
        return [token for token in self.tokens[start:end] if not token.mark]

    def beside(self, at: int, step: int) -> Token | None:
        """The token before (`step` -1) or after (1) `at`, quotes skipped; None at the text's edge."""
        at += step
        while 0 <= at < len(self.tokens) and self.tokens[at].mark and self.tokens[at].raw == '"':
            at += step
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def before(self, at: int, count: int) -> list[Token]:
        """Up to `count` words before token `at` in its clause, the nearest first."""
        return self._walk(at, -1, count, frozenset())

    def back(self, at: int, count: int) -> list[Token]:
        """The same, up to a word at which the clause turns to something else."""
        return self._walk(at, -1, count, TURNS)

    def ahead(self, at: int, count: int) -> list[Token]:
        """Up to `count` words after token `at` in its clause."""
        return self._walk(at, 1, count, frozenset())

    def _walk(self, at: int, step: int, count: int, stops: frozenset[str]) -> list[Token]:
        seen: list[Token] = []
        at += step
        while 0 <= at < len(self.tokens) and len(seen) < count:
            token = self.tokens[at]
            if self.splits(at) or token.text in stops:
                break
            if not token.mark:
                seen.append(token)
            at += step
        return seen

    def is_bare(self, clause: Clause) -> bool:
        """Whether the clause is a name and nothing else, as an item of a list is: at most 5 words, none of grammar."""
        words = self.words(clause.start, clause.end)
        return 0 < len(words) <= 5 and not any(word.text in FUNCTION_WORDS or is_verb(word) for word in words)

    def is_item(self, index: int) -> bool:
        """Whether clause `index` may be an item of a list: bare, not in brackets, no label, not what an arrow leads
        away from, and not what a dash adds to the clause before."""
        clause = self.clauses[index]
        if clause.aside or clause.heads or self.tokens[clause.end].raw == "→" or not self.is_bare(clause):
            return False
        joined = index > 0 and self.clauses[index - 1].sentence == clause.sentence
        return not (joined and self.tokens[clause.start - 1].raw == "—")
