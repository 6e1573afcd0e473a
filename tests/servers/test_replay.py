"""State over time: exactly the events up to an instant, whatever was asked before, fast and in linear time."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.wall import monotonic
from scenarios.scenario import Event, Scenario
from scenarios.schema import SlackSetTopic
from servers.linear.operations import linear_replay
from servers.replay import Replay
from servers.slack.operations import slack_replay
from small_company import event, small_company, with_events

START = datetime(2025, 5, 1, tzinfo=UTC)
NOTHING = SlackSetTopic(channel="a", by="b", topic="c")


@dataclass
class Log:
    """A state that holds the names of its events."""

    names: list[str] = field(default_factory=list)

    def copy(self) -> "Log":
        return Log(list(self.names))


def log_of(offsets: list[int]) -> Replay[Log]:
    events = [Event(f"e{n}", START + timedelta(seconds=s), "log", NOTHING) for n, s in enumerate(sorted(offsets))]
    return Replay(events, Log(), lambda state, event: state.names.append(event.id))


@given(st.lists(st.integers(0, 60), max_size=80), st.lists(st.integers(-1, 61), min_size=1, max_size=60))
@settings(deadline=None, max_examples=60)
def test_the_state_is_the_fold_of_what_came_before_in_any_order_of_asking(offsets: list[int], asked: list[int]) -> None:
    replay = log_of(offsets)
    for second in asked:
        expected = [f"e{n}" for n, offset in enumerate(sorted(offsets)) if offset <= second]
        assert replay.at(START + timedelta(seconds=second)).names == expected


def test_more_instants_than_are_kept() -> None:
    replay = log_of(list(range(200)))
    for second in [*range(200), *reversed(range(200))]:
        assert len(replay.at(START + timedelta(seconds=second)).names) == second + 1


def test_a_state_once_given_never_changes() -> None:
    replay = log_of([1, 2, 3])
    early = replay.at(START + timedelta(seconds=1))
    replay.at(START + timedelta(seconds=3))
    assert early.names == ["e0"]
    assert replay.at(START + timedelta(seconds=1)) is early


def busy(count: int) -> Scenario:
    """Half Slack, half Linear, with edits, reactions, updates and comments; one busy channel, one busy ticket."""
    events = [event("t", "2025-01-01T00:00", "linear.create", issue="ENG-1", by="kim", title="Busy")]
    start = events[0].time
    for n in range(count):
        name, time = f"e{n}", (start + timedelta(minutes=n)).strftime("%Y-%m-%dT%H:%M:%SZ")
        match n % 10:
            case 5:
                made = event(name, time, "linear.create", issue=f"ENG-{n}", by="kim", title=f"Ticket {n}")
            case 6:
                made = event(name, time, "linear.update", issue=f"ENG-{n - 1}", by="kim", status="Done", lead="ada")
            case 7:
                made = event(name, time, "linear.comment", issue="ENG-1", by="kim", body="A comment")
            case 8:
                made = event(name, time, "slack.react", message=f"e{n - 4}", sender="kim", emoji="eyes")
            case 9:
                made = event(name, time, "slack.edit", message=f"e{n - 5}", text="Edited")
            case 4:
                made = event(name, time, "slack.message", sender="ada", channel="search", text="Re", thread=f"e{n - 1}")
            case _:
                made = event(name, time, "slack.message", sender="ada", channel="search", text=f"Hello @kim, {n}")
        events.append(made)
    return with_events(*events)


def fold_seconds(scenario: Scenario) -> float:
    """The best of three folds of both platforms from the start."""
    best = 10.0
    for _ in range(3):
        slack, linear = slack_replay(scenario), linear_replay(scenario)
        start = monotonic()
        slack.at(scenario.events[-1].time)
        linear.at(scenario.events[-1].time)
        best = min(best, monotonic() - start)
    return best


def test_ten_thousand_events_fold_fast_and_in_linear_time() -> None:
    small, large = busy(1_000), busy(10_000)
    seconds = fold_seconds(large)
    assert seconds < 0.5
    assert seconds / fold_seconds(small) < 20


@pytest.mark.parametrize("step", [1, 20])
def test_the_next_instant_is_a_few_milliseconds_away(step: int) -> None:
    scenario = busy(10_000)
    slack, linear = slack_replay(scenario), linear_replay(scenario)
    waits = []
    for n in range(6):
        time = scenario.events[-1 - step * (5 - n)].time
        start = monotonic()
        slack.at(time)
        linear.at(time)
        waits.append(monotonic() - start)
    assert min(waits[1:]) < 0.005


def test_the_fold_of_a_part_is_the_state_at_its_end() -> None:
    company = small_company()
    whole_slack, whole_linear = slack_replay(company), linear_replay(company)
    for count in range(len(company.events)):
        part = with_events(*company.events[: count + 1])
        time = company.events[count].time
        if count + 1 < len(company.events) and company.events[count + 1].time == time:
            continue
        assert slack_replay(part).at(time).conversations == whole_slack.at(time).conversations
        assert linear_replay(part).at(time).tickets == whole_linear.at(time).tickets
