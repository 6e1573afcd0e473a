"""Mutations: in a world where one evidence event is missing or says something else, the oracle fails its question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from envs.checks.finding import Note, question_path
from envs.checks.playing import play, score
from envs.checks.worlds import altered, without
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.oracle import Oracle
from judges.mentions import unmentioned
from scenarios.mistake import quoted
from scenarios.scenario import Scenario, ScenarioQuestion


async def needed(scenario: Scenario) -> list[Note]:
    """Every evidence event, and what it says, is needed: no other event says the same in the same place."""
    notes = []
    for question in scenario.questions:
        for event_id, words in question.evidence.items():
            for what, world in _mutants(scenario, event_id, words):
                if await _solves(scenario, world, question):
                    message = (
                        f"{what} {quoted(event_id)}, and the oracle still answers: {quoted(words)} stands elsewhere "
                        "too; choose words that only this event says there, or leave it out"
                    )
                    path = question_path(scenario, question.id, "evidence", event_id)
                    notes.append(Note(path, message, at_key=True))
    return notes


def _mutants(scenario: Scenario, event_id: str, words: str) -> Iterator[tuple[str, Scenario]]:
    yield "delete", without(scenario, event_id)
    other = altered(scenario, event_id, words)
    if other is not None:
        yield "change", other


async def _solves(scenario: Scenario, world: Scenario, question: ScenarioQuestion) -> bool:
    """Whether an oracle that knows the unchanged scenario answers the question in `world`."""
    (case,) = await play(WorkplaceInstance(replace(world, questions=(question,))), Oracle(scenario, unmentioned))
    return await score(case) >= 1.0
