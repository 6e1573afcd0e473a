"""A scenario as an instance of the workplace track."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches

from envs.canonical import digest
from envs.errors import UserError
from envs.protocol import Key, RowKey, ToolPack
from envs.workplace.briefing import RULES
from envs.workplace.environment import WorkplaceEnvironment
from envs.workplace.machine import Machine
from scenarios.scenario import Scenario
from servers.files.operations import OPERATIONS as FILES
from servers.git.operations import OPERATIONS as GIT
from servers.git.operations import READ_PACK
from servers.git.pulls import PULLS
from servers.git.remotes import Remotes
from servers.git.store import user_store
from servers.linear.operations import OPERATIONS as LINEAR
from servers.linear.operations import linear_replay
from servers.notify.operations import OPERATIONS as NOTIFY
from servers.notify.operations import notify_replay
from servers.pack import PlatformPack, ThreadedPack
from servers.slack.operations import OPERATIONS as SLACK
from servers.slack.operations import slack_replay


def _notify(scenario: Scenario) -> ToolPack:
    return PlatformPack(NOTIFY, notify_replay(scenario), scenario.agent.handle)


OPTIONAL_PACKS: Mapping[str, Callable[[Scenario], ToolPack]] = {"notify": _notify}
"""Packs of tools that are there where they are asked for by name."""


class WorkplaceInstance:
    """Holds the gold and the platforms over time, which all its environments share."""

    def __init__(self, scenario: Scenario, packs: frozenset[str] = frozenset()) -> None:
        """`packs`: names of OPTIONAL_PACKS. Raises UserError for another name."""
        self.scenario = scenario
        self._chosen = _checked(packs)
        self._shared: tuple[ToolPack, ...] = (
            PlatformPack(SLACK, slack_replay(scenario), scenario.agent.handle),
            PlatformPack(LINEAR, linear_replay(scenario), scenario.agent.handle),
            *(OPTIONAL_PACKS[name](scenario) for name in self._chosen),
        )
        self._remotes = Remotes(scenario, user_store)
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
    def profile(self) -> str:
        """The tools' label, packs included: `git-read` is on by itself, since there is no shell to run git in."""
        return "+".join(("memtrack", *sorted(("git-read", *self._chosen))))

    @property
    def fingerprint(self) -> str:
        machine = Machine.of(self.scenario)
        specs = [asdict(spec) for pack in self.tools(machine) for spec in pack.specs()]
        return digest([self.scenario.digest, RULES, self.profile, specs])

    def check(self) -> None:
        """Raises UserError where this host can't offer the scenario: it has repositories, and there is no git."""
        self._remotes.check()

    def tools(self, machine: Machine) -> tuple[ToolPack, ...]:
        """The platforms' tools as the agent's account sees them, and those of its machine."""
        return (
            *self._shared,
            ThreadedPack((*GIT, *READ_PACK, *PULLS), lambda now: machine.git(self._remotes, now)),
            ThreadedPack(FILES, machine.files),
        )

    def expected(self) -> Sequence[tuple[str, int]]:
        return [(question.id, turn) for turn, question in enumerate(self.scenario.questions)]

    @property
    def unscored(self) -> tuple[str, ...]:
        """The questions that are asked and recorded, and whose answers nobody judges."""
        return tuple(question.id for question in self.scenario.questions if question.unscored is not None)

    def environment(self, seed: int) -> WorkplaceEnvironment:
        return WorkplaceEnvironment(self.scenario, self.tools, self.check, seed)

    def key(self, row: RowKey) -> Key:
        """The gold of a row. Raises KeyError for a question that the scenario doesn't have."""
        return self._keys[row.question]


def _checked(packs: frozenset[str]) -> tuple[str, ...]:
    for name in sorted(packs - OPTIONAL_PACKS.keys()):
        near = get_close_matches(name, OPTIONAL_PACKS, n=1)
        meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(OPTIONAL_PACKS)}"
        raise UserError(f"pack {name!r}: there is no such pack of tools; {meant}")
    return tuple(sorted(packs))
