"""Runs an agent over scenarios: loads, drives the episodes side by side, judges, closes the record."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter

from agents.plan import AgentPlan, plan_agent
from envs.canonical import digest
from envs.driver import Episode
from envs.errors import ModelConfigError, RunError, ScenarioError, UserError
from envs.protocol import Agent, Call, Case, Instance, Json, Judge, Models, Question, RowKey, Verdict
from envs.records import RunRecord, read_run
from envs.wall import monotonic
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.oracle import Oracle
from judges.match import Match
from judges.mentions import unmentioned
from scenarios.library import bundled, find
from scenarios.loader import load

_LOG = logging.getLogger(__name__)
_VERSIONED = ("driftdesk", "fastmcp", "mcp", "openai", "pydantic")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What is asked for. `scenarios`: names or paths, `all` for every bundled one. `packs`: opt-in tools by name.
    `replay`: the run whose recorded replies are used, and no others. `concurrency` alone decides no result."""

    scenarios: tuple[str, ...]
    agent: str
    seed: int = 0
    trials: int = 1
    packs: tuple[str, ...] = ()
    replay: str | None = None
    concurrency: int = 4

    def invocation(self) -> dict[str, Json]:
        asked = asdict(self)
        del asked["concurrency"]
        if self.replay is None:
            del asked["replay"]
        return asked


_CONFIG = TypeAdapter(RunConfig)


class Progress(Protocol):
    """Whoever watches a run. `total`: rows of the whole run; `recorded`: verdicts of those that stood recorded."""

    def started(self, folder: Path, total: int, recorded: Sequence[Verdict]) -> None: ...
    def called(self, row: RowKey, call: Call) -> None: ...
    def finished(self, case: Case, verdict: Verdict) -> None: ...


@dataclass(slots=True)
class Outcome:
    """`failures`: episodes that a bug of ours ended, each with its sentence; their rows are missing."""

    folder: Path
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def instances(names: Sequence[str], packs: Sequence[str] = ()) -> list[WorkplaceInstance]:
    """The loaded scenarios, each once. Raises UserError for an unknown name, a broken file, a host without git."""
    wanted = [name for given in names for name in (bundled() if given == "all" else [given])]
    loaded: dict[str, WorkplaceInstance] = {}
    for name in wanted:
        instance = WorkplaceInstance(load(find(name)), frozenset(packs))
        instance.check()
        if loaded.setdefault(instance.id, instance).fingerprint != instance.fingerprint:
            raise ScenarioError(f"{name}: another scenario of this run has the id {instance.id!r} too; change one")
    return list(loaded.values())


async def run(
    config: RunConfig,
    folder: Path | None,
    progress: Progress,
    *,
    resume: bool = False,
    hint: Callable[[str], object] = _LOG.info,
) -> Outcome:
    """Runs to the end, or from where `folder` stands (`resume`). No `folder`: a new one below `runs/`.

    `hint` is told what the preflight of an unknown endpoint found. Raises UserError for what the user can mend;
    whatever finished before is in the folder.
    """
    loaded = instances(config.scenarios, config.packs)
    plan = plan_agent(config.agent, hint=hint)
    fingerprint = fingerprint_of(config, loaded, plan)
    replay = None if config.replay is None else Path(config.replay)
    if replay is None:
        plan.check()
    else:
        read_run(replay)
    if resume and folder is not None:
        record = RunRecord.resume(folder, fingerprint)
    else:
        record = _new_record(config, loaded, plan, fingerprint, folder)
    outcome = Outcome(record.folder, warnings=_version_warnings(record.run["versions"]))
    try:
        async with record:
            if replay is not None:
                record.replay(replay)
            async with plan.models(record, seed=config.seed, live=replay is None) as models:
                await _Run(config, plan, record, models, progress, outcome).episodes(loaded)
            await record.finalise()
    except ModelConfigError:
        if not resume:  # the preflight failed, so nothing was asked yet
            record.discard()
        raise
    return outcome


def _new_record(
    config: RunConfig,
    loaded: Sequence[WorkplaceInstance],
    plan: AgentPlan,
    fingerprint: Mapping[str, Json],
    folder: Path | None,
) -> RunRecord:
    about = {
        "agent": plan.label,
        "suite": {instance.id: instance.scenario.suite for instance in loaded},
        "invocation": config.invocation(),
        "unscored": {instance.id: list(instance.unscored) for instance in loaded},
        "expected": {instance.id: [list(row) for row in instance.expected()] for instance in loaded},
        "versions": versions(),
    }
    if folder is not None:
        return RunRecord.create(folder, fingerprint, about)
    for number in count(1):
        candidate = Path("runs") / f"{_stem(config)}-{number}"
        if not candidate.exists():
            try:
                return RunRecord.create(candidate, fingerprint, about)
            except RunError:
                if not candidate.exists():  # or else another run took the name in between
                    raise
    raise AssertionError("unreachable")


def _stem(config: RunConfig) -> str:
    """`s12-local`: the scenarios and the agent, as a folder's name."""
    names = Path(config.scenarios[0]).stem if len(config.scenarios) == 1 else f"{len(config.scenarios)}-scenarios"
    return "-".join(_slug(part) for part in (names, config.agent))


