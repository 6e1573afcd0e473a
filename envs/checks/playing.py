"""Playing a scenario in memory: an agent through the driver, with no run folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.driver import Episode
from envs.protocol import Agent, Answer, Case, Instance, Json, Model, RowKey
from judges.match import Match


class _Memory:
    """A run's record that nobody keeps."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def answer(self, row: RowKey) -> Answer | None:
        return None

    async def finish(self, case: Case) -> None:
        self.cases.append(case)

    def reply(self, scope: str, ordinal: int, request: str) -> Json | None:
        return None

    async def exchange(self, scope: str, ordinal: int, request: str, reply: Json, timing: Mapping[str, float]) -> None:
        raise RuntimeError("an agent without a model asked one")


class _NoModel:
    async def complete(self, request: Mapping[str, Json]) -> Mapping[str, Any]:
        raise RuntimeError("an agent without a model asked one")


def _no_models(scope: str) -> Model:
    return _NoModel()


async def play(instance: Instance, agent: Agent) -> list[Case]:
    """The cases of one episode of an agent that needs no model, in the order of the questions."""
    record = _Memory()
    await Episode(instance, instance.environment(0), agent, record, _no_models).run()
    return record.cases


async def score(case: Case) -> float:
    """By `match`. Raises RuntimeError where a failure of ours ended the row: that is no score."""
    verdict = await Match().judge(case)
    if verdict.score is None:
        raise RuntimeError(f"{case.row.instance}/{case.row.question} is unscored: {case.answer.detail}")
    return verdict.score
