"""s04 is fair: its golds follow from what came before, its traps are set, the wrong readings give the wrong answers."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from envs.answers import NumberGold, SetGold, YesNoGold
from scenarios.git_schema import GitCommit, GitDeleteBranch
from scenarios.scenario import Event, ScenarioQuestion
from story import Events, before, bundled, field, file_on, given_away, text_of, unplanted

S04 = bundled("s04")
EVENTS = {event.id: event for event in S04.events}
GOLDS = {question.id: question.gold for question in S04.questions}
HEADER = "src/limits.h"


def build(events: Events, number: int, day: int | None = None) -> Event:
    """The announcement of a build, the last of that number or the one of a day of the month."""
    named = [
        event
        for event in events
        if event.kind == "slack.message"
        and text_of(event).find(f"{number} up") >= 0
        and day in (None, event.time.astimezone(S04.zone).day)
    ]
    return named[-1]


def limit_in(events: Events, announced: Event) -> int:
    """KB in flight, by the header on the branch that a build was made from, as it was then."""
    branch = re.search(r"from (wa/\S+?),", text_of(announced))
    known = [event for event in events if event.time < announced.time]
    header = file_on(known, HEADER, branch[1] if branch is not None else "main")
    return int(re.findall(r"#define IN_FLIGHT_KB\w* (\d+)", header)[-1])


def sent(events: Events) -> Event:
    """The build that is with the console maker: by its package, where two have one number."""
    (comment,) = [event for event in events if event.id == "sent_418"]
    package = re.findall(r"ends in (\w{4})", text_of(comment))[0]
    made_on = re.findall(rf"\| 418 \| (\d+) Oct \| {package} \|", text_of(EVENTS["counter_ticket"]))[0]
    return build(events, 418, int(made_on))


def machines(events: Events) -> set[str]:
    known = {event.id for event in events}
    listed = re.findall(r"Consoles are (\w+) and (\w+)\.", file_on(events, "docs/consoles.md"))[0]
    return {*listed, *(["Nimbus"] if "nimbus_is" in known else []), *([] if "pico_is_not" in known else ["Pico"])}


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S04.events)
    kinds = Counter(event.kind for event in S04.events)
    assert 45 <= len(S04.events) <= 65
    assert min(platforms["slack"], platforms["linear"]) >= 15
    assert kinds["git.commit"] >= 5
    assert kinds["git.delete_branch"] == 1
    assert len({gold.kind for gold in GOLDS.values()}) >= 4


@pytest.mark.parametrize("question", S04.questions, ids=lambda question: question.id)
def test_traps_are_set_before_their_question(question: ScenarioQuestion) -> None:
    assert unplanted(S04, question) == []


def test_nothing_asked_gives_an_answer_away() -> None:
    assert given_away(S04) == []


def test_two_builds_of_one_number_hold_two_limits() -> None:
    events = before(S04, "sent_limit")
    first, second = build(events, 418, 14), build(events, 418, 21)
    assert (limit_in(events, first), limit_in(events, second)) == (192, 96)
    assert sent(events) is second
    assert GOLDS["sent_limit"] == NumberGold(96, unit="KB")
    assert limit_in(before(S04, "sent_limit", "halved"), second) == 512


def test_the_branch_of_the_first_one_is_gone() -> None:
    (deleted,) = [event for event in before(S04, "sent_limit") if isinstance(event.payload, GitDeleteBranch)]
    branch = getattr(deleted.payload, "branch", "")
    made = [event for event in S04.events if isinstance(event.payload, GitCommit) and event.payload.branch == branch]
    assert made
    assert all(event.time < deleted.time for event in made)
    assert not any("192" in text_of(event) for event in S04.events if event.kind == "git.commit" and event not in made)


def test_the_workaround_stays() -> None:
    assert GOLDS["take_out"] == YesNoGold(value=False)
    assert field(before(S04, "take_out"), "MAR-61", "status") == "Canceled"
    assert field(before(S04, "take_out", "dropped"), "MAR-61", "status") == "Todo"


def test_what_counts_as_a_console_is_a_list_and_two_answers() -> None:
    gold = GOLDS["which_machines"]
    assert isinstance(gold, SetGold)
    assert machines(before(S04, "which_machines")) == {part[0] for part in gold.parts} == {"Kestrel", "Vanta", "Nimbus"}
    assert machines(before(S04, "which_machines", "nimbus_is", "pico_is_not")) == {"Kestrel", "Vanta", "Pico"}


def test_a_late_build_changes_the_figure() -> None:
    events = before(S04, "players_limit")
    assert "421 passed" in text_of(EVENTS["passed"])
    assert limit_in(events, build(events, 421)) == 128
    assert GOLDS["players_limit"] == NumberGold(128, unit="KB") != GOLDS["sent_limit"]
    assert "CONSOLE 160" in file_on(events, HEADER, "exp/160")
    assert limit_in(before(S04, "players_limit", "one_limit"), build(events, 421)) == 96


def test_nobody_ever_counts_the_players() -> None:
    assert GOLDS["players_hit"].kind == "abstain"
    counted = [event.id for event in S04.events if re.search(r"\d+ players", text_of(event))]
    assert counted == []
