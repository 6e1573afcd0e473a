"""Errata: golds that were found wrong, with what they should have been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from scenarios.answers import read_answer
from scenarios.mistake import KeyPath, Mistake, require
from scenarios.questions import facts_of
from scenarios.scenario import Erratum, Event, ScenarioQuestion
from scenarios.schema import ErratumEntry
from scenarios.source import Source


def read_errata(
    entries: Sequence[ErratumEntry],
    questions: Sequence[ScenarioQuestion],
    events: Mapping[str, Event],
    zone: ZoneInfo,
    source: Source,
) -> tuple[Erratum, ...]:
    """The errata in the order of the file. Raises Mistake for an unknown question, a version out of turn, and a
    correction that corrects nothing."""
    by_id = {question.id: question for question in questions}
    latest = {question.id: question.gold for question in questions}
    found: list[Erratum] = []
    for index, entry in enumerate(entries):
        path: KeyPath = ("errata", index)
        require(entry.question, by_id, (*path, "question"), "question")
        due = 1 + sum(erratum.question == entry.question for erratum in found)
        if entry.version != due:
            raise Mistake((*path, "version"), f"the versions of a question count from 1; this one is {due}")
        facts = facts_of(by_id[entry.question].evidence, events, zone)
        gold = read_answer(entry.answer, facts, zone, (*path, "answer"), source)
        if gold == latest[entry.question]:
            raise Mistake((*path, "answer"), "this is the answer that the question has already; remove the erratum")
        latest[entry.question] = gold
        found.append(Erratum(entry.question, entry.version, entry.note, gold))
    return tuple(found)
