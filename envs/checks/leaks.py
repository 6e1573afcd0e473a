"""Leaks: at an instant an agent reaches nothing that is later, and no answer, by any surface.

Three parts, held to a scenario in a world (how its tools are made), so that a store can be held to them that leaks on
purpose: marks in every later event and every answer are found nowhere; every event's mark is found once it has
happened, so that the search is known to work; and all reads are the same bytes with and without what is later.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from envs.checks.finding import Note
from envs.checks.marks import MARK, marked
from envs.checks.repositories import everything_in
from envs.checks.sweep import Names, Read, names_of, sweep
from envs.clock import FrozenClock, format_instant
from envs.protocol import Question, ToolPack
from envs.workplace.instance import OPTIONAL_PACKS, WorkplaceInstance
from scenarios.mistake import quoted
from scenarios.scenario import Event, Scenario
from servers.gateway import Gateway
from servers.git.remotes import Remotes
from servers.git.store import user_store

World = Callable[[Scenario], AbstractAsyncContextManager[Sequence[ToolPack]]]
"""The tools of a scenario, bound to its agent, for as long as they are used."""

_SAMPLED = 8
"""Instants between the first event and the last that are looked at besides those of the questions."""
_QUICK = frozenset({"slack", "linear", "files", "notify"})
_TIMELINE = ("timeline",)
_OURS = "the tools are at fault, not the file: report it with the file"


@asynccontextmanager
async def workplace(scenario: Scenario) -> AsyncIterator[Sequence[ToolPack]]:
    """The tools as an episode has them, every optional pack among them."""
    environment = WorkplaceInstance(scenario, frozenset(OPTIONAL_PACKS)).environment(0)
    try:
        yield environment.packs(Question("", "", "sequential"))
    finally:
        await environment.close()


async def leaks(scenario: Scenario) -> list[Note]:
    """All parts, on the tools as they are and on the repositories behind them."""
    return [
        *await later_shows(scenario, workplace),
        *await unfound_marks(scenario, workplace),
        *await told_answers(scenario),
        *await repository_leaks(scenario),
    ]


async def later_shows(scenario: Scenario, world: World) -> list[Note]:
    """Parts one and three: at an instant no mark of a later event is found, and all reads are byte-identical with and
    without the later events in the file. Tells of the first instant at which something shows.

    Git, whose calls are slow, is asked at the questions' instants.
    """
    copy = marked(scenario)
    names = names_of(copy.scenario)
    times = {event.id: event.time for event in scenario.events}
    asked = {question.time for question in scenario.questions}
    for now in instants(scenario):
        past = replace(copy.scenario, events=tuple(event for event in copy.scenario.events if event.time <= now))
        platforms = None if now in asked else _QUICK
        whole = [read async for read in _reads(copy.scenario, world, names, now, platforms)]
        alone = [read async for read in _reads(past, world, names, now, platforms)]
        later = {mark for mark, event_id in copy.events.items() if times[event_id] > now}
        when = f"at {format_instant(now)}"
        notes = [
            f"{when} `{read.call}` holds what {quoted(copy.events[mark])} says later"
            for read in whole
            for mark in sorted(later & set(MARK.findall(read.text)))
        ][:1]
        notes += [
            f"{when} `{first.call}` depends on what happens later: {_apart(first, second)}"
            for first, second in zip(whole, alone, strict=False)
            if first != second
        ][:1]
        if notes:
            return [Note(_TIMELINE, f"{message}; {_OURS}", at_key=True) for message in notes]
    return []


async def unfound_marks(scenario: Scenario, world: World) -> list[Note]:
    """Part two: every event's mark is found, after the last event, or where that has gone by then, at its own time.

    By somebody: each person reads what they may. A mark that nobody finds would show that part one finds nothing.
    """
    copy = marked(scenario)
    names = names_of(copy.scenario)
    platforms = {event.id: event.platform for event in scenario.events}
    missing = dict(copy.events.items())
    end = scenario.events[-1].time

    async def strike(seen: Scenario, now: datetime) -> None:
        wanted = {platforms[event_id] for event_id in missing.values()}
        async for read in _reads(seen, world, names, now, wanted, thorough=True):
            for mark in MARK.findall(read.text):
                missing.pop(mark, None)

    for handle in dict.fromkeys((scenario.agent.handle, *(person.handle for person in scenario.org.people))):
        if missing:
            await strike(_seen_by(copy.scenario, handle), end)
    for index, event in enumerate(copy.scenario.events):
        if event.id in missing.values():
            seen = _seen_by(copy.scenario, _actor(scenario, event))
            await strike(replace(seen, events=copy.scenario.events[: index + 1]), event.time)
    return [
        Note(_TIMELINE, f"no tool ever shows what {quoted(event_id)} says; {_OURS}", at_key=True)
        for event_id in missing.values()
    ]


async def told_answers(scenario: Scenario) -> list[Note]:
    """No answer, and no later question, is in what the agent is told or can read when a question is asked."""
    copy = marked(scenario)
    questions = list(copy.questions.items())
    environment = WorkplaceInstance(copy.scenario).environment(0)
    notes = []
    try:
        observation = await environment.reset()
        for index, question in enumerate(copy.scenario.questions):
            asked = Question(question.id, question.ask, "sequential")
            tools = Gateway(environment.packs(asked), environment.clock, environment.arrivals, charging=True)
            told = [repr(environment.setting), repr(observation), repr(tools.specs())]
            if observation.done:
                told += [read.text async for read in sweep(tools, names_of(copy.scenario))]
            hidden = {**copy.golds, **dict(questions[index + 1 :])}
            for mark in sorted(set(MARK.findall("\n".join(told))) & hidden.keys()):
                message = f"the answer or the words of {quoted(hidden[mark])} can be read before; {_OURS}"
                notes.append(Note(("questions", index), message))
            if not observation.done:
                observation = await environment.step(())
    finally:
        await environment.close()
    return notes


async def repository_leaks(scenario: Scenario) -> list[Note]:
    """No repository that is served at an instant holds anything later, in any object, ref or log, reached or not."""
    copy = marked(scenario)
    times = {event.id: event.time for event in scenario.events}
    for now in instants(scenario) if scenario.org.git.repositories else ():
        later = {mark for mark, event_id in copy.events.items() if times[event_id] > now}
        for name, remote in Remotes(copy.scenario, user_store).at(now).items():
            for surface, content in everything_in(Path(remote.open().bare.path)):
                for mark in sorted(later & set(MARK.findall(content))):
                    message = (
                        f"at {format_instant(now)} the {surface} of the repository {quoted(name)} holds what "
                        f"{quoted(copy.events[mark])} says later; {_OURS}"
                    )
                    return [Note(_TIMELINE, message, at_key=True)]
    return []


def instants(scenario: Scenario) -> list[datetime]:
    """The times looked at, in order: before anything, at each question, and some events spread over the timeline."""
    times = sorted({event.time for event in scenario.events})
    step = max(len(times) // _SAMPLED, 1)
    return sorted({times[0] - timedelta(seconds=1), *times[::step], *(each.time for each in scenario.questions)})


async def _reads(
    scenario: Scenario,
    world: World,
    names: Names,
    now: datetime,
    platforms: Collection[str] | None = None,
    *,
    thorough: bool = False,
) -> AsyncIterator[Read]:
    async with world(scenario) as packs:
        tools = Gateway(packs, FrozenClock(now), lambda: (), charging=True)
        async for read in sweep(tools, names, platforms=platforms, thorough=thorough):
            yield read


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
