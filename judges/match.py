"""The deterministic judge: compares an answer with its gold by the gold's kind, with no model and no network.

The rules of each kind stand in a module of its name (`judges.text`, `judges.numbers`, ...); what they share in
`judges.statement` and `judges.standing`. They would rather miss a right answer that is put oddly than accept a wrong
one.
"""

from __future__ import annotations

from envs.answers import AbstainGold, ChoiceGold, DateGold, ListGold, NumberGold, SetGold, TextGold, YesNoGold
from envs.protocol import Case, Key, Verdict
from judges.abstention import judge_abstention
from judges.choices import judge_choice
from judges.dates import judge_date
from judges.lists import judge_list
from judges.numbers import judge_number
from judges.sets import judge_set
from judges.text import judge_text
from judges.yes_no import judge_yes_no


class Match:
    """Judge `match`. It holds no state, so that rows can be judged in any order and at once."""

    name = "match"

    async def judge(self, case: Case) -> Verdict:
        """The case's verdict.

        A fault is unscored with its kind as reason. Every code but `answer` scores 0 with that code, a blank answer 0
        with `empty`, and a failed state check 0 with its name, whatever the text says.
        """
        answer = case.answer
        if answer.fault is not None:
            return Verdict(None, answer.fault)
        if answer.code != "answer":
            return Verdict(0.0, answer.code)
        if answer.text is None or not answer.text.strip():
            return Verdict(0.0, "empty")
        for check, holds in case.findings.items():
            if not holds:
                return Verdict(0.0, f"state check failed: {check}")
        return compare(case.key, answer.text)


def compare(key: Key, answer: str) -> Verdict:
    """The verdict on the text `answer` alone: 1.0 or 0.0, for a set or a list any share between."""
    competing = (*key.was, *key.distractors)
    match key.gold:
        case TextGold() as gold:
            return judge_text(gold, answer, competing)
        case NumberGold() as gold:
            return judge_number(gold, answer, competing)
        case DateGold() as gold:
            return judge_date(gold, answer, competing)
        case SetGold() as gold:
            return judge_set(gold, answer, competing)
        case ListGold() as gold:
            return judge_list(gold, answer, competing)
        case YesNoGold() as gold:
            return judge_yes_no(gold, answer)
        case ChoiceGold() as gold:
            return judge_choice(gold, answer, competing)
        case AbstainGold():
            return judge_abstention(answer, competing)
