"""No future leaks: at each instant the tools' bytes are those of a world in which nothing later exists."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from envs.clock import FrozenClock
from envs.protocol import ToolPack, Tools
from reading_sweep import everything_readable
from scenarios.scenario import Event, Scenario
from scenarios.schema import EVENT_KINDS
from servers.gateway import Gateway
from servers.linear.operations import OPERATIONS as LINEAR
from servers.linear.operations import linear_replay
from servers.pack import PlatformPack
from servers.replay import Replay
from servers.slack.operations import OPERATIONS as SLACK
from servers.slack.operations import slack_replay
from servers.slack.state import SlackState
from small_company import END, event, refusal, small_company, tools_at, with_events, without_events_after

MARK = re.compile(r"c\d\d[a-z]")
COMPANY = small_company()


def marks(events: Sequence[Event]) -> set[str]:
    return {mark for event in events for mark in MARK.findall(event.payload.model_dump_json())}


def instants(scenario: Scenario) -> list[datetime]:
    times = sorted({event.time for event in scenario.events})
    return [times[0] - timedelta(seconds=1), *times, times[-1] + timedelta(days=1)]


def introduced(time: datetime) -> set[str]:
    """The marks that only events after `time` carry."""
    later = [event for event in COMPANY.events if event.time > time]
    return marks(later) - marks([event for event in COMPANY.events if event.time <= time])


def test_the_company_has_every_event_kind_and_a_mark_where_an_event_can_carry_one() -> None:
    assert {event.kind for event in COMPANY.events} == set(EVENT_KINDS)
    assert len(marks(COMPANY.events)) >= 50


async def test_nothing_later_is_in_any_bytes() -> None:
    for time in instants(COMPANY):
        text = "\n".join(await everything_readable(tools_at(time), COMPANY))
        # What the sweep itself asks for may be repeated in an error.
        asked = {"c10x", "c13x", "c18x", "c21x", "c22x", "c23r", "c29x", "c31f", "c35x"}
        assert (introduced(time) - asked) & set(MARK.findall(text)) == set(), time
        assert "hidden" not in text


async def test_every_mark_is_found_once_its_event_has_happened() -> None:
    seen: set[str] = set()
    for time in instants(COMPANY):
        seen |= set(MARK.findall("\n".join(await everything_readable(tools_at(time), COMPANY))))
        assert marks([event for event in COMPANY.events if event.time <= time]) <= seen, time
    at_the_end = set(MARK.findall("\n".join(await everything_readable(tools_at(END), COMPANY))))
    # Edited, deleted, overwritten or pushed away since.
    gone = {"c01x", "c05x", "c08x", "c09x", "c11x", "c30x", "c30f", "c30s", "c35s", "c36x"}
    assert marks(COMPANY.events) - at_the_end == gone


async def test_reads_are_byte_identical_with_and_without_the_later_events() -> None:
    for time in instants(COMPANY):
        part = without_events_after(COMPANY, time)
        with_later = await everything_readable(tools_at(time), COMPANY)
        assert with_later == await everything_readable(tools_at(time, part), COMPANY), time


def leaky_tools(time: datetime, scenario: Scenario) -> Tools:
    """Planted: a Slack whose channels count later members too, everything else being right."""
    slack = slack_replay(scenario)

    class Leaky(Replay[SlackState]):
        def at(self, instant: datetime) -> SlackState:
            now, end = slack.at(instant), slack.at(scenario.events[-1].time)
            channels = {
                key: replace(channel, members=end.channels[key].members) for key, channel in now.channels.items()
            }
            return replace(now, channels=channels)

    packs: list[ToolPack] = [
        PlatformPack(SLACK, Leaky((), slack.at(time), lambda state, event: None), "ada"),
        PlatformPack(LINEAR, linear_replay(scenario), "ada"),
    ]
    return Gateway(packs, FrozenClock(time), lambda: (), charging=True)


async def test_the_check_finds_a_planted_leak() -> None:
    time = next(event.time for event in COMPANY.events if event.kind == "slack.create_channel")
    joined = event("late", "2025-05-08T11:00", "slack.join", channel="c13x-find", person="kimr")
    company = with_events(*COMPANY.events, joined)
    honest = await everything_readable(tools_at(time, company), company)
    assert honest == await everything_readable(tools_at(time, without_events_after(company, time)), company)
    leaking = await everything_readable(leaky_tools(time, company), company)
    assert leaking != await everything_readable(leaky_tools(time, without_events_after(company, time)), company)


@pytest.mark.parametrize(
    ("tool", "argument", "future", "unknown"),
    [
        ("get_ticket", "ticket_id", "ENG-2", "ENG-9"),
        ("list_tickets", "after_id", "ENG-2", "ENG-9"),
        ("get_channel_messages", "channel", "c13x-find", "c13x-lost"),
        ("list_tickets", "milestone", "c18x General", "c18x Private"),
    ],
)
async def test_a_future_id_is_told_like_an_unknown_one(tool: str, argument: str, future: str, unknown: str) -> None:
    tools = tools_at("2025-05-01T09:30")
    first: Any = await refusal(tools, tool, **{argument: future})
    second: Any = await refusal(tools, tool, **{argument: unknown})
    assert str(first).replace(future, "X") == str(second).replace(unknown, "X")


async def test_a_future_message_id_is_told_like_an_unknown_one() -> None:
    tools = tools_at("2025-05-01T09:30")
    future = f"{int(COMPANY.events[21].time.timestamp())}.000100"
    assert COMPANY.events[21].kind == "slack.message"
    first = await refusal(tools, "get_channel_messages", channel="search", after_id=future)
    second = await refusal(tools, "get_channel_messages", channel="search", after_id="1799999999.000100")
    assert str(first).replace(future, "X") == str(second).replace("1799999999.000100", "X")


async def test_later_events_change_no_earlier_id() -> None:
    """Another message in the same second, after the ones that were there, leaves their ids alone."""
    extra = event("extra", "2025-05-01T09:00", "slack.message", sender="kim", channel="search", text="Me too")
    events = [*COMPANY.events]
    events.insert(2, extra)
    before = await everything_readable(tools_at("2025-05-01T09:00", with_events(*COMPANY.events[:2])), COMPANY)
    after = await everything_readable(tools_at("2025-05-01T09:00", with_events(*events)), COMPANY)
    ids = re.compile(r'"id":"([^"]+)"')
    assert set(ids.findall("".join(before))) < set(ids.findall("".join(after)))
