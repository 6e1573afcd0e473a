"""Curation: what makes a scenario worth asking, after the rules by which the paper's authors chose theirs."""

from __future__ import annotations

from itertools import pairwise

from envs.checks.events import locations, names_whole, place
from envs.checks.finding import Note, question_path
from scenarios.mistake import quoted
from scenarios.scenario import Event, Scenario, ScenarioQuestion

HOPS = 5
"""What the longest question of a scenario takes at least."""
SWITCHES = 3
"""How often the chain of evidence goes on on another platform, at least."""
PLATFORMS = 3
"""On how many platforms the evidence of a scenario lies, at least."""

_QUESTIONS = ("questions",)


async def hops(scenario: Scenario) -> list[Note]:
    """At least one question takes five hops."""
    most = max(question.hops for question in scenario.questions)
    return _note(most < HOPS, f"the longest question takes {most} hops; let one take {HOPS} or more")


async def switches(scenario: Scenario) -> list[Note]:
    """The evidence, question by question in time order, changes its platform at least three times."""
    chain = [event.platform for question in scenario.questions for event in _evidence(scenario, question)]
    count = sum(first != second for first, second in pairwise(chain))
    return _note(count < SWITCHES, f"the evidence changes its platform {count} times; make it {SWITCHES} or more")


async def platforms(scenario: Scenario) -> list[Note]:
    """The evidence of all questions together lies on at least three platforms."""
    found = {event.platform for question in scenario.questions for event in _evidence(scenario, question)}
    told = ", ".join(sorted(found))
    return _note(len(found) < PLATFORMS, f"all evidence lies on {told}; let {PLATFORMS} platforms hold a part of it")


async def spread(scenario: Scenario) -> list[Note]:
    """No question has all its evidence in one thread, ticket, file or repository."""
    notes = []
    for question in scenario.questions:
        places = {place(scenario, event) for event in _evidence(scenario, question)}
        if len(places) == 1:
            kind, name = places.pop()
            message = f"one {kind} ({name}) has all the evidence; let another place hold a part of it"
            notes.append(Note(question_path(scenario, question.id, "evidence"), message, at_key=True))
    return notes


async def time_matters(scenario: Scenario) -> list[Note]:
    """Some follow-up rests on an event that came after the question before it."""
    for before, question in pairwise(scenario.questions):
        if any(before.time < event.time for event in _evidence(scenario, question)):
            return []
    return _note(True, "no event between two questions changes an answer; ask again after something has changed")


async def revised(scenario: Scenario) -> list[Note]:
    """At least one answer was another one before."""
    changed = any(question.was for question in scenario.questions)
    return _note(not changed, "no answer was ever another one; let a decision be revised, and list its values in `was`")


async def distracted(scenario: Scenario) -> list[Note]:
    """At least one wrong value is planted."""
    planted = any(question.distractors for question in scenario.questions)
    return _note(not planted, "no wrong value is planted; put one into the timeline, and list it in `not`")


async def unnamed(scenario: Scenario) -> list[Note]:
    """No question names the ticket, channel, repository or file that holds its evidence."""
    notes = []
    for question in scenario.questions:
        named = {name for event in _evidence(scenario, question) for name in locations(scenario, event)}
        for name in sorted(name for name in named if names_whole(question.ask, name)):
            message = f"the question names {quoted(name)}, where evidence lies; ask for the matter, not the place"
            notes.append(Note(question_path(scenario, question.id, "ask"), message))
    return notes


def _evidence(scenario: Scenario, question: ScenarioQuestion) -> list[Event]:
    return [event for event in scenario.events if event.id in question.evidence]


def _note(found: bool, message: str) -> list[Note]:
    return [Note(_QUESTIONS, message, at_key=True)] if found else []
