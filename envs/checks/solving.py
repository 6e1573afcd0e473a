"""Solving: the oracle answers everything, from all platforms together only; silence and searching don't."""

from __future__ import annotations

from agents.baselines import Silent
from agents.scan import Scan
from envs.checks.finding import Note, question_path
from envs.checks.playing import play, score
from envs.protocol import Agent, Case
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.oracle import Oracle
from judges.mentions import unmentioned
from scenarios.scenario import Scenario

MOST_BY_SCAN = 0.5
"""The mean score up to which a scenario may be solved by searching."""


async def solved(scenario: Scenario) -> list[Note]:
    """The oracle scores 1.0 on every question."""
    notes = []
    for case, points in await _scores(scenario, Oracle(scenario, unmentioned)):
        if points < 1.0:
            message = f"the oracle fails: {_reason(case)}; {_mend(case)}"
            notes.append(Note(question_path(scenario, case.row.question, "evidence"), message, at_key=True))
    return notes


async def silence(scenario: Scenario) -> list[Note]:
    """Saying nothing scores 0 on every question."""
    return [
        Note(question_path(scenario, case.row.question, "answer"), "saying nothing is right; ask for something")
        for case, points in await _scores(scenario, Silent())
        if points > 0
    ]


async def platforms_needed(scenario: Scenario) -> list[Note]:
    """An oracle that may ask one platform only fails every question."""
    notes = []
    for platform in sorted({event.platform for event in scenario.events}):
        for case, points in await _scores(scenario, Oracle(scenario, unmentioned, platforms=(platform,))):
            if points >= 1.0:
                message = f"{platform} alone has all of it; move a part of the evidence to another platform"
                notes.append(Note(question_path(scenario, case.row.question, "evidence"), message, at_key=True))
    return notes


async def searched(scenario: Scenario) -> list[Note]:
    """Reading everything and answering from what is most like the question scores at most 0.5 on average."""
    scores = [(case, points) for case, points in await _scores(scenario, Scan())]
    mean = sum(points for _, points in scores) / len(scores)
    if mean <= MOST_BY_SCAN:
        return []
    right = ", ".join(case.row.question for case, points in scores if points > 0)
    message = f"searching alone scores {mean:.2f} (on {right}); word questions and evidence less alike"
    return [Note(("questions",), message, at_key=True)]


async def _scores(scenario: Scenario, agent: Agent) -> list[tuple[Case, float]]:
    return [(case, await score(case)) for case in await play(WorkplaceInstance(scenario), agent)]


def _reason(case: Case) -> str:
    return case.answer.detail or f"its answer {case.answer.text!r} doesn't match"


def _mend(case: Case) -> str:
    if case.answer.text is not None:
        return "state the answer so that it matches itself"
    return "name evidence that the agent can read and that states the answer"
