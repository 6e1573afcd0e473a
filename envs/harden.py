"""`envs harden`: which questions an agent passes, and which evidence it had read, for the author's next round."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from envs.clock import FrozenClock
from envs.protocol import Call, Case, Question, RowKey, Verdict
from envs.workplace.enquiry import Enquiry
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.oracle import located, searches_of
from envs.workplace.showing import Showing
from scenarios.scenario import Scenario
from servers.gateway import Gateway


@dataclass(frozen=True, slots=True)
class Passage:
    """How one question went; `score` None: unscored. `read`, `unread`: evidence events, as a result had them or not."""

    row: RowKey
    score: float | None
    read: tuple[str, ...]
    unread: tuple[str, ...]
    answer: str | None


async def passages(scenario: Scenario, cases: Sequence[Case], verdicts: Mapping[RowKey, Verdict]) -> list[Passage]:
    """The recorded cases of a scenario, calls with results, in their order. Evidence read for an earlier question of
    the same conversation counts as read."""
    found = []
    calls: dict[int, list[Call]] = {}
    for case in cases:
        known = calls.setdefault(case.row.trial, [])
        known += case.calls
        shown = [pair async for pair in _shown(scenario, case.row.question)]
        read = tuple(event for event, showing in shown if any(_holds(call, showing) for call in known))
        verdict = verdicts.get(case.row)
        found.append(
            Passage(
                case.row,
                None if verdict is None else verdict.score,
                read,
                tuple(event for event, _ in shown if event not in read),
                case.answer.text,
            )
        )
    return found


def render(found: Sequence[Passage]) -> Iterator[str]:
    """One line a question, then what to look at."""
    for each in found:
        verdict = "unscored" if each.score is None else "passed" if each.score >= 1 else f"failed ({each.score:.2f})"
        trial = f" trial {each.row.trial}" if each.row.trial else ""
        total = len(each.read) + len(each.unread)
        line = f"{each.row.question}{trial}: {verdict}, read {len(each.read)} of {total} evidence events"
        yield line + (f", not {', '.join(each.unread)}" if each.unread else "")
    passed = [each for each in found if each.score is not None and each.score >= 1]
    yield f"{len(passed)} of {len(found)} passed"
    for each in passed:
        if each.unread:
            missed = ", ".join(each.unread)
            yield f"{each.row.question} was passed without {missed}: it isn't needed, or it can be guessed"


async def _shown(scenario: Scenario, question: str) -> AsyncIterator[tuple[str, Showing | None]]:
    """Evidence event -> what shows it at the time of the question."""
    asked = next(each for each in scenario.questions if each.id == question)
    environment = WorkplaceInstance(scenario).environment(0)
    try:
        packs = environment.packs(Question("", "", "sequential"))
        tools = Gateway(packs, FrozenClock(asked.time), lambda: (), charging=True)
        for search in searches_of(scenario, asked, Enquiry(tools)):
            yield search.event.id, await located(search)
    finally:
        await environment.close()


def _holds(call: Call, showing: Showing | None) -> bool:
    """Whether a result has one of the texts, beside the name of its place."""
    if showing is None or showing.beside not in call.result:
        return False
    return any(json.dumps(text, ensure_ascii=False)[1:-1] in call.result for text in showing.texts)
