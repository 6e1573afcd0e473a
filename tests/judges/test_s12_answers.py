"""The judge `match` over the golds of scenario s12: answers as models write them, right ones and wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from envs.protocol import Key
from judges.match import compare
from scenarios.library import find
from scenarios.loader import load

ANSWERS = yaml.safe_load((Path(__file__).parent / "s12_answers.yaml").read_text(encoding="utf-8"))
KEYS = {question.id: Key(question.gold, question.was, question.distractors) for question in load(find("s12")).questions}


def rows(*columns: str) -> list[tuple[str, str]]:
    return [(name, answer) for name, table in ANSWERS.items() for column in columns for answer in table.get(column, ())]


def test_every_question_has_twenty_answers_of_either_kind() -> None:
    assert set(ANSWERS) == set(KEYS)
    for name, table in ANSWERS.items():
        right, wrong = set(table["right"]), {*table["wrong"], *table.get("partly", ())}
        assert len(right) >= 20, name
        assert len(wrong) >= 20, name
        assert not right & wrong, name


@pytest.mark.parametrize(("question", "answer"), rows("right"))
def test_a_right_answer_matches(question: str, answer: str) -> None:
    verdict = compare(KEYS[question], answer)
    assert verdict.score == 1.0, verdict.reason


@pytest.mark.parametrize(("question", "answer"), rows("wrong"))
def test_a_wrong_answer_scores_nothing(question: str, answer: str) -> None:
    verdict = compare(KEYS[question], answer)
    assert verdict.score == 0.0, verdict.reason


@pytest.mark.parametrize(("question", "answer"), rows("partly"))
def test_a_partly_right_set_scores_a_share(question: str, answer: str) -> None:
    verdict = compare(KEYS[question], answer)
    assert verdict.score is not None
    assert 0.0 < verdict.score < 0.7, verdict.reason


@pytest.mark.parametrize("question", KEYS)
def test_superseded_values_and_distractors_score_nothing(question: str) -> None:
    for value in (*KEYS[question].was, *KEYS[question].distractors):
        assert compare(KEYS[question], value).score == 0.0, value


def test_the_answers_catch_a_judge_that_takes_whatever_names_the_gold() -> None:
    """Planted fault: a judge that looks for the gold's words anywhere in the answer."""
    naive = {"launch_day": "6 November", "whose_call": "Marit", "pass_mark": "14.0", "launch_day_now": "20 November"}
    for question, words in naive.items():
        fooled = [answer for name, answer in rows("wrong") if name == question and words in answer]
        assert len(fooled) >= 5, question