def _slug(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._" else "-" for char in text.partition("@")[0]).strip("-")


def fingerprint_of(config: RunConfig, loaded: Sequence[WorkplaceInstance], plan: AgentPlan) -> dict[str, Json]:
    """Everything that decides the results: scenarios, tools, agent, judge, seed, trials."""
    return {
        "scenarios": {instance.id: instance.fingerprint for instance in loaded},
        "tools": {instance.id: _tools_digest(instance) for instance in loaded},
        "profile": {instance.id: instance.profile for instance in loaded},
        "agent": plan.describe(),
        "judge": Match().name,
        "seed": config.seed,
        "trials": config.trials,
    }


def _tools_digest(instance: Instance) -> str:
    packs = instance.environment(0).packs(Question("", "", "sequential"))
    return digest([asdict(spec) for pack in packs for spec in pack.specs()])


def versions() -> dict[str, str]:
    """Versions of what can change a run's bytes; recorded, and warned about on resume."""
    return {name: metadata.version(name) for name in _VERSIONED}


def _version_warnings(recorded: Mapping[str, str]) -> list[str]:
    return [
        f"{name} was {recorded.get(name, 'absent')} when the run began, is {version}"
        for name, version in versions().items()
        if recorded.get(name) != version
    ]


class _Run:
    """The episodes of one run, at most `concurrency` at a time."""

    def __init__(
        self,
        config: RunConfig,
        plan: AgentPlan,
        record: RunRecord,
        models: Models,
        progress: Progress,
        outcome: Outcome,
    ) -> None:
        self._config = config
        self._plan = plan
        self._record = record
        self._models = models
        self._progress = progress
        self._outcome = outcome
        self._judge: Judge = Match()
        self._unscored: set[tuple[str, str]] = set()

    async def episodes(self, loaded: Sequence[WorkplaceInstance]) -> None:
        self._unscored = {(instance.id, question) for instance in loaded for question in instance.unscored}
        jobs = [(instance, trial) for instance in loaded for trial in range(self._config.trials)]
        rows = {job: [RowKey(job[0].id, *expected, job[1]) for expected in job[0].expected()] for job in jobs}
        waiting = iter([job for job in jobs if not all(map(self._record.done, rows[job]))])
        recorded = [await self._recorded(key) for job in jobs for key in rows[job] if self._record.done(key)]
        self._progress.started(self._record.folder, sum(map(len, rows.values())), recorded)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._config.concurrency):
                    group.create_task(self._work(waiting))
        except ExceptionGroup as group:
            raise _leaf(group) from None

    async def _work(self, waiting: Iterator[tuple[Instance, int]]) -> None:
        for instance, trial in waiting:
            started = monotonic()
            try:
                await self._episode(instance, trial)
            except Exception as raised:
                error = _leaf(raised)
                if isinstance(error, UserError):
                    raise error from None
                _LOG.error("%s trial %d failed", instance.id, trial, exc_info=error)
                self._outcome.failures.append(f"{instance.id} trial {trial}: {type(error).__name__}: {error}")
            self._record.timing("episode", f"{instance.id}/{trial}", {"seconds": monotonic() - started})

    async def _episode(self, instance: Instance, trial: int) -> None:
        episode = Episode(
            instance,
            instance.environment(self._config.seed),
            self._agent(instance),
            self._record,
            self._models,
            trial=trial,
            finished=self._finished,
            called=self._progress.called,
        )
        await episode.run()

    def _agent(self, instance: Instance) -> Agent:
        if not self._plan.needs_gold:
            return self._plan.agent()
        if not isinstance(instance, WorkplaceInstance):
            raise RunError(f"{self._plan.label} has no way to read the track {instance.track!r}; use another agent")
        return Oracle(instance.scenario, unmentioned)

    async def _finished(self, case: Case) -> None:
        """Judges a row as it closes; a row driven again keeps the verdict that stands."""
        if self._record.done(case.row):
            return
        verdict = await self._judged(case)
        self._record.judge(case.row, self._judge.name, verdict)
        self._progress.finished(case, verdict)

    async def _judged(self, case: Case) -> Verdict:
        if (case.row.instance, case.row.question) in self._unscored:
            return Verdict(None, "the scenario counts no answer to this question")
        return await self._judge.judge(case)

    async def _recorded(self, row: RowKey) -> Verdict:
        """The verdict of a recorded row; a crash can lie between an answer and its verdict."""
        verdict = self._record.judged(row)
        if verdict is None:
            verdict = await self._judged(self._record.case(row))
            self._record.judge(row, self._judge.name, verdict)
        return verdict


def _leaf(error: Exception) -> Exception:
    """The user's mistake among the errors of a task group, or else the first of them."""
    while isinstance(error, ExceptionGroup):
        mistakes = error.subgroup(UserError)
        error = (mistakes or error).exceptions[0]
    return error


def config_of(folder: Path) -> RunConfig:
    """What a recorded run was asked for. Raises RunError where the folder holds no run."""
    invocation = read_run(folder).get("invocation")
    try:
        return _CONFIG.validate_python(invocation)
    except (TypeError, ValueError):
        raise RunError(f"{folder}/run.json: has no complete `invocation`; start a new run") from None
