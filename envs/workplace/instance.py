"""A scenario as an instance of the workplace track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from envs.canonical import digest
from envs.protocol import Key, RowKey, ToolPack
from envs.workplace.briefing import RULES
from envs.workplace.environment import WorkplaceEnvironment
from scenarios.scenario import Scenario
from servers.linear.operations import OPERATIONS as LINEAR
from servers.linear.operations import linear_replay
from servers.pack import PlatformPack
from servers.slack.operations import OPERATIONS as SLACK
from servers.slack.operations import slack_replay


class WorkplaceInstance:
    """Holds the gold and the platforms over time, which all its environments share."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        viewer = scenario.agent.handle
        self.packs: tuple[ToolPack, ...] = (
            PlatformPack(SLACK, slack_replay(scenario), viewer),
            PlatformPack(LINEAR, linear_replay(scenario), viewer),
        )
        self._keys = {
            question.id: Key(question.gold, question.was, question.distractors, tuple(question.evidence))
            for question in scenario.questions
        }

    @property
    def id(self) -> str:
        return self.scenario.id

    @property
    def track(self) -> str:
        return "workplace"

    @property
    def fingerprint(self) -> str:
        specs = [asdict(spec) for pack in self.packs for spec in pack.specs()]
        return digest([self.scenario.digest, RULES, specs])

    def expected(self) -> Sequence[tuple[str, int]]:
        return [(question.id, turn) for turn, question in enumerate(self.scenario.questions)]

    def environment(self, seed: int) -> WorkplaceEnvironment:
        return WorkplaceEnvironment(self.scenario, self.packs, seed)

    def key(self, row: RowKey) -> Key:
        """The gold of a row. Raises KeyError for a question that the scenario doesn't have."""
        return self._keys[row.question]
