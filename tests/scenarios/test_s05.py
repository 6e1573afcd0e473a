"""s05 is fair: what its code does decides, not what is said of it; its traps are set, and nothing is given away."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

import scenarios
from checkouts import checked_out, passes_its_tests, python
from envs.answers import DateGold, NumberGold, TextGold, YesNoGold
from scenarios.git_schema import GitCommit
from scenarios.scenario import ScenarioQuestion
from story import before, bundled, given_away, text_of, unplanted

S05 = bundled("s05")
EVENTS = {event.id: event for event in S05.events}
GOLDS = {question.id: question.gold for question in S05.questions}
READ = "from renglon import read; print(read('sheet.csv'))"
LEANING = {"v2.7.0": 5, "v3.1.0": 5, "v3.1.1": 4, "main": 3}
"""Version -> recipes that name no encoding."""


def ninety_days_after(release: str) -> date:
    """Counted from the release commit, by the clock in Montevideo."""
    return EVENTS[release].time.astimezone(S05.zone).date() + timedelta(days=90)


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S05.events)
    kinds = Counter(event.kind for event in S05.events)
    assert 40 <= platforms["slack"] + platforms["linear"] <= 60
    assert 12 <= kinds["git.commit"] <= 25
    assert kinds["git.close_pull"] == 1
    assert kinds["slack.edit"] == 1
    assert len({question.gold.kind for question in S05.questions}) == 4
    assert all(any(a.time < event.time <= b.time for event in S05.events) for a, b in pairwise(S05.questions))


@pytest.mark.parametrize("question", S05.questions, ids=lambda question: question.id)
def test_evidence_lies_on_three_platforms_and_traps_are_set(question: ScenarioQuestion) -> None:
    assert {EVENTS[event_id].platform for event_id in question.evidence} == {"slack", "linear", "git"}
    assert unplanted(S05, question) == []
    assert (question.was and question.distractors) or isinstance(question.gold, YesNoGold)


def test_nothing_asked_gives_an_answer_away() -> None:
    assert given_away(S05) == []


def test_the_code_passes_its_own_tests(tmp_path: Path) -> None:
    passes_its_tests(checked_out(S05, "renglon", "main", tmp_path))


@pytest.mark.parametrize(("version", "reads"), [("v2.7.0", True), ("v3.0.0", False), ("v3.1.0", True)])
def test_sheets_of_durazno_are_read_as_cp1252_whatever_the_commit_says(
    version: str, reads: bool, tmp_path: Path
) -> None:
    folder = checked_out(S05, "renglon", version, tmp_path)
    (folder / "sheet.csv").write_bytes("Ibáñez\n".encode("cp1252"))
    assert ("Ibáñez" in python(folder, "-c", READ).stdout) is reads


def test_the_message_says_the_opposite_of_the_diff() -> None:
    assert isinstance(GOLDS["durazno_upgrade"], TextGold)
    assert GOLDS["durazno_upgrade"].accepted[0] == "cp1252"
    turned = EVENTS["turned_round"].payload
    assert isinstance(turned, GitCommit)
    assert turned.message.startswith("UTF-8 stays the default")
    assert 'else "cp1252"' in str(turned.write["renglon/defaults.py"])
    (announced,) = (text_of(event) for event in before(S05, "durazno_upgrade") if event.id == "announced_310")
    assert "UTF-8 stays the default" in announced
    assert EVENTS["corrected_310"].time > next(iter(S05.questions)).time


def test_recipes_that_lean_are_counted_in_the_release(tmp_path: Path) -> None:
    script = Path(scenarios.__file__).parent / "s05" / "leaning.py"
    for version, count in LEANING.items():
        checked_out(S05, "renglon", version, tmp_path / version / "renglon")
        assert int(python(tmp_path, "-I", str(script), str(tmp_path / version)).stdout) == count
    assert GOLDS["leaning_recipes"] == NumberGold(LEANING["v3.1.1"])


@pytest.mark.parametrize(
    ("question", "release", "table"),
    [("flip_day", "release_320", "day_table"), ("flip_day_now", "release_321", "day_table_two")],
)
def test_the_day_is_ninety_days_after_the_release_that_warns(question: str, release: str, table: str) -> None:
    gold = GOLDS[question]
    assert gold == DateGold(ninety_days_after(release), "America/Montevideo")
    assert isinstance(gold, DateGold)
    in_seoul = gold.value + timedelta(days=1)
    (asked,) = (each for each in S05.questions if each.id == question)
    assert in_seoul.isoformat() in asked.distractors
    rows = re.findall(r"- (\d+ \w+): (\d+ \w+)", text_of(EVENTS[table]))
    released = gold.value - timedelta(days=90)
    assert (f"{released.day} {released:%B}", f"{gold.value.day} {gold.value:%B}") in rows


@pytest.mark.parametrize(("version", "seen"), [("v3.2.0", False), ("v3.2.1", True)])
def test_only_the_second_release_warns_anybody(version: str, seen: bool, tmp_path: Path) -> None:
    folder = checked_out(S05, "renglon", version, tmp_path)
    (folder / "sheet.csv").write_bytes(b"a,b\n")
    assert ("FutureWarning" in python(folder, "-c", READ).stderr) is seen


def test_no_release_has_the_hint(tmp_path: Path) -> None:
    assert GOLDS["hint_shipped"] == YesNoGold(False)
    folder = checked_out(S05, "renglon", "v3.2.0", tmp_path)
    assert not any("Korean" in path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    assert "A hint for Korean files" in (folder / "CHANGELOG.md").read_text(encoding="utf-8")
