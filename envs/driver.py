"""The one driver: takes any agent through any environment, turn by turn, on every track.

What it holds: an answer uses its own view and nothing later; an independent question leaves no trace; every row is
recorded before it counts; a fault of ours ends what depends on it and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from envs.errors import Fault, UserError
from envs.protocol import (
    Agent,
    Answer,
    Call,
    Case,
    Environment,
    Instance,
    Models,
    Observation,
    Question,
    Record,
    RowKey,
    View,
)
from servers.gateway import Gateway

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to be put: its row, and what the agent knew when it came up."""

    row: RowKey
    question: Question
    asked: datetime
    view: View


def plan(asks: Sequence[Ask], order: str) -> list[list[Ask]]:
    """Waves whose members share the longest prefix: the asks of one turn, or of one question. Pure."""
    waves: dict[object, list[Ask]] = {}
    for ask in asks:
        waves.setdefault(ask.row.turn if order == "turn" else ask.row.question, []).append(ask)
    return list(waves.values())


class Episode:
    """One agent in one environment, for one (instance, trial)."""

    def __init__(
        self,
        instance: Instance,
        environment: Environment,
        agent: Agent,
        record: Record,
        models: Models,
        *,
        trial: int = 0,
        width: int = 8,
        finished: Callable[[Case], Awaitable[None]] | None = None,
        called: Callable[[RowKey, Call], None] | None = None,
    ) -> None:
        """`width`: how many independent questions may be under way at once.

        `finished` hears of every row once it is recorded, `called` of every tool call when it returns.
        """
        self._instance = instance
        self._environment = environment
        self._agent = agent
        self._record = record
        self._models = models
        self._trial = trial
        self._width = width
        self._finished = finished
        self._called = called

    async def run(self) -> None:
        """Drives to the end, or to the fault that makes going on meaningless. Raises UserError for the run's own."""
        try:
            await self._agent.start(self._environment.setting)
            await self._turns()
        finally:
            await self._agent.close()
            await self._environment.close()

    async def _turns(self) -> None:
        planned: list[Ask] = []
        open_loop = self._environment.setting.open_loop
        observation = await self._environment.reset()
        turn = 0
        while True:
            _check(observation, turn)
            view = await self._observe(observation)
            if isinstance(view, Fault):
                await self._fault_all(observation, view)
                break
            asks = [self._ask(question, observation, view) for question in observation.questions]
            answers: list[Answer] = []
            if open_loop and view.durable:
                planned += asks
            else:
                answers = await self._lock_step(asks)
            if observation.done or (not open_loop and _sequential_fault(asks, answers)):
                break
            observation = await self._environment.step(answers)
            turn += 1
        for wave in plan(planned, self._agent.order):
            await self._wave(wave)

    def _ask(self, question: Question, observation: Observation, view: View) -> Ask:
        row = RowKey(self._instance.id, question.id, observation.turn, self._trial)
        return Ask(row, question, observation.time, view)

    async def _observe(self, observation: Observation) -> View | Fault:
        """The fault, where one kept the agent from taking the turn in."""
        scope = f"{self._instance.id}/ingest/{observation.turn}/{self._trial}"
        try:
            return await self._agent.observe(replace(observation, questions=()), self._models(scope))
        except Fault as fault:
            return fault

    async def _fault_all(self, observation: Observation, fault: Fault) -> None:
        """The turn's questions can't be asked: each gets a row that says why, unscored, tried again on resume."""
        for question in observation.questions:
            row = RowKey(self._instance.id, question.id, observation.turn, self._trial)
            answer = fault_answer(question, fault)
            await self._close_row(Case(row, question, observation.time, self._instance.key(row), answer, ()))

    async def _lock_step(self, asks: Sequence[Ask]) -> list[Answer]:
        """Independent ones first, each in a fork; then the one sequential question. Answers in that order."""
        answers = await self._wave([ask for ask in asks if ask.question.mode == "independent"])
        for ask in asks:
            if ask.question.mode == "sequential":
                answers.append(await self._put(ask))
        return answers

    async def _wave(self, asks: Sequence[Ask]) -> list[Answer]:
        """The first alone, so that its prefix is cached when the rest follow; several at once where agents allow."""
        if not asks:
            return []
        gate = asyncio.Semaphore(self._width if self._agent.parallel and self._agent.order == "turn" else 1)

        async def one(ask: Ask) -> Answer:
            async with gate:
                return await self._put(ask)

        first = await self._put(asks[0])
        async with asyncio.TaskGroup() as group:
            rest = [group.create_task(one(ask)) for ask in asks[1:]]
        return [first, *(task.result() for task in rest)]

    async def _put(self, ask: Ask) -> Answer:
        """Puts one question and records it. A recorded independent row stands: asking it left no trace."""
        if ask.question.mode == "independent" and (done := self._record.answer(ask.row)) is not None:
            return done
        environment, question = self._environment, ask.question
        packs = [*environment.packs(question), *self._agent.packs(question, ask.view)]
        charging = question.mode == "sequential"
        called = None if self._called is None else partial(self._called, ask.row)
        tools = Gateway(packs, environment.clock, environment.arrivals, charging=charging, called=called)
        answer = await self._answer(ask, tools)
        calls, findings = tuple(tools.calls), environment.findings(question)
        case = Case(ask.row, question, ask.asked, self._instance.key(ask.row), answer, calls, findings)
        await self._close_row(case)
        return answer

    async def _answer(self, ask: Ask, tools: Gateway) -> Answer:
        try:
            return await self._agent.answer(ask.question, ask.view, tools, self._models("/".join(map(str, ask.row))))
        except Fault as fault:
            return fault_answer(ask.question, fault)
        except UserError:
            raise
        except Exception as error:
            _LOG.exception("%s: the agent failed", "/".join(map(str, ask.row)))
            return fault_answer(ask.question, Fault("internal", f"{type(error).__name__}: {error}"))

    async def _close_row(self, case: Case) -> None:
        await self._record.finish(case)
        if self._finished is not None:
            await self._finished(case)


def fault_answer(question: Question, fault: Fault) -> Answer:
    """The answer of a question that a failure of ours kept from being answered."""
    return Answer(question.id, None, "fault", fault.kind, detail=str(fault))


def _sequential_fault(asks: Sequence[Ask], answers: Sequence[Answer]) -> bool:
    """Whether the conversation was cut: what follows would build on a question that was never answered."""
    cut = {answer.question for answer in answers if answer.fault is not None}
    return any(ask.question.mode == "sequential" and ask.question.id in cut for ask in asks)


def _check(observation: Observation, turn: int) -> None:
    if observation.turn != turn:
        raise RuntimeError(f"the environment numbered its turn {observation.turn}, not {turn}")
    if sum(question.mode == "sequential" for question in observation.questions) > 1:
        raise RuntimeError(f"turn {turn} has more than one sequential question")
