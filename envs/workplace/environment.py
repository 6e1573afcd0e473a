"""One episode of a scenario: its questions one after the other, at their times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from envs.clock import FrozenClock
from envs.protocol import Answer, Item, Observation, Question, Setting, ToolPack
from envs.workplace.briefing import RULES, briefing
from envs.workplace.machine import Machine
from scenarios.scenario import Scenario


class WorkplaceEnvironment:
    """Turn i asks question i at its instant and tells nothing unasked; the clock stands while the agent works."""

    def __init__(
        self,
        scenario: Scenario,
        tools: Callable[[Machine], Sequence[ToolPack]],
        check: Callable[[], None],
        seed: int,
    ) -> None:
        """`tools`: those of an agent that works on that machine. `check` raises UserError where they can't be had."""
        self._scenario = scenario
        self._tools = tools
        self._check = check
        self._machine = Machine.of(scenario)
        self._forks: dict[str, Machine] = {}
        self._turn = -1
        self._setting = Setting(scenario.id, briefing(scenario), RULES, open_loop=False, seed=seed)
        self._clock = FrozenClock(scenario.questions[0].time)

    @property
    def setting(self) -> Setting:
        return self._setting

    @property
    def clock(self) -> FrozenClock:
        return self._clock

    async def reset(self) -> Observation:
        """The first turn, on an empty machine. Raises UserError where this host can't offer the tools."""
        self._check()
        await self.close()
        self._machine = Machine.of(self._scenario)
        self._turn = -1
        self._clock = FrozenClock(self._scenario.questions[0].time)
        return self._next()

    async def step(self, answers: Sequence[Answer]) -> Observation:
        """The next question's turn; answers change nothing here. Raises RuntimeError after the last one."""
        if self._turn + 1 >= len(self._scenario.questions):
            raise RuntimeError(f"{self._scenario.id} has no more turns")
        return self._next()

    def _next(self) -> Observation:
        self._turn += 1
        question = self._scenario.questions[self._turn]
        self._clock.advance(question.time)
        return Observation(
            turn=self._turn,
            time=question.time,
            items=(),
            questions=(Question(question.id, question.ask, "sequential", question.choices),),
            done=self._turn + 1 == len(self._scenario.questions),
        )

    def packs(self, question: Question) -> Sequence[ToolPack]:
        """The platforms' and the machine's tools. An independent question works on a copy of the machine, which goes
        when the question closes."""
        if question.mode == "sequential":
            return self._tools(self._machine)
        self._close_fork(question)
        fork = self._forks[question.id] = self._machine.fork()
        return self._tools(fork)

    def arrivals(self) -> tuple[Item, ...]:
        return ()

    def findings(self, question: Question) -> Mapping[str, bool]:
        """None yet; with it the question closes."""
        self._close_fork(question)
        return {}

    def _close_fork(self, question: Question) -> None:
        fork = self._forks.pop(question.id, None)
        if fork is not None:
            fork.close()

    async def close(self) -> None:
        """Removes the machine's directory, and those of questions that never closed."""
        for machine in (self._machine, *self._forks.values()):
            machine.close()
        self._forks.clear()
