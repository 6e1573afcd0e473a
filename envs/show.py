"""`envs show`: a scenario for its author's eyes, people, timeline, questions, and the chain behind an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from envs.answers import DateGold, NumberGold, TextGold
from envs.checks.events import fields, texts
from envs.clock import format_instant, parse_instant
from envs.errors import ScenarioError
from envs.protocol import Json
from judges.mentions import Part, mentions
from scenarios.mistake import plain, quoted, suggestion
from scenarios.scenario import Event, Scenario, ScenarioQuestion

_WIDTH = 110
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_NOT_TOLD = frozenset({"by", "sender", "issue", "channel", "dm", "thread", "message", "repo"})


def overview(scenario: Scenario, *, answers: bool) -> Iterator[str]:
    """People, timeline and questions; `answers`: with the gold."""
    yield f"{scenario.id}: {scenario.title} ({scenario.origin}, {scenario.zone.key})"
    yield scenario.summary
    yield from ("", f"People of {scenario.org.name}")
    for person in scenario.org.people:
        role = f"{person.role}{', admin' if person.admin else ''}{', ' + person.zone if person.zone else ''}"
        agent = ", the agent" if person.handle == scenario.agent.handle else ""
        yield f"  @{person.handle}  {person.name}, {role}{agent}"
    yield from ("", f"Timeline ({len(scenario.events)} events, times of {scenario.zone.key})")
    for event in scenario.events:
        yield f"  {_local(scenario, event.time)}  {_event(event)}"
    yield from ("", f"Questions ({len(scenario.questions)})")
    for question in scenario.questions:
        yield f"  {_local(scenario, question.time)}  {question.id}: {' '.join(question.ask.split())}"
        if answers:
            yield f"      {_gold(question)}"
            for name, values in (("was", question.was), ("not", question.distractors)):
                if values:
                    yield f"      {name}: {', '.join(values)}"


def trace(scenario: Scenario, question: ScenarioQuestion, *, answers: bool) -> Iterator[str]:
    """The chain behind an answer, hop by hop, and where its superseded and its planted wrong values were said.

    `answers`: with the gold.
    """
    yield f"{question.id} at {_local(scenario, question.time)}: {' '.join(question.ask.split())}"
    yield f"{question.hops} hops, {len(question.evidence)} of them evidence"
    for number, event in enumerate((each for each in scenario.events if each.id in question.evidence), 1):
        words = plain(" ".join(question.evidence[event.id].split()))
        yield f"  {number}. {event.platform}  {_local(scenario, event.time)}  {event.id} ({event.kind}): {words}"
    if answers:
        yield f"  {_gold(question)}"
    for name, values in (("superseded", question.was), ("distractor", question.distractors)):
        for value in values:
            said = [event.id for event in _before(scenario, question) if _says(scenario, event, value)]
            yield f"  {name} {value}: {', '.join(said) or 'said nowhere in these words'}"


def history(scenario: Scenario) -> dict[str, Json]:
    """`{id, events}`; each event has `id`, `time` (UTC), `kind` and `payload`, with the keys of the file."""
    return {
        "id": scenario.id,
        "events": [
            {
                "id": event.id,
                "time": format_instant(event.time),
                "kind": event.kind,
                "payload": event.payload.model_dump(mode="json", by_alias=True, exclude_unset=True),
            }
            for event in scenario.events
        ],
    }


def moment(scenario: Scenario, text: str) -> datetime:
    """The instant that `text` names: an instant, a local time, a day (its end), or the id of an event or a question.

    Raises ScenarioError where it names nothing.
    """
    named = {question.id: question.time for question in scenario.questions}
    named |= {event.id: event.time for event in scenario.events}
    if text in named:
        return named[text]
    try:
        return parse_instant(f"{text}T23:59:59" if len(text) == len("2025-05-01") else text, scenario.zone)
    except ValueError:
        near = suggestion(text, named)
        message = f"there is no time, event or question {quoted(text)} in {scenario.id}{near}"
        raise ScenarioError(f"{message}; a time looks like 2025-05-01T09:00") from None


def question_named(scenario: Scenario, name: str) -> ScenarioQuestion:
    """Raises ScenarioError for an unknown id, with the nearest."""
    found = {question.id: question for question in scenario.questions}
    if name not in found:
        raise ScenarioError(f"{scenario.id} has no question {quoted(name)}{suggestion(name, found)}")
    return found[name]


def _event(event: Event) -> str:
    """Kind, who and where, and how it begins, on one line."""
    payload: Any = event.payload
    who = getattr(payload, "by", None) or getattr(payload, "sender", None)
    where = [getattr(payload, key) for key in ("issue", "channel", "dm", "repo") if getattr(payload, key, None)]
    about = [f"{key}={value}" for key, value in fields(event).items() if key not in _NOT_TOLD]
    text = f"{event.id}  {event.kind}  {' '.join(map(str, where))} {'@' + who if who else ''}: {', '.join(about)}"
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 4]} ..."


def _gold(question: ScenarioQuestion) -> str:
    given = {key: value for key, value in asdict(question.gold).items() if value is not None and key != "kind"}
    told = ", ".join(f"{key} {_plainly(value)}" for key, value in given.items())
    derived = question.formula or question.script
    return f"answer: {question.gold.kind}, {told}{f' (by {derived})' if derived else ''}"


def _plainly(value: object) -> str:
    if isinstance(value, tuple):
        return " | ".join(_plainly(each) for each in value)
    return value.isoformat() if isinstance(value, date) else str(value)


def _before(scenario: Scenario, question: ScenarioQuestion) -> list[Event]:
    return [event for event in scenario.events if event.time <= question.time]


def _says(scenario: Scenario, event: Event, value: str) -> bool:
    """Whether an event states a value of `was` or `not`: a day, a number, or a text, a person also by the handle."""
    spellings = [value, *(each.handle for each in scenario.org.people if each.name == value)]
    part: Part = TextGold(tuple(spellings))
    try:
        part = DateGold(date.fromisoformat(value), scenario.zone.key)
    except ValueError:
        if _NUMBER.fullmatch(value):
            part = NumberGold(float(value))
    return any(mentions(part, text) for text in texts(event))


def _local(scenario: Scenario, instant: datetime) -> str:
    return f"{instant.astimezone(scenario.zone):%Y-%m-%d %H:%M}"
