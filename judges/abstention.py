"""Abstentions: whether an answer says that it isn't known, and commits to nothing.

An answer abstains where a sentence says so: nobody knows ("I don't know", "can't be determined", "unknown"), or it was
never said ("never mentioned", "there is no record of it", "nobody decided that"). It commits, and scores 0, where it

- states a superseded value or a distractor of the question, neither denied nor put in the past;
- gives a bare name or value beside what abstains ("Dana; it was never confirmed");
- guesses ("probably Tuesday", "my best guess is ...");
- states something before it abstains, or after a turn ("..., but it is Tuesday"), unless that only tells what was read
  or searched ("I looked in #launch", "The ticket mentions a date, but ...").

"It isn't unknown" and "Was it ever said?" abstain from nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from envs.protocol import Verdict
from judges.standing import denied, past
from judges.statement import Clause, Reading, Sentence, is_verb
from judges.text import contest, spelled
from judges.tokens import Token, normal
from judges.words import (
    COPULAS,
    EXCUSES,
    FIRST_PERSON,
    GUESSES,
    NARRATIONS,
    NEGATIONS,
    NOBODY,
    OPENINGS,
    OPPOSITIONS,
)

_SAID = (
    r"(?:said|stated|mentioned|decided|specified|recorded|documented|discussed|disclosed|known|named|announced|answered"
    r"|settled|determined|established|confirmed|told|addressed|written down)"
)
_SAYS = r"(?:say|says|state|states|mention|mentions|specifies|know|knows|decide|names|gives|records|tells|indicates)"
_END = r"\b(?! (?:until|before|till|by (?!any)|as|to (?!date|any)|but|only|wrong))"
"""What follows a denied word must not turn it: "wasn't confirmed until Friday" says when it was."""
_PHRASES = (
    r"(?<!not )(?<!n't )\b(?:unknown|unclear|undecided|undetermined|unspecified|unstated|unanswerable|n/a)\b",
    r"\b(?:don't|do not|didn't|did not|doesn't|does not|cannot|can't|can not|couldn't|could not|unable to"
    r"|not able to|no way to|impossible to)(?: \w+)? (?:know|say|tell|find|determine|answer|establish|identify|mention"
    r"|state|specify|contain|include|give|record|name|reveal|show|be (?:determined|known|established|found))\b",
    rf"\b(?:never|not|isn't|wasn't|aren't|weren't|hasn't|haven't)(?: (?:been|ever|yet|actually|explicitly|publicly"
    rf"|clearly|formally|officially|directly)){{0,3}} (?:{_SAID}|clear|available|provided|given){_END}",
    rf"\b(?:nobody|no one|no-one|nothing|none|nowhere|no (?:message|ticket|thread|commit|event|document|source|channel"
    rf"|comment))\b(?P<gap>(?: \S+){{0,6}}?) (?:{_SAID}|{_SAYS}){_END}",
    rf"\bno (?:\w+ ){{1,3}}(?:was|were|is|are|has been|have been)(?: ever| yet)? (?:{_SAID}|set|given|chosen){_END}",
    r"\b(?:no|not any|without any)(?: \w+){0,2} (?:record|mention|information|answer|evidence|indication|trace|decision"
    r"|statement|sign|confirmation)\b",
)
_ABSTAINS = re.compile("|".join(_PHRASES))
"""Of a sentence's words, in lower case, with single spaces."""


def judge_abstention(answer: str, competing: Sequence[str] = ()) -> Verdict:
    """1.0 or 0.0. `competing`: the question's superseded values and distractors."""
    reading = Reading(answer)
    _, wrong = contest(reading, (), list(map(normal, competing)))
    for span in wrong:
        if not denied(reading, *span) and not past(reading, *span):
            return Verdict(0.0, f"states {spelled(reading, span)!r}")
    abstaining = {index for sentence in reading.sentences.values() for index in _abstaining(reading, sentence)}
    if not abstaining:
        return Verdict(0.0, "doesn't say that it isn't known")
    first = min(abstaining)
    for index, clause in enumerate(reading.clauses):
        if index not in abstaining and _commits(reading, index, first):
            return Verdict(0.0, f"commits to {spelled(reading, (clause.start, clause.end - 1))[:60]!r}")
    return Verdict(1.0, "abstains")


def _abstaining(reading: Reading, sentence: Sentence) -> set[int]:
    """The clauses of a sentence in which it abstains."""
    if sentence.asks:
        return set()
    words: list[tuple[int, Token]] = []
    for index in range(sentence.first, sentence.last):
        clause = reading.clauses[index]
        words += [(index, token) for token in reading.words(clause.start, clause.end)]
    ends = list(accumulate(len(token.text) + 1 for _, token in words))
    text = " ".join(token.text for _, token in words)
    found: set[int] = set()
    for match in _ABSTAINS.finditer(text):
        first, last = bisect_right(ends, match.start()), bisect_left(ends, match.end())
        between = match["gap"].split() if match["gap"] else ()
        if not any(is_verb(token) for _, token in words[first + 1 : first + 1 + len(between)]):
            found |= {index for index, _ in words[first : last + 1]}
    return found


def _commits(reading: Reading, index: int, first: int) -> bool:
    """Whether clause `index` states something. `first`: the first clause that abstains."""
    clause = reading.clauses[index]
    words = [token.text for token in reading.words(clause.start, clause.end)]
    opening = reading.clauses[reading.sentences[clause.sentence].first]
    searched = _first_word(reading, opening) in FIRST_PERSON
    denies = not (NOBODY | NEGATIONS).isdisjoint(words)
    if not denies and _supposes(words):
        return True
    if clause.heads or clause.aside or words[0] in EXCUSES:
        return False
    if reading.is_item(index):
        return not searched and (index < first or clause.sentence != reading.clauses[first].sentence)
    turned = words[0] in OPPOSITIONS or reading.tokens[clause.start - 1].text in OPPOSITIONS
    if index > first and not turned:
        return False
    return not denies and not _only_tells(reading, clause, words)


def _first_word(reading: Reading, clause: Clause) -> str:
    return next(reading.tokens[at].text for at in range(clause.start, clause.end) if not reading.tokens[at].mark)


def _supposes(words: Sequence[str]) -> bool:
    """Whether a clause guesses: "probably Tuesday", "I would say Dana"; "anything else would be a guess" doesn't."""
    if words[0] in FIRST_PERSON and "say" in words:
        return True
    return not GUESSES.isdisjoint(words) and "would" not in words


def _only_tells(reading: Reading, clause: Clause, words: Sequence[str]) -> bool:
    """Whether the clause has no statement of its own: what was searched or read, or a lead-in."""
    if not any(map(is_verb, reading.words(clause.start, clause.end))):
        return True
    if words[0] in FIRST_PERSON | OPENINGS:
        return True
    return not NARRATIONS.isdisjoint(words) and COPULAS.isdisjoint(words)
