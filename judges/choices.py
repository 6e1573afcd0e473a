"""Choices: whether an answer states the right option and no other.

An option is stated as a text is (`judges.text`), the others being what competes with it: "Redis", "They took Redis" and
"Redis, not Valkey" choose Redis; "Redis or Valkey", "Not Valkey" and "The second one" choose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from envs.answers import ChoiceGold, TextGold
from envs.protocol import Verdict
from judges.text import judge_text


def judge_choice(gold: ChoiceGold, answer: str, competing: Sequence[str] = ()) -> Verdict:
    """1.0 or 0.0. `competing`: the question's superseded values and distractors, besides the other options."""
    others = [spelling for index, option in enumerate(gold.options) if index != gold.right for spelling in option]
    return judge_text(TextGold(gold.options[gold.right]), answer, (*others, *competing))
