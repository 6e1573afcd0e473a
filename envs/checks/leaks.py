"""Leaks: at an instant an agent reaches nothing that is later, and no answer, by any surface.

Three parts, each a function of a scenario and of a world (how its tools are made), so that a store can be held to them
that leaks on purpose: marks in every later event and every answer are found nowhere; every event's mark is found once
it has happened, so that the search is known to work; and all reads are the same bytes with and without what is later.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from envs.checks.finding import Note
from envs.checks.marks import MARK, marked
from envs.checks.sweep import Names, Read, names_of, sweep
from envs.clock import FrozenClock, format_instant
from envs.protocol import Question, ToolPack
from envs.workplace.instance import WorkplaceInstance
from scenarios.mistake import quoted
from scenarios.scenario import Event, Scenario
from servers.gateway import Gateway

World = Callable[[Scenario], AbstractAsyncContextManager[Sequence[ToolPack]]]
"""The tools of a scenario, bound to its agent, for as long as they are used."""

_SAMPLED = 12
"""Instants between the first event and the last that are looked at besides those of the questions."""
_TIMELINE = ("timeline",)
_OURS = "the tools are at fault, not the file: report it with the file"


@asynccontextmanager
async def workplace(scenario: Scenario) -> AsyncIterator[Sequence[ToolPack]]:
    """The tools as an episode has them."""
    environment = WorkplaceInstance(scenario).environment(0)
    try:
        yield environment.packs(Question("", "", "sequential"))
    finally:
        await environment.close()


async def leaks(scenario: Scenario) -> list[Note]:
    """All three parts, on the tools as they are."""
    return [
        *await later_marks(scenario, workplace),
        *await unfound_marks(scenario, workplace),
        *await differences(scenario, workplace),
        *await told_answers(scenario),
    ]


async def later_marks(scenario: Scenario, world: World) -> list[Note]:
    """Part one: no mark of a later event is found at an instant."""
    copy = marked(scenario)
    names = names_of(copy.scenario)
    order = {event.id: event.time for event in scenario.events}
    notes = []
    for now in instants(scenario):
        later = {mark for mark, event_id in copy.events.items() if order[event_id] > now}
        async for read in _reads(copy.scenario, world, names, now):
            for mark in sorted(later & set(MARK.findall(read.text))):
                event_id = copy.events[mark]
                message = f"at {format_instant(now)} `{read.call}` holds what {quoted(event_id)} says later; {_OURS}"
                notes.append(Note(_TIMELINE, message, at_key=True))
                later.discard(mark)
    return notes


async def unfound_marks(scenario: Scenario, world: World) -> list[Note]:
    """Part two: every event's mark is found, after the last event, or where that has gone by then, at its own time.

    By somebody: each person reads what they may. A mark that nobody finds would show that part one finds nothing.
    """
    copy = marked(scenario)
    names = names_of(copy.scenario)
    missing = dict(copy.events)
    end = scenario.events[-1].time
    for person in scenario.org.people:
        if missing:
            await _strike(_seen_by(copy.scenario, person.handle), world, names, end, missing)
    for index, event in enumerate(copy.scenario.events):
        if event.id in missing.values():
            then = replace(_seen_by(copy.scenario, _actor(scenario, event)), events=copy.scenario.events[: index + 1])
            await _strike(then, world, names, event.time, missing)
    return [
        Note(_TIMELINE, f"no tool ever shows what {quoted(event_id)} says; {_OURS}", at_key=True)
        for event_id in missing.values()
    ]


async def differences(scenario: Scenario, world: World) -> list[Note]:
    """Part three: all reads at an instant are byte-identical with and without the later events in the file."""
    names = names_of(scenario)
    notes = []
    for now in instants(scenario):
        past = replace(scenario, events=tuple(event for event in scenario.events if event.time <= now))
        whole = [read async for read in _reads(scenario, world, names, now)]
        alone = [read async for read in _reads(past, world, names, now)]
        for first, second in zip(whole, alone, strict=False):
            if first != second:
                message = (
                    f"at {format_instant(now)} `{first.call}` depends on what happens later: {_apart(first, second)}"
                )
                notes.append(Note(_TIMELINE, f"{message}; {_OURS}", at_key=True))
                break
    return notes


async def told_answers(scenario: Scenario) -> list[Note]:
    """No answer, and no later question, is in what the agent is told or can read when it is asked."""
    copy = marked(scenario)
    names = names_of(copy.scenario)
    environment = WorkplaceInstance(copy.scenario).environment(0)
    notes = []
    try:
        observation = await environment.reset()
        for index, question in enumerate(copy.scenario.questions):
            asked = Question(question.id, question.ask, "sequential")
            tools = Gateway(environment.packs(asked), environment.clock, environment.arrivals, charging=True)
            told = [repr(environment.setting), repr(observation), repr(tools.specs())]
            told += [read.text async for read in sweep(tools, names)]
            hidden = {**copy.golds, **dict(list(copy.questions.items())[index + 1 :])}
            for mark in sorted(set(MARK.findall("\n".join(told))) & hidden.keys()):
                message = f"the answer or the words of {quoted(hidden[mark])} can be read before; {_OURS}"
                notes.append(Note(("questions", index), message))
            if not observation.done:
                observation = await environment.step(())
    finally:
        await environment.close()
    return notes


def instants(scenario: Scenario) -> list[datetime]:
    """The times looked at, in order: before anything, at each question, and some events spread over the timeline."""
    times = sorted({event.time for event in scenario.events})
    step = max(len(times) // _SAMPLED, 1)
    return sorted({times[0] - timedelta(seconds=1), *times[::step], *(each.time for each in scenario.questions)})


async def _reads(scenario: Scenario, world: World, names: Names, now: datetime) -> AsyncIterator[Read]:
    async with world(scenario) as packs:
        tools = Gateway(packs, FrozenClock(now), lambda: (), charging=True)
        async for read in sweep(tools, names):
            yield read


async def _strike(scenario: Scenario, world: World, names: Names, now: datetime, missing: dict[str, str]) -> None:
    """Takes the marks that are found out of `missing`."""
    async for read in _reads(scenario, world, names, now):
        for mark in MARK.findall(read.text):
            missing.pop(mark, None)


def _seen_by(scenario: Scenario, handle: str) -> Scenario:
    return replace(scenario, agent=scenario.agent.model_copy(update={"handle": handle}))


def _actor(scenario: Scenario, event: Event) -> str:
    """Who did it, and so can see it; of what happens on the agent's machine, the agent."""
    for key in ("by", "sender"):
        handle = getattr(event.payload, key, None)
        if isinstance(handle, str):
            return handle
    return scenario.agent.handle


def _apart(first: Read, second: Read) -> str:
    """Where two texts part, with what follows in the first."""
    length = min(len(first.text), len(second.text))
    at = next((at for at in range(length) if first.text[at] != second.text[at]), length)
    return quoted(first.text[max(at - 20, 0) : at + 40])
