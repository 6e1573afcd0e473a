"""The one order of events: (instant, place in the file), whatever the file's own order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envs.errors import ScenarioError
from scenarios.scenario import Scenario

Load = Callable[[str], Scenario]

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

HEAD = """
id: order
title: Order
origin: generated
summary: For the order of events
zone: {zone}
canary: none
org:
  name: Org
  people: [{{handle: kim, name: Kim, email: kim@example.com, role: dev}}]
  slack: {{channels: [{{name: eng, members: [kim]}}]}}
agent: {{handle: kim, briefing: Help}}
timeline:
"""
TAIL = """
questions:
  - id: q1
    ask: Who?
    answer: {text: kim}
    evidence: {known: kim}
"""
KNOWN = ("known", "2025-01-01T00:00Z", "hi")


def entry(event_id: str | None, at: str, text: str) -> str:
    name = "" if event_id is None else f"id: {event_id}, "
    return f'  - {{{name}at: "{at}", slack.message: {{from: kim, channel: eng, text: "{text}"}}}}\n'


def written(entries: list[tuple[str | None, str, str]], zone: str = "Europe/Berlin") -> str:
    return HEAD.format(zone=zone) + "".join(entry(*one) for one in entries) + TAIL


def minute(n: int) -> str:
    return f"2025-02-{1 + n // 1440:02d}T{n // 60 % 24:02d}:{n % 60:02d}"


@QUICK
@given(minutes=st.lists(st.integers(0, 4000), min_size=1, max_size=8, unique=True), data=st.data())
def test_shuffling_absolute_times_changes_nothing(minutes: list[int], data: st.DataObject, load_text: Load) -> None:
    entries = [KNOWN, *((f"e{n}" if n % 2 else None, minute(n), f"text {n}") for n in minutes)]
    assert load_text(written(entries)) == load_text(written(data.draw(st.permutations(entries))))


@QUICK
@given(minutes=st.lists(st.integers(0, 5), min_size=1, max_size=8), at=st.integers(0, 8), when=st.integers(0, 5))
def test_another_event_reorders_no_other(minutes: list[int], at: int, when: int, load_text: Load) -> None:
    """Instants collide on purpose: the place in the file decides, and the new event doesn't disturb it."""
    entries: list[tuple[str | None, str, str]] = [KNOWN]
    entries += [(f"e{index}", minute(n), "text") for index, n in enumerate(minutes)]
    before = [event.id for event in load_text(written(entries)).events]
    entries.insert(1 + at, ("added", minute(when), "new"))
    after = [event.id for event in load_text(written(entries)).events]
    assert [event_id for event_id in after if event_id != "added"] == before
    assert after.count("added") == 1


def test_order_is_by_instant_then_by_place_in_the_file(load_text: Load) -> None:
    entries: list[tuple[str | None, str, str]] = [
        ("late", "2025-02-01T12:00:01+01:00", "c"),
        ("second", "2025-02-01T12:00+01:00", "b"),
        KNOWN,
        ("third", "2025-02-01T11:00Z", "b"),
        ("first", "2025-02-01T10:59:59", "a"),
    ]
    berlin = load_text(written(entries))
    assert [event.id for event in berlin.events] == ["known", "first", "second", "third", "late"]
    utc = load_text(written(entries, "UTC"))
    assert [event.id for event in utc.events] == ["known", "first", "second", "third", "late"]
    assert berlin.events[1].time == datetime(2025, 2, 1, 9, 59, 59, tzinfo=UTC)
    assert utc.events[1].time == datetime(2025, 2, 1, 10, 59, 59, tzinfo=UTC)


def test_spans_count_from_the_entry_before_in_the_file(load_text: Load) -> None:
    entries: list[tuple[str | None, str, str]] = [
        KNOWN,
        ("b", "+1d", ""),
        ("early", "2025-01-01T06:00Z", ""),
        ("d", "+2h30m", ""),
    ]
    times = {event.id: event.time for event in load_text(written([(a, b, c or "x") for a, b, c in entries])).events}
    assert times["b"] == datetime(2025, 1, 2, tzinfo=UTC)
    assert times["d"] == datetime(2025, 1, 1, 8, 30, tzinfo=UTC)


def test_spans_are_exact_over_a_clock_change(load_text: Load) -> None:
    """A day is 24 hours, also where the local clock moves."""
    entries: list[tuple[str | None, str, str]] = [KNOWN, ("eve", "2025-03-29T12:00", "x"), ("after", "+1d", "x")]
    times = {event.id: event.time for event in load_text(written(entries)).events}
    assert times["after"] == datetime(2025, 3, 30, 11, tzinfo=UTC)


def test_unnamed_events_have_the_same_ids_wherever_they_stand(load_text: Load) -> None:
    entries: list[tuple[str | None, str, str]] = [
        KNOWN,
        (None, "2025-02-01T09:00Z", "a"),
        (None, "2025-02-01T10:00+01:00", "b"),
        (None, "2025-02-01T09:00:30Z", "c"),
    ]
    ids = [event.id for event in load_text(written(entries)).events]
    base = "slack-message-20250201t0900"
    assert ids == ["known", f"{base}00z", f"{base}00z-2", f"{base}30z"]
    entries.insert(1, (None, "2025-01-15T00:00Z", "earlier in file and time"))
    assert [event.id for event in load_text(written(entries)).events][2:] == ids[1:]


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("2025-03-30T02:30", "does not exist in Europe/Berlin"),
        ("2025-10-26T02:30", "occurs twice in Europe/Berlin"),
        ("2025-02-30T10:00", "is not an instant"),
        ("2025-02-01T24:00", "is not an instant"),
        ("2025-02-01", "is not an instant"),
        ("tomorrow", "is not an instant"),
        ("2025-02-01T09:00+25:00", "is not an instant"),
        ("+", "is not a span"),
        ("+999999999w", "too long a span"),
        ("+999999w", "beyond the year 9999"),
        ("0001-01-01T00:00", "is not an instant"),
        ("9999-12-31T23:59-01:00", "is not an instant"),
    ],
)
def test_impossible_times_are_refused(at: str, message: str, load_text: Load) -> None:
    with pytest.raises(ScenarioError, match=message):
        load_text(written([KNOWN, ("e", at, "x")]))


def test_an_offset_decides_an_ambiguous_time(load_text: Load) -> None:
    entries: list[tuple[str | None, str, str]] = [
        KNOWN,
        ("summer", "2025-10-26T02:30+02:00", "x"),
        ("winter", "2025-10-26T02:30+01:00", "x"),
    ]
    times = {event.id: event.time for event in load_text(written(entries)).events}
    assert (times["winter"] - times["summer"]).total_seconds() == 3600
