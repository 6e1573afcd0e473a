"""s01 is fair: its totals are what its code says at the version that runs, its traps are set, nothing is given away."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

import scenarios
from checkouts import checked_out, passes_its_tests, python
from envs.answers import AbstainGold, DateGold, NumberGold, SetGold
from scenarios.scenario import ScenarioQuestion
from story import Events, before, bundled, field, given_away, text_of, unplanted

S01 = bundled("s01")
EVENTS = {event.id: event for event in S01.events}
GOLDS = {question.id: question.gold for question in S01.questions}
TUESDAY = 1
TOTALS = {
    "v5.1.0": 556,
    "v5.1.1": 560,
    "v5.1.2": 556,
    "v5.1.3": 564,
    "v5.2.0": 567,
    "v5.2.1": 564,
    "v5.2.2": 560.7,
    "v5.1.4": 561,
}
"""Version -> what it bills for the seven boxes, in crowns."""


def version_for(events: Events, country: str) -> str:
    """The version that the release engineer reported last for these shops in the channel of releases."""
    said = "\n".join(text_of(event) for event in events if getattr(event.payload, "channel", None) == "releases")
    versions: list[str] = re.findall(rf"{country} shops\D*?(v\d\.\d\.\d)", said)
    return versions[-1]


def waiting(events: Events) -> set[str]:
    """Shops without their credit note: the list, less who was billed in euros, less the notes that reached them."""
    known = {event.id for event in events}
    shops = set(re.findall(r"- (.+)", text_of(EVENTS["notes_ticket"])))
    if "kolibrik_euros" in known:
        shops.discard("Hračky Kolibřík")
    shops -= set(
        re.findall(r"([^:,]+) \(\d+ crowns\)", text_of(EVENTS["two_out"]).replace(", ", ",").replace(": ", ":"))
    )
    if "wrong_bookshop" in known:
        shops.add("Knihy U Lípy")
    if "the_mill" in known:
        shops.add("Mlýn Podhora")
    return shops


def czech_day(events: Events) -> date:
    """The first Tuesday after the return that is free on the release engineer's list."""
    filed = date.fromisoformat(field(events, "FIN-14", "due_date"))
    free = {int(day): month for day, month in re.findall(r"(\d+) (Feb|March) free", text_of(EVENTS["tuesdays"]))}
    days = [filed + timedelta(days=ahead) for ahead in range(1, 30)]
    return next(
        day for day in days if day.weekday() == TUESDAY and free.get(day.day) == ("Feb", "March")[day.month - 2]
    )


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S01.events)
    kinds = Counter(event.kind for event in S01.events)
    assert 45 <= platforms["slack"] + platforms["linear"] <= 70
    assert 12 <= kinds["git.commit"] <= 25
    assert kinds["git.merge_pull"] == 3
    assert kinds["git.delete_branch"] >= 2
    assert len({question.gold.kind for question in S01.questions}) == 4
    assert all(any(a.time < event.time <= b.time for event in S01.events) for a, b in pairwise(S01.questions))


@pytest.mark.parametrize("question", S01.questions, ids=lambda question: question.id)
def test_evidence_lies_on_three_platforms_and_traps_are_set(question: ScenarioQuestion) -> None:
    assert {EVENTS[event_id].platform for event_id in question.evidence} == {"slack", "linear", "git"}
    assert unplanted(S01, question) == []
    assert question.distractors or isinstance(question.gold, AbstainGold)


def test_nothing_asked_gives_an_answer_away() -> None:
    assert given_away(S01) == []


def test_every_version_bills_what_the_ledger_says(tmp_path: Path) -> None:
    script = Path(scenarios.__file__).parent / "s01" / "beekeepers.py"
    for version, total in TOTALS.items():
        checked_out(S01, "rating", version, tmp_path / version / "rating")
        assert float(python(tmp_path, "-I", str(script), str(tmp_path / version)).stdout) == total


@pytest.mark.parametrize("line", ["main", "release/5.1"])
def test_the_code_passes_its_own_tests(line: str, tmp_path: Path) -> None:
    passes_its_tests(checked_out(S01, "rating", line, tmp_path))


def test_the_total_is_that_of_the_version_that_czech_shops_run() -> None:
    events = before(S01, "seven_boxes")
    assert version_for(events, "czech") == "v5.1.3"
    assert GOLDS["seven_boxes"] == NumberGold(TOTALS["v5.1.3"])
    assert version_for(before(S01, "seven_boxes", "cz_513"), "czech") == "v5.1.2"
    assert version_for(events, "german") == "v5.2.0"
    assert "czech shops: rating v5.1.2" in field(events, "OPS-7", "description")
    question = next(each for each in S01.questions if each.id == "seven_boxes")
    wrong = {f"{TOTALS[version]:g}" for version in ("v5.1.1", "v5.1.2", "v5.2.0")}
    assert wrong <= {*question.was, *question.distractors}


def test_the_late_release_changes_the_total() -> None:
    assert version_for(before(S01, "seven_boxes_again"), "czech") == "v5.2.2"
    assert GOLDS["seven_boxes_again"] == NumberGold(TOTALS["v5.2.2"]) != GOLDS["seven_boxes"]
    assert version_for(before(S01, "seven_boxes_again", "cz_522"), "czech") == "v5.1.3"


def test_shops_that_wait_are_the_sum_of_a_list_and_four_changes() -> None:
    gold = GOLDS["still_waiting"]
    assert isinstance(gold, SetGold)
    assert waiting(before(S01, "still_waiting")) == {part[0] for part in gold.parts}
    assert "Hračky Kolibřík" in waiting(before(S01, "still_waiting", "kolibrik_euros"))
    assert "Knihy U Lípy" not in waiting(before(S01, "still_waiting", "wrong_bookshop"))
    assert "Mlýn Podhora" not in waiting(before(S01, "still_waiting", "the_mill"))


def test_the_czech_day_hangs_on_the_return() -> None:
    assert GOLDS["czech_day"] == DateGold(date(2026, 2, 24), "Europe/Prague")
    assert czech_day(before(S01, "czech_day")) == date(2026, 2, 24)
    assert czech_day(before(S01, "czech_day", "return_early")) == date(2026, 3, 10)


def test_the_sum_is_never_said() -> None:
    assert isinstance(GOLDS["altogether"], AbstainGold)
    said = [text_of(event) for event in before(S01, "altogether") if event.time > EVENTS["two_out"].time]
    assert not any(re.search(r"\d+ (?:crowns|Kč|CZK)\b", text) for text in said)
