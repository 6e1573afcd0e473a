"""Marks: a scenario in which each later thing carries a word of its own, so that it can be told where that gets to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from envs.answers import TextGold
from scenarios.scenario import Event, Scenario, ScenarioQuestion

MARK = re.compile(r"z[eqg]\d{5}z")

_TEXTS: Mapping[str, tuple[str, ...]] = {
    "slack.message": ("text",),
    "slack.offline_message": ("text",),
    "slack.edit": ("text",),
    "slack.create_channel": ("topic", "purpose"),
    "slack.set_topic": ("topic",),
    "linear.create": ("title", "description"),
    "linear.update": ("title", "description"),
    "linear.comment": ("body",),
    "linear.milestone": ("description",),
    "linear.project_update": ("body",),
    "git.commit": ("message", "write"),
    "git.merge": ("message", "write"),
    "git.tag": ("message",),
    "git.open_pull": ("title", "body"),
    "git.review_pull": ("body",),
    "git.comment_pull": ("body",),
    "files.write": ("text",),
    "notify.reminder": ("text",),
    "notify.notice": ("text",),
}
"""Event kind -> the keys whose text takes a mark. Other kinds say nothing in words of their own."""
_ADDED = frozenset({"slack.create_channel", "linear.create", "linear.milestone"})
"""Kinds whose marked keys may be left out, and are given then."""


@dataclass(frozen=True, slots=True)
class Marked:
    """`events`: mark -> event id. `questions`, `golds`: mark -> question id, of what it asks and of its answers."""

    scenario: Scenario
    events: Mapping[str, str]
    questions: Mapping[str, str]
    golds: Mapping[str, str]


def marked(scenario: Scenario) -> Marked:
    """The scenario with a mark in every event that has text, in every question and in every answer."""
    events, event_marks = [], {}
    for index, event in enumerate(scenario.events):
        mark = f"ze{index:05d}z"
        taken = _with_mark(event, mark)
        if taken is not None:
            event_marks[mark] = event.id
        events.append(taken or event)
    questions = [_question(question, index) for index, question in enumerate(scenario.questions)]
    return Marked(
        replace(scenario, events=tuple(events), questions=tuple(questions)),
        event_marks,
        {f"zq{index:05d}z": question.id for index, question in enumerate(questions)},
        {f"zg{index:05d}z": question.id for index, question in enumerate(questions)},
    )


def _question(question: ScenarioQuestion, index: int) -> ScenarioQuestion:
    gold = f"zg{index:05d}z"
    return replace(
        question, ask=f"{question.ask} zq{index:05d}z", gold=TextGold((gold,)), was=(gold,), distractors=(gold,)
    )


def _with_mark(event: Event, mark: str) -> Event | None:
    """The event with the mark in its texts; None where it has none."""
    given = event.payload.model_dump(exclude_unset=True, by_alias=True)
    keys = [key for key in _TEXTS.get(event.kind, ()) if key in given or event.kind in _ADDED]
    if not keys:
        return None
    changed = {key: _marked_text(given.get(key), mark) for key in keys}
    return replace(event, payload=type(event.payload).model_validate(given | changed))


def _marked_text(value: Any, mark: str) -> Any:
    if isinstance(value, dict):
        return {key: _marked_file(inner, mark) for key, inner in value.items()}
    return f"{value} {mark}" if value else mark


def _marked_file(value: Any, mark: str) -> Any:
    """A file's content with the mark as its last line."""
    if isinstance(value, dict):
        return {**value, "text": f"{value.get('text') or ''}\n{mark}\n"}
    return f"{value}\n{mark}\n"
