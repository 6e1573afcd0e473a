"""A bundled scenario as its tests read it: events alone, without the tools that agents have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import scenarios
from scenarios.answers import spellings
from scenarios.git_schema import GitBranch, GitCommit, GitMerge
from scenarios.loader import load
from scenarios.scenario import Event, Scenario, ScenarioQuestion

Events = Sequence[Event]


@cache
def bundled(name: str) -> Scenario:
    return load(Path(scenarios.__file__).parent / f"{name}.yaml")


def before(scenario: Scenario, question: str, *without: str) -> list[Event]:
    """The events that a question may rest on, less those named: a planted fault."""
    time = asked(scenario, question).time
    return [event for event in scenario.events if event.time <= time and event.id not in without]


def asked(scenario: Scenario, question: str) -> ScenarioQuestion:
    return next(each for each in scenario.questions if each.id == question)


def text_of(event: Event) -> str:
    return "\n".join(_strings(event.payload.model_dump(exclude_unset=True)))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def says(scenario: Scenario, text: str, value: str) -> bool:
    """Whether the text holds a value as a whole word: a day also as `6 March` or `6 Mar`, a person also by handle."""
    forms = [value, *(person.handle for person in scenario.org.people if person.name == value)]
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        day = date.fromisoformat(value)
        forms += [f"{day.day} {day:%B}", f"{day.day} {day:%b}"]
    return any(re.search(rf"(?<![\w.]){re.escape(form)}(?!\w|\.\d)", text, re.IGNORECASE) for form in forms)


def unplanted(scenario: Scenario, question: ScenarioQuestion) -> list[str]:
    """The traps of a question that nobody sets before it is asked."""
    said = [text_of(event) for event in before(scenario, question.id)]
    traps = (*question.was, *question.distractors)
    return [trap for trap in traps if not any(says(scenario, text, trap) for text in said)]


def given_away(scenario: Scenario) -> list[str]:
    """The answers, and parts of answers, that some question or the briefing holds; yes and no are no secrets."""
    told = "\n".join([scenario.agent.briefing, *(question.ask for question in scenario.questions)])
    golds = [question.gold for question in scenario.questions if question.gold.kind != "yes_no"]
    return [answer for gold in golds for answer in spellings(gold) if says(scenario, told, answer)]


def field(events: Events, issue: str, name: str) -> Any:
    """The value of a ticket's field after these events."""
    value = None
    for event in events:
        if event.kind in ("linear.create", "linear.update") and getattr(event.payload, "issue", None) == issue:
            value = event.payload.model_dump(exclude_unset=True).get(name, value)
    return value


def file_on(events: Events, path: str, branch: str = "main") -> str:
    """A file's text on a branch of the company's one repository after these events. Raises KeyError without it."""
    trees: dict[str, dict[str, Any]] = {"main": {}}
    for event in events:
        match event.payload:
            case GitCommit(branch=on, write=write):
                trees[on or "main"] |= write
            case GitBranch(branch=new):
                trees[new] = dict(trees["main"])
            case GitMerge(source=source, branch=into):
                trees[into or "main"] |= trees[source]
    return str(trees[branch][path])
