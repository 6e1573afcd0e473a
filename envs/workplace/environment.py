"""One episode of a scenario: its questions one after the other, at their times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from envs.clock import FrozenClock
from envs.protocol import Answer, Item, Observation, Question, Setting, ToolPack
from envs.workplace.briefing import RULES, briefing
from scenarios.scenario import Scenario


class WorkplaceEnvironment:
    """Turn i asks question i at its instant and tells nothing unasked; the clock stands while the agent works."""

    def __init__(self, scenario: Scenario, packs: Sequence[ToolPack], seed: int) -> None:
        self._scenario = scenario
        self._packs = packs
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
            questions=(Question(question.id, question.ask, "sequential"),),
            done=self._turn + 1 == len(self._scenario.questions),
        )

    def packs(self, question: Question) -> Sequence[ToolPack]:
        """The platforms' tools as the agent's account sees them, shared by forks too, since nothing can be written."""
        return self._packs

    def arrivals(self) -> tuple[Item, ...]:
        return ()

    def findings(self, question: Question) -> Mapping[str, bool]:
        return {}

    async def close(self) -> None:
        """Nothing is held open."""
