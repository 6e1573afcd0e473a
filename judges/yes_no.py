"""Yes or no: the word that an answer begins with, or else the one that it ends a statement with.

An answer says a word where it begins with it ("Yes, since Monday"), where a clause is that word alone ("Yes and no"),
or where a clause that states something ends in it ("The answer is no"). Saying both, neither, or one of them in a
question or a hedged sentence, or that one doesn't know ("No idea"), matches neither gold. Nothing is inferred from
"it was never merged".
"""

from __future__ import annotations

from collections.abc import Iterator

from envs.answers import YesNoGold
from envs.protocol import Verdict
from judges.standing import denied, doubtful
from judges.statement import Clause, Reading, is_verb

_YES = frozenset(("yes", "yep", "yeah", "yup"))
_NO = frozenset(("no", "nope", "nah"))
_OPENERS = {
    **dict.fromkeys((*_YES, "true", "correct", "affirmative"), True),
    **dict.fromkeys((*_NO, "false", "incorrect"), False),
}
"""At the start, or alone, these say it too."""


def judge_yes_no(gold: YesNoGold, answer: str) -> Verdict:
    """1.0 where the answer says the gold's word and not the other; else 0.0."""
    reading = Reading(answer)
    if reading.clauses and doubtful(reading, reading.clauses[0].end):
        return Verdict(0.0, "doubtful")
    said = {value for index, clause in enumerate(reading.clauses) for value in _said(reading, clause, index == 0)}
    if len(said) != 1:
        return Verdict(0.0, "says both" if said else "says neither yes nor no")
    return Verdict(1.0, "equal") if gold.value in said else Verdict(0.0, "the other")


def _said(reading: Reading, clause: Clause, opens: bool) -> Iterator[bool]:
    sentence = reading.sentences[clause.sentence]
    if sentence.asks or sentence.hedges or clause.aside:
        return
    words = reading.words(clause.start, clause.end)
    if (opens or len(words) == 1) and words[0].text in _OPENERS:
        yield _OPENERS[words[0].text]
    elif words[-1].text in _YES | _NO and any(map(is_verb, words)) and not denied(reading, clause.end - 1, clause.end):
        yield words[-1].text in _YES
