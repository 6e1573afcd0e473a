"""A loaded scenario: references checked, instants resolved, events in their one order. Made by `scenarios.loader`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from envs.answers import Gold
from scenarios.part import Part
from scenarios.schema import AgentRole, Org


@dataclass(frozen=True, slots=True)
class Event:
    """One timeline event. Its place in `Scenario.events` is its place in the total order (instant, file order)."""

    id: str
    time: datetime
    kind: str
    payload: Part

    @property
    def platform(self) -> str:
        return self.kind.partition(".")[0]


@dataclass(frozen=True, slots=True)
class ScenarioQuestion:
    """One question with its gold. `evidence`: event id -> decisive words."""

    id: str
    time: datetime
    ask: str
    gold: Gold
    was: tuple[str, ...]
    distractors: tuple[str, ...]
    evidence: Mapping[str, str]
    hops: int
    tags: tuple[str, ...]
    ambiguous: bool
    follow_up: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """`digest`: of the file's content as loaded, so that comments and layout don't change it."""

    id: str
    title: str
    origin: str
    summary: str
    zone: ZoneInfo
    canary: str
    org: Org
    agent: AgentRole
    events: tuple[Event, ...]
    questions: tuple[ScenarioQuestion, ...]
    digest: str
