"""A loaded scenario: references checked, instants resolved, events in their one order. Made by `scenarios.loader`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from envs.answers import ChoiceGold, Gold
from scenarios.part import Part
from scenarios.schema import AgentRole, Org, Provenance


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
    """One question with its gold. `evidence`: event id -> decisive words.

    `formula`: what the gold was computed by. `script`: the file, in the scenario's folder, that computes it from the
    code. `unscored`: why answers don't count, where they don't.
    """

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
    formula: str | None = None
    script: str | None = None
    unscored: str | None = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The options of a choice, as they are told with the question."""
        return tuple(option[0] for option in self.gold.options) if isinstance(self.gold, ChoiceGold) else ()


@dataclass(frozen=True, slots=True)
class Erratum:
    """A correction: `gold` is what the question's should have been. The question keeps its own, which is primary."""

    question: str
    version: int
    note: str
    gold: Gold


@dataclass(frozen=True, slots=True)
class Scenario:
    """`digest`: of the file's content as loaded, so that comments and layout don't change it.

    `folder`: where the file lies. `initial_read`: up to when the agent has read its messages as the first question
    comes, None: nothing. `suite`: the version of the suite that it belongs to, None for a file of one's own.
    """

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
    folder: Path
    source: Provenance | None = None
    initial_read: datetime | None = None
    errata: tuple[Erratum, ...] = ()
    suite: str | None = None
