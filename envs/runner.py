"""Runs an agent over scenarios: loads, drives the episodes side by side, judges, closes the record."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Protocol

from agents.plan import AgentPlan, plan_agent
from envs.canonical import digest
from envs.driver import Episode
from envs.errors import ModelConfigError, RunError, UserError
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
    """What is asked for. `scenarios`: names or paths, `all` for every bundled one. What decides results is
    fingerprinted; `concurrency` doesn't."""

    scenarios: tuple[str, ...]
    agent: str
    seed: int = 0
    trials: int = 1
    concurrency: int = 4

    def invocation(self) -> dict[str, Json]:
        return {"scenarios": list(self.scenarios), "agent": self.agent, "seed": self.seed, "trials": self.trials}


class Progress(Protocol):
    """Whoever watches a run. `total`: rows of the whole run, `done`: those that stood recorded before it began."""

    def started(self, total: int, done: int) -> None: ...
    def called(self, row: RowKey, call: Call) -> None: ...
    def finished(self, case: Case, verdict: Verdict) -> None: ...


@dataclass(slots=True)
class Outcome:
    """`failures`: episodes that a bug of ours ended, each with its sentence; their rows are missing."""

    folder: Path
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def instances(names: Sequence[str]) -> list[Instance]:
    """The loaded scenarios, each once. Raises ScenarioError for an unknown name or a broken file."""
    wanted = [name for given in names for name in (bundled() if given == "all" else [given])]
    loaded: dict[str, Instance] = {}
    for name in wanted:
        instance = WorkplaceInstance(load(find(name)))
        loaded.setdefault(instance.id, instance)
    return list(loaded.values())


async def run(
    config: RunConfig,
    folder: Path,
    progress: Progress,
    *,
    resume: bool = False,
    replay: Path | None = None,
    hint: Callable[[str], object] = _LOG.info,
) -> Outcome:
    """Runs to the end, or from where `folder` stands (`resume`), or on another run's model replies only (`replay`).

    `hint` is told what the preflight of an unknown endpoint found. Raises UserError for what the user can mend;
    whatever finished before is in the folder.
    """
    loaded = instances(config.scenarios)
    plan = plan_agent(config.agent, hint=hint)
    fingerprint = fingerprint_of(config, loaded, plan)
    if replay is None:
        plan.check()
    if resume:
        record = RunRecord.resume(folder, fingerprint)
    else:
        if replay is not None:
            read_run(replay)
        about = {
            "agent": plan.label,
            "invocation": config.invocation(),
            "expected": {instance.id: [list(row) for row in instance.expected()] for instance in loaded},
            "versions": versions(),
        }
        record = RunRecord.create(folder, fingerprint, about)
    outcome = Outcome(folder, warnings=_version_warnings(record.run["versions"]))
    try:
        async with record:
            if replay is not None:
                record.replay(replay)
            async with plan.models(record, seed=config.seed, live=replay is None) as models:
                await _Run(config, plan, record, models, progress, outcome).episodes(loaded)
            await record.finalise()
    except ModelConfigError:
        if not resume:  # the preflight failed, so nothing was asked yet and the folder holds nothing
            shutil.rmtree(folder)
        raise
    return outcome


def fingerprint_of(config: RunConfig, loaded: Sequence[Instance], plan: AgentPlan) -> dict[str, Json]:
    """Everything that decides the results: scenarios, tools, agent, judge, seed, trials."""
    return {
        "scenarios": {instance.id: instance.fingerprint for instance in loaded},
        "tools": {instance.id: _tools_digest(instance) for instance in loaded},
        "profile": "memtrack",
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

    async def episodes(self, loaded: Sequence[Instance]) -> None:
        jobs = [(instance, trial) for instance in loaded for trial in range(self._config.trials)]
        rows = {job: [RowKey(job[0].id, *expected, job[1]) for expected in job[0].expected()] for job in jobs}
        done = {job: sum(map(self._record.done, keys)) for job, keys in rows.items()}
        self._progress.started(sum(map(len, rows.values())), sum(done.values()))
        waiting = iter([job for job in jobs if done[job] < len(rows[job])])
        await self._judge_recorded(key for job in jobs for key in rows[job])
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
        verdict = await self._judge.judge(case)
        self._record.judge(case.row, self._judge.name, verdict)
        self._progress.finished(case, verdict)

    async def _judge_recorded(self, rows: Iterator[RowKey]) -> None:
        """A crash can lie between an answer and its verdict."""
        for row in rows:
            if self._record.done(row) and self._record.judged(row) is None:
                verdict = await self._judge.judge(self._record.case(row))
                self._record.judge(row, self._judge.name, verdict)


def _leaf(error: Exception) -> Exception:
    """The user's mistake among the errors of a task group, or else the first of them."""
    while isinstance(error, ExceptionGroup):
        mistakes = error.subgroup(UserError)
        error = (mistakes or error).exceptions[0]
    return error


def default_folder(config: RunConfig, root: Path) -> Path:
    """`runs/s12-local-1`: the scenarios and the agent, with the first number that is free."""
    names = config.scenarios[0] if len(config.scenarios) == 1 else f"{len(config.scenarios)}-scenarios"
    stem = "-".join(_slug(part) for part in (Path(names).stem, config.agent))
    number = 1
    while (root / f"{stem}-{number}").exists():
        number += 1
    return root / f"{stem}-{number}"


def _slug(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._" else "-" for char in text.partition("@")[0]).strip("-")


def config_of(folder: Path) -> RunConfig:
    """What a recorded run was asked for. Raises RunError where the folder holds no run."""
    invocation = read_run(folder)["invocation"]
    try:
        return RunConfig(tuple(invocation["scenarios"]), invocation["agent"], invocation["seed"], invocation["trials"])
    except (KeyError, TypeError):
        raise RunError(f"{folder}/run.json: has no complete `invocation`; start a new run") from None
