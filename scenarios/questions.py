"""A scenario's questions: their time, their gold, and whether their evidence holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from envs.answers import Gold
from envs.clock import format_instant, parse_instant
from scenarios.answers import read_answer, spellings
from scenarios.evidence import folded, states
from scenarios.formula_values import Fact
from scenarios.mistake import KeyPath, Mistake, quoted, require, require_unique
from scenarios.question_schema import QuestionEntry
from scenarios.scenario import Event, ScenarioQuestion
from scenarios.source import Source


def read_questions(
    entries: Sequence[QuestionEntry],
    events: Mapping[str, Event],
    unscored: Mapping[str, str],
    zone: ZoneInfo,
    source: Source,
) -> tuple[ScenarioQuestion, ...]:
    """The questions in the order of the file. `events`: by id, in time order. `unscored`: question id -> why.

    Raises Mistake.
    """
    require_unique(((entry.id, ("questions", i, "id")) for i, entry in enumerate(entries)), "question id")
    for question in unscored:
        require(question, [entry.id for entry in entries], ("unscored", question), "question", at_key=True)
    last = max(event.time for event in events.values())
    questions: list[ScenarioQuestion] = []
    for index, entry in enumerate(entries):
        path: KeyPath = ("questions", index)
        previous = questions[-1].time if questions else None
        time = _time(entry, events, last, previous, zone, path)
        _check_evidence(entry, events, time, path)
        facts = facts_of(entry.evidence, events, zone)
        gold = read_answer(entry.answer, facts, zone, (*path, "answer"), source)
        _check_wrong(entry, gold, path)
        questions.append(
            ScenarioQuestion(
                id=entry.id,
                time=time,
                ask=entry.ask,
                gold=gold,
                was=entry.was,
                distractors=entry.not_,
                evidence=entry.evidence,
                hops=entry.hops,
                tags=entry.tags,
                ambiguous=entry.ambiguous,
                follow_up=index > 0 if entry.follow_up is None else entry.follow_up,
                formula=entry.answer.get("formula"),
                script=entry.answer.get("script"),
                unscored=unscored.get(entry.id),
            )
        )
    return tuple(questions)


def facts_of(evidence: Mapping[str, str], events: Mapping[str, Event], zone: ZoneInfo) -> dict[str, Fact]:
    """What formulas may read, by event id."""
    return {event_id: Fact(words, events[event_id].time, zone) for event_id, words in evidence.items()}


def _time(
    entry: QuestionEntry,
    events: Mapping[str, Event],
    last: datetime,
    previous: datetime | None,
    zone: ZoneInfo,
    path: KeyPath,
) -> datetime:
    if entry.at is not None and entry.after is not None:
        raise Mistake((*path, "after"), "a question has `at` or `after`, not both; remove one", at_key=True)
    if entry.at is None and entry.after is None:
        return last if previous is None else max(last, previous)
    if entry.after is not None:
        path = (*path, "after")
        require(entry.after, events, path, "event")
        time = events[entry.after].time
    else:
        path = (*path, "at")
        try:
            time = parse_instant(entry.at or "", zone)
        except ValueError as error:
            raise Mistake(path, str(error)) from None
    if previous is not None and time < previous:
        stated = f"{format_instant(time)} lies before the question before it ({format_instant(previous)})"
        raise Mistake(path, f"{stated}; put the questions in the order of their times")
    return time


def _check_wrong(entry: QuestionEntry, gold: Gold, path: KeyPath) -> None:
    """Raises Mistake for a superseded or planted value that is right, or that is there twice."""
    right = {folded(spelling) for spelling in spellings(gold)}
    seen: set[str] = set()
    for key, wrong in (("was", entry.was), ("not", entry.not_)):
        for place, text in enumerate(wrong):
            if folded(text) in right:
                raise Mistake((*path, key, place), f"{quoted(text)} is right in `answer`; remove one of them")
            if folded(text) in seen:
                raise Mistake((*path, key, place), f"{quoted(text)} is there twice in `was` and `not`; remove one")
            seen.add(folded(text))


def _check_evidence(entry: QuestionEntry, events: Mapping[str, Event], time: datetime, path: KeyPath) -> None:
    path = (*path, "evidence")
    if not entry.evidence:
        raise Mistake(path, "at least one event must show the answer; write `event-id: the decisive words`")
    for event_id, words in entry.evidence.items():
        where = (*path, event_id)
        require(event_id, events, where, "event", at_key=True)
        event = events[event_id]
        if event.time > time:
            when = f"{format_instant(event.time)}, after the question ({format_instant(time)})"
            raise Mistake(where, f"{quoted(event_id)} happens at {when}; name an earlier event", at_key=True)
        if not states(event.payload, words):
            raise Mistake(where, f"{quoted(event_id)} doesn't say {quoted(words)}; copy the words from the event")
