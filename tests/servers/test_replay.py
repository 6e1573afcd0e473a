"""State over time: exactly the events up to an instant, whatever was asked before, fast and in linear time."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.scenario import Event
from scenarios.schema import SlackSetTopic
from servers.linear.operations import linear_replay
from servers.replay import Replay
from servers.slack.operations import slack_replay
from small_company import small_company, with_events

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
