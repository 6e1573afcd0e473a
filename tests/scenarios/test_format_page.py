"""docs/scenario-format.md: its example loads, and it names every key that there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from scenarios.part import Part
from scenarios.question_schema import ANSWER_KINDS, QuestionEntry
from scenarios.scenario import Scenario
from scenarios.schema import EVENT_KINDS, AgentRole, ScenarioFile

PAGE = (Path(__file__).parents[2] / "docs" / "scenario-format.md").read_text(encoding="utf-8")
PROSE, EXAMPLE = re.sub(r"```yaml.*?```", "", PAGE, flags=re.DOTALL), re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def test_the_example_loads(load_text: Callable[[str], Scenario]) -> None:
    assert len(EXAMPLE) == 1
    scenario = load_text(EXAMPLE[0])
    ids = ["announced", "ticket", "slack-message-20251001t072600z", "page", "moved", "notify-reminder-20251006t173000z"]
    assert [event.id for event in scenario.events] == ids
    assert [question.gold.kind for question in scenario.questions] == ["date", "text", "number", "abstain"]


@pytest.mark.parametrize(
    "model", [ScenarioFile, AgentRole, QuestionEntry, *EVENT_KINDS.values(), *ANSWER_KINDS.values()]
)
def test_the_page_names_every_key(model: type[Part]) -> None:
    words = set(re.findall(r"\w+", PROSE))
    assert {field.alias or name for name, field in model.model_fields.items()} - words == set()


def test_the_page_names_every_event() -> None:
    for kind in EVENT_KINDS:
        assert f"`{kind}`" in PROSE
