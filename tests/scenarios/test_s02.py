"""s02 is fair: its golds follow from what came before, its traps are set, the wrong readings give the wrong answers."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest

from envs.answers import DateGold, NumberGold, SetGold, TextGold
from scenarios.scenario import ScenarioQuestion
from story import Events, before, bundled, field, file_on, given_away, text_of, unplanted

S02 = bundled("s02")
EVENTS = {event.id: event for event in S02.events}
GOLDS = {question.id: question.gold for question in S02.questions}
V15, V16 = "OPS-23", "OPS-27"


def switch_after(events: Events, rebuild: str) -> date:
    """The first of the switch mornings after a rebuild's night, which is its ticket's due date."""
    mornings = map(date.fromisoformat, re.findall(r"^- (\S+)$", file_on(events, "README.md"), re.MULTILINE))
    night = date.fromisoformat(field(events, rebuild, "due_date"))
    return next(morning for morning in mornings if morning > night)


def live(events: Events, rebuild: str) -> Events:
    """The events that a live index knows of: those up to the evening before its switch was reported."""
    reports = [
        event for event in events if event.kind == "linear.comment" and getattr(event.payload, "issue", "") == rebuild
    ]
    return [event for event in events if event.time < reports[-1].time]


def column(events: Events) -> str:
    (read,) = re.findall(r"column: (\S+), weight: 3", file_on(events, "index.yaml"))
    return str(read)


def showrooms(events: Events) -> set[str]:
    """Names of the showrooms in the live index: the codes that it was built with, less those deleted from it."""
    names = {code: name for name, code in re.findall(r"(\w+) \((\w{3})\)", text_of(EVENTS["consent"]))}
    codes = set(re.findall(r"- (\w{3})$", file_on(live(events, V16), "showrooms.yaml"), re.MULTILINE))
    deleted = {code for event in events for code in re.findall(r"Deleted by hand .* with (\w{3})\.", text_of(event))}
    return {names[code] for code in codes - deleted}


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S02.events)
    assert 45 <= len(S02.events) <= 70
    assert set(platforms) == {"slack", "linear", "git"}
    assert min(platforms["slack"], platforms["linear"]) >= 15
    assert len({gold.kind for gold in GOLDS.values()}) >= 4


@pytest.mark.parametrize("question", S02.questions, ids=lambda question: question.id)
def test_traps_are_set_before_their_question(question: ScenarioQuestion) -> None:
    assert unplanted(S02, question) == []
    assert question.was
    assert question.distractors


def test_nothing_asked_gives_an_answer_away() -> None:
    assert given_away(S02) == []


def test_customers_get_it_at_the_first_switch_after_the_rebuild() -> None:
    assert GOLDS["go_live"] == DateGold(date(2026, 3, 9), "Europe/Brussels")
    assert switch_after(before(S02, "go_live"), V15) == date(2026, 3, 9)
    assert switch_after(before(S02, "go_live", "due_6"), V15) == date(2026, 3, 4)


def test_the_rebuild_that_stopped_moves_the_day() -> None:
    assert GOLDS["go_live_again"] == DateGold(date(2026, 3, 12), "Europe/Brussels")
    assert switch_after(before(S02, "go_live_again"), V15) == date(2026, 3, 12)
    assert switch_after(before(S02, "go_live_again", "due_10"), V15) == date(2026, 3, 9)


def test_the_column_is_the_one_that_the_live_index_was_built_with() -> None:
    gold = GOLDS["which_column"]
    assert isinstance(gold, TextGold)
    events = before(S02, "which_column")
    assert column(live(events, V15)) == gold.accepted[0] == "visit.wish_text"
    assert f"| visit card | upper | `{gold.accepted[0]}` |" in text_of(EVENTS["boxes"])
    assert column(live(before(S02, "which_column", "right_box"), V15)) == "order.remark"
    assert "visit.wish_clean" in file_on(events, "index.yaml", "v16")
    assert column(before(S02, "first_full_week")) == "visit.wish_clean"


def test_the_first_full_week_begins_after_the_switch() -> None:
    switched = EVENTS["switched"].time.astimezone(S02.zone).date()
    full = next(week for week in range(10, 14) if date.fromisocalendar(2026, week, 1) >= switched)
    assert full == 12
    shares = dict(re.findall(r"week (\d+): ([\d.]+)", text_of(EVENTS["weeks_10_11"]) + text_of(EVENTS["week_12"])))
    assert (shares["10"], shares["11"], shares["12"]) == ("16.9", "13.8", "10.4")
    corrected = re.findall(rf"week {full}: ([\d.]+)", text_of(EVENTS["robot_out"]))
    assert GOLDS["first_full_week"] == NumberGold(float(corrected[0]), unit="%") == NumberGold(11.2, unit="%")


def test_showrooms_are_the_sum_of_a_list_and_a_deletion() -> None:
    gold = GOLDS["whose_cards"]
    assert isinstance(gold, SetGold)
    assert showrooms(before(S02, "whose_cards")) == {part[0] for part in gold.parts} == {"Gent", "Namur", "Hasselt"}
    assert showrooms(before(S02, "whose_cards", "leuven_deleted")) == {"Gent", "Namur", "Hasselt", "Leuven"}
    assert "ANR" in file_on(before(S02, "whose_cards"), "showrooms.yaml", "v17")
