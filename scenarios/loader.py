"""Loads a scenario file: read, checked against the schema, ordered in time, every reference followed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from envs.canonical import digest
from envs.clock import format_instant, parse_instant
from scenarios.errata import read_errata
from scenarios.mistake import Mistake, quoted
from scenarios.organisation import check_organisation
from scenarios.part import Part
from scenarios.provenance import check_provenance
from scenarios.questions import read_questions
from scenarios.references import reference_checks
from scenarios.scenario import Erratum, Event, Scenario, ScenarioQuestion
from scenarios.schema import LinearUpdate, ScenarioFile
from scenarios.source import Source
from scenarios.suite import suite_of
from scenarios.timeline import read_timeline
from scenarios.validation import validated
from scenarios.zones import checked_zone


def load(path: Path) -> Scenario:
    """The scenario in the YAML file `path`.

    Raises ScenarioError, one line `file:line:column: what is wrong; how to mend it`, for the first mistake found.
    """
    source = Source.read(path)
    try:
        return _scenario(source.values(), source)
    except Mistake as mistake:
        raise source.error_of(mistake) from None


def _scenario(values: Any, source: Source) -> Scenario:
    file = validated(ScenarioFile, values, (), source)
    zone = checked_zone(file.zone, ("zone",))
    people = check_organisation(file.org, file.agent)
    entries = read_timeline(file.timeline, zone, source)
    events = {entry.event.id: entry.event for entry in entries}
    checks = reference_checks(file.org, people, events)
    for entry in entries:
        checks[entry.event.platform](entry)
    check_provenance(file, events.values())
    questions = read_questions(file.questions, events, file.unscored, zone, source)
    errata = read_errata(file.errata, questions, events, zone, source)
    return Scenario(
        id=file.id,
        title=file.title,
        origin=file.origin,
        summary=file.summary,
        zone=zone,
        canary=file.canary,
        org=file.org,
        agent=file.agent,
        events=tuple(events.values()),
        questions=questions,
        digest=_digest(file, events.values(), questions, errata),
        folder=source.folder,
        source=file.source,
        initial_read=_initial_read(file, questions, zone),
        errata=errata,
        suite=suite_of(source.path),
    )


def _initial_read(file: ScenarioFile, questions: Sequence[ScenarioQuestion], zone: ZoneInfo) -> datetime | None:
    given, first = file.agent.initial_read, questions[0].time
    if given == "none":
        return None
    if given == "all":
        return first
    path = ("agent", "initial_read")
    try:
        instant = parse_instant(given, zone)
    except ValueError as error:
        raise Mistake(path, f"{error}; or write none or all") from None
    if instant > first:
        raise Mistake(path, f"{quoted(given)} lies after the first question; write an earlier instant, or all")
    return instant


def _digest(
    file: ScenarioFile, events: Iterable[Event], questions: Sequence[ScenarioQuestion], errata: Sequence[Erratum]
) -> str:
    """Of what the file means: layout, comments, the order of keys and the spelling of times don't count."""
    content = file.model_dump(by_alias=True, exclude_defaults=True, exclude={"timeline", "questions", "errata"})
    return digest(
        {
            **content,
            "events": [(event.id, format_instant(event.time), event.kind, _given(event.payload)) for event in events],
            "questions": questions,
            "errata": errata,
        }
    )


def _given(payload: Part) -> dict[str, Any]:
    """What an event says. Only in an update does it matter whether a key was left out or has its default."""
    update = isinstance(payload, LinearUpdate)
    return payload.model_dump(by_alias=True, exclude_unset=update, exclude_defaults=not update)
