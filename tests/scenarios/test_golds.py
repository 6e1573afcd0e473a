"""Further kinds of gold, where a scenario comes from, what was found wrong with it, and the suite that it is of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from envs.answers import AbstainGold, ChoiceGold, DateGold, ListGold, NumberGold
from scenarios import library
from scenarios.loader import load
from scenarios.scenario import Erratum, Scenario, ScenarioQuestion
from scenarios.suite import suite_of, version_of

Load = Callable[[str], Scenario]
DAY = "answer: {date: 2025-10-27}"


@pytest.fixture
def first(small: str, load_text: Load) -> Callable[[str], ScenarioQuestion]:
    return lambda answer: load_text(small.replace(DAY, f"answer: {answer}")).questions[0]


def test_lists_choices_and_abstentions(first: Callable[[str], ScenarioQuestion]) -> None:
    assert first("{list: [Lee, [Ana, Ana Ruiz]]}").gold == ListGold((("Lee",), ("Ana", "Ana Ruiz")))
    choice = first("{choice: ana ruiz, options: [Lee, [Ana, Ana Ruiz]]}")
    assert choice.gold == ChoiceGold((("Lee",), ("Ana", "Ana Ruiz")), 1)
    assert choice.choices == ("Lee", "Ana")
    abstain = first("{abstain: nobody said so}")
    assert (abstain.gold, abstain.choices) == (AbstainGold("nobody said so"), ())


def test_a_script_stands_beside_a_gold(small: str, load_text: Load, tmp_path: Path) -> None:
    scenario = load_text(small.replace(DAY, "answer: {script: total.py, number: 2}"))
    question = scenario.questions[0]
    assert (question.gold, question.script, scenario.folder) == (NumberGold(2), "total.py", tmp_path)


def test_what_is_not_scored_says_why(small: str, load_text: Load) -> None:
    scenario = load_text(small.replace("agent:\n", "unscored: {who: the answer is disputed}\nagent:\n"))
    assert [question.unscored for question in scenario.questions[:3]] == [None, "the answer is disputed", None]


def test_errata_leave_the_gold_as_it_is(small: str, load_text: Load) -> None:
    errata = (
        "errata:\n"
        "  - {question: day, version: 1, note: Off by one, answer: {date: 2025-10-28}}\n"
        "  - {question: prio, version: 1, note: A typing error, answer: {number: 3}}\n"
        "  - {question: day, version: 2, note: It was right, answer: {formula: date(moved)}}\n"
    )
    scenario = load_text(small + errata)
    assert scenario.questions == load_text(small).questions
    assert scenario.digest != load_text(small).digest
    day, prio, again = scenario.errata
    assert day == Erratum("day", 1, "Off by one", DateGold(date(2025, 10, 28), "Europe/Berlin"))
    assert (prio.gold, again.gold) == (NumberGold(3), scenario.questions[0].gold)


@pytest.mark.parametrize(
    ("given", "until"),
    [
        ("none", None),
        ("all", datetime(2025, 10, 2, 11, tzinfo=UTC)),
        ("2025-10-01T09:05", datetime(2025, 10, 1, 7, 5, tzinfo=UTC)),
    ],
)
def test_what_has_been_read(given: str, until: datetime | None, small: str, load_text: Load) -> None:
    assert load_text(small).initial_read is None
    assert load_text(small.replace("  briefing:", f"  initial_read: {given}\n  briefing:")).initial_read == until


def test_spelling_out_the_defaults_changes_nothing(small: str, load_text: Load) -> None:
    spelt = "call_seconds: 30\nwrite_policy: deny\npush: none\nclock: frozen\nunscored: {}\nerrata: []\n"
    assert load_text(spelt + small) == load_text(small)


def test_texts_of_other_files_count_as_if_they_stood_there(git: str, load_text: Load, tmp_path: Path) -> None:
    scenario = load_text(git)
    text = (tmp_path / "total.py").read_text(encoding="utf-8")
    quoted = text.replace("\n", "\\n")
    for spelt in (f'"{quoted}"', f'{{text: "{quoted}"}}', f'{{text: "{quoted}", mode: "100644"}}'):
        assert load_text(git.replace("{from: total.py}", spelt)).digest == scenario.digest
    (tmp_path / "other.py").write_text(text + "\n", encoding="utf-8")
    assert load_text(git.replace("{from: total.py}", "{from: other.py}")).digest != scenario.digest


def test_the_suite_changes_with_any_of_its_files(tmp_path: Path) -> None:
    def version(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
        return version_of(tmp_path)

    changes = [("s01.yaml", "a"), ("s02.yaml", "b"), ("s01.yaml", "c"), ("s01/total.py", "d"), ("s01/a/b.txt", "e")]
    versions = [version(name, text) for name, text in changes]
    assert len(set(versions)) == len(changes)
    for name in ("loader.py", "scenario.schema.json", "s01/__pycache__/total.pyc"):
        assert version(name, "x") == versions[-1]


def test_only_bundled_scenarios_are_of_the_suite(tmp_path: Path) -> None:
    path = library.find("s12")
    copy = tmp_path / "s12.yaml"
    copy.write_bytes(path.read_bytes())
    assert load(path).suite == suite_of(path) is not None
    assert load(copy).suite is None
    assert load(copy).digest == load(path).digest
