"""Other worlds stay loadable: what could not have happened goes too, and what is said instead is possible."""

from __future__ import annotations

import pytest

from envs.checks.curation import distracted, hops, platforms, revised, spread, switches, time_matters, unnamed
from envs.checks.diversity import diversity, mean_and_most
from envs.checks.events import stating
from envs.checks.replaying import builds, replays
from envs.checks.worlds import altered, without
from scenarios.library import find
from scenarios.loader import load
from scenarios.references import reference_checks
from scenarios.scenario import Scenario
from scenarios.timeline import Entry
from small_company import event, small_company, with_events

S02, S12 = (load(find(name)) for name in ("s02", "s12"))


def check_references(scenario: Scenario) -> None:
    """Raises Mistake where an event refers to what isn't there."""
    people = {person.handle: person for person in scenario.org.people}
    checks = reference_checks(scenario.org, people, {each.id for each in scenario.events})
    for index, each in enumerate(scenario.events):
        checks[each.platform](Entry(each, index))


@pytest.mark.parametrize("scenario", [small_company(), S02, S12], ids=lambda scenario: scenario.id)
async def test_a_world_without_any_one_event_replays_and_builds(scenario: Scenario) -> None:
    for each in scenario.events:
        world = without(scenario, each.id)
        assert each.id not in {other.id for other in world.events}
        check_references(world)
        assert await replays(world) == []
    assert await builds(without(scenario, scenario.events[0].id)) == []


def test_replies_edits_and_what_hangs_on_a_ticket_go_with_it() -> None:
    company = small_company()
    gone = {each.id for each in company.events} - {each.id for each in without(company, "launch").events}
    assert {"launch", "reply", "moved"} < gone
    assert all(each.startswith(("launch", "reply", "moved", "slack-")) for each in gone)


CHANGES = (
    event(
        "said", "2025-05-01T09:00", "slack.message", sender="bo.lin", channel="search", text="Not before  14 May, ok"
    ),
    event(
        "made", "2025-05-01T10:00", "linear.create", issue="ENG-1", by="kim", title="One", labels=["bug"], estimate=3
    ),
    event("set", "2025-05-02T10:00", "linear.update", issue="ENG-1", by="kim", status="Done", due_date="2025-05-20"),
    event("done", "2025-05-03T10:00", "linear.progress", milestone="Beta", by="kim", rate=0.25),
)


@pytest.mark.parametrize(
    ("event_id", "words", "field", "value"),
    [
        ("said", "before 14 May", "text", "Not before  47 May, ok"),
        ("said", "not before", "text", "something else  14 May, ok"),
        ("said", "bo.lin", "sender", "ada"),
        ("made", "bug", "labels", ()),
        ("made", "3", "estimate", 4),
        ("set", "Done", "status", "Triage"),
        ("set", "2025-05-20", "due_date", "2025-05-21"),
        ("done", "0.25", "rate", 0.625),
    ],
)
def test_something_else_of_the_same_kind_stands_in_its_place(
    event_id: str, words: str, field: str, value: object
) -> None:
    world = altered(with_events(*CHANGES), event_id, words)
    assert world is not None
    changed = next(each for each in world.events if each.id == event_id)
    assert getattr(changed.payload, field) == value
    assert stating(changed, words) == []
    check_references(world)


def test_where_nothing_else_can_stand_there_is_no_world() -> None:
    assert altered(with_events(*CHANGES), "set", "ENG-1") is None


async def test_s02_meets_the_rules_of_curation_and_one_question_of_it_does_not() -> None:
    rules = (hops, switches, platforms, spread, time_matters, revised, distracted, unnamed)
    assert [await rule(S02) for rule in rules] == [[]] * len(rules)


def test_measures_by_hand() -> None:
    company = with_events(
        event("a", "2025-05-01T09:00", "slack.message", sender="ada", channel="search", text="See ENG-1, please."),
        event("b", "2025-05-01T10:00", "linear.comment", issue="ENG-1", by="kim", body="As in #search"),
        event("c", "2025-05-01T12:00", "linear.comment", issue="ENG-1", by="kim", body="Or not"),
        event("d", "2025-05-01T21:00", "slack.message", sender="ada", channel="search", text="ok"),
    )
    found = diversity(company)
    assert (found.events, found.questions, found.references, found.span_hours) == (4, 2, 2, 12.0)
    assert found.entropy == pytest.approx(0.6931, abs=1e-4)
    assert found.normalised == pytest.approx(1.0)
    assert found.heterophily == pytest.approx(2 / 3)
    assert mean_and_most([found, diversity(S12)])["events"] == ((4 + len(S12.events)) / 2, len(S12.events))
