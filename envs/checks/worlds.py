"""Other worlds: a scenario in which one event never happened, or said something else. They stay loadable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from pydantic import ValidationError

from envs.checks.events import fields, stating
from scenarios.evidence import says
from scenarios.mistake import Mistake
from scenarios.references import reference_checks
from scenarios.scenario import Event, Scenario
from scenarios.timeline import Entry

_ELSE = "something else"
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def without(scenario: Scenario, event_id: str) -> Scenario:
    """The scenario without an event, and without those that could not have happened then (replies, edits, ...)."""
    return with_events(scenario, [event for event in scenario.events if event.id != event_id])


def with_events(scenario: Scenario, events: Sequence[Event]) -> Scenario:
    """The scenario with those of `events` whose references hold, each checked in its turn."""
    possible = tuple(_possible(scenario, events))
    while len(possible) < len(events):
        # What was left out may have been referred to before it turned out to be impossible.
        events, possible = possible, tuple(_possible(scenario, possible))
    return replace(scenario, events=possible)


def altered(scenario: Scenario, event_id: str, words: str) -> Scenario | None:
    """The scenario in which an event says something else in place of `words`; None where nothing else can stand there.

    Free text gets other words (digits other digits), a value another one of its kind: another person, status, day.
    """
    event = next(each for each in scenario.events if each.id == event_id)
    for field in stating(event, words):
        changed = _first_valid(scenario, event, field, words)
        if changed is None:
            return None
        event = changed
    return _with(scenario, event)


def _first_valid(scenario: Scenario, event: Event, field: str, words: str) -> Event | None:
    for value in _others(scenario, fields(event)[field], words):
        given = event.payload.model_dump(exclude_unset=True) | {field: value}
        named = {_alias(event, key): inner for key, inner in given.items()}
        try:
            changed = replace(event, payload=type(event.payload).model_validate(named))
        except ValidationError:
            continue
        if field not in stating(changed, words) and len(_with(scenario, changed).events) == len(scenario.events):
            return changed
    return None


def _with(scenario: Scenario, event: Event) -> Scenario:
    return with_events(scenario, [event if each.id == event.id else each for each in scenario.events])


def _alias(event: Event, key: str) -> str:
    return type(event.payload).model_fields[key].alias or key


def _others(scenario: Scenario, value: Any, words: str) -> Iterator[Any]:
    """What could stand in place of a value that says `words`, the likeliest first."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case float():
            yield from ((value + 1) / 2, value / 2)
        case str():
            yield from _other_texts(scenario, value, words)
        case tuple():
            yield tuple(each for each in value if not (isinstance(each, str) and says(each, words)))
        case dict():
            yield {key: other for key, inner in value.items() for other in (_other_inside(scenario, inner, words),)}


def _other_inside(scenario: Scenario, value: Any, words: str) -> Any:
    inner = value if isinstance(value, tuple | dict) else None
    if inner is None and not says(value, words):
        return value
    return next(_others(scenario, value, words), value)


def _other_texts(scenario: Scenario, value: str, words: str) -> Iterator[str]:
    if _DAY.fullmatch(value):
        day = date.fromisoformat(value)
        yield from ((day + timedelta(days=step)).isoformat() for step in (1, -1))
        return
    org = scenario.org
    names = [
        [person.handle for person in org.people],
        *([state.name for state in team.states] for team in org.linear.teams),
        [milestone.name for milestone in org.linear.milestones],
        [channel.name for channel in org.slack.channels],
    ]
    for kind in names:
        if value in kind:
            yield from (name for name in kind if name != value)
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)
    yield pattern.sub(_replaced, value)
    yield _ELSE


def _replaced(match: re.Match[str]) -> str:
    shifted = re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), match[0])
    return shifted if shifted != match[0] else _ELSE


def _possible(scenario: Scenario, events: Sequence[Event]) -> Iterator[Event]:
    people = {person.handle: person for person in scenario.org.people}
    checks = reference_checks(scenario.org, people, {event.id for event in events})
    for index, event in enumerate(events):
        try:
            checks[event.platform](Entry(event, index))
        except Mistake:
            continue
        yield event
