"""Agents without a model: what a score is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.scan import Scan
from envs.protocol import Agent, Answer, Model, Observation, Question, Setting, ToolPack, Tools, View


@dataclass(frozen=True, slots=True)
class NothingSeen:
    """The view of an agent that doesn't look: true whatever comes later."""

    durable: bool = True
    tokens: int = 0


class Silent:
    """Says nothing to everything: the floor, and a check that saying nothing earns nothing."""

    order: Literal["turn", "question"] = "turn"
    parallel = True

    async def start(self, setting: Setting) -> None: ...

    async def observe(self, observation: Observation, model: Model) -> View:
        return NothingSeen()

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        return Answer(question.id, None, "empty")

    async def close(self) -> None: ...


BASELINES: dict[str, Callable[[], Agent]] = {"scan": Scan, "silent": Silent}
"""Name in an agent spec -> the agent of one episode."""
