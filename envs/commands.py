"""What the commands do, apart from how their arguments are spelt (that is envs.cli). Each returns the exit code."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import orjson
import typer

from agents.local import setup_local
from envs import progress, runner
from envs.errors import RunError, UserError
from envs.records import read_cases, read_run, read_verdicts
from envs.report import render_table, report_json
from envs.summary import Summary, summarise
from scenarios.library import bundled, find
from scenarios.loader import load

INCOMPLETE = 1
"""Exit code of a run that ended with questions unanswered or unscored for a reason of ours."""
INTERRUPTED = 130


def run_command(
    scenarios: tuple[str, ...] | None,
    agent: str | None,
    seed: int | None,
    trials: int | None,
    packs: tuple[str, ...] | None,
    *,
    concurrency: int,
    out: Path | None,
    resume: bool,
    replay: Path | None,
) -> int:
    """`envs run`: runs, then prints the table and where the record lies."""
    if resume and replay is not None:
        raise UserError("--resume and --replay exclude one another: a replay that was cut is resumed as a replay")
    if resume and out is None:
        raise UserError("--resume needs the run's folder; add --out DIR")
    config = replace(_config(out if resume else replay, scenarios, agent, seed, trials, packs), concurrency=concurrency)
    if replay is not None:
        config = replace(config, replay=str(replay))
    display = progress.for_terminal()
    # An orderly end by `kill` is one by Ctrl-C: what is finished is on disk, and how to go on is told.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with display:
            hint = partial(typer.echo, err=True)
            outcome = asyncio.run(runner.run(config, out, display, resume=resume, hint=hint))
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        folder = display.tally.folder
        on = f"; go on with: envs run --resume --out {folder}" if folder is not None else ""
        typer.echo(f"interrupted{on}", err=True)
        return INTERRUPTED
    return _told(outcome)


def _told(outcome: runner.Outcome) -> int:
    """Prints what came of a run; the exit code."""
    for line in outcome.warnings:
        typer.echo(f"warning: {line}", err=True)
    for line in outcome.failures:
        typer.echo(f"failed: {line}", err=True)
    folder = outcome.folder
    summary = _summary(folder)
    typer.echo(render_table([(folder.name, read_run(folder), summary)]))
    typer.echo(f"record: {folder}")
    if not summary.complete:
        typer.echo(f"incomplete; try what is missing again with: envs run --resume --out {folder}", err=True)
        return INCOMPLETE
    return 0


def _config(
    earlier: Path | None,
    scenarios: tuple[str, ...] | None,
    agent: str | None,
    seed: int | None,
    trials: int | None,
    packs: tuple[str, ...] | None,
) -> runner.RunConfig:
    """What was given on the command line, over what the earlier run was asked for (or the defaults)."""
    if earlier is not None:
        base = runner.config_of(earlier)
        for name in base.scenarios if scenarios is None else ():
            if name != "all" and name not in bundled() and not Path(name).is_file():
                raise RunError(f"{earlier}: was asked for {name!r}, which isn't here; add --scenario PATH")
    elif scenarios:
        base = runner.RunConfig(scenarios, "local")
    else:
        raise UserError("no scenario given; add --scenario NAME (`envs list` names them)")
    return replace(
        base,
        scenarios=scenarios or base.scenarios,
        agent=base.agent if agent is None else agent,
        seed=base.seed if seed is None else seed,
        trials=base.trials if trials is None else trials,
        packs=base.packs if packs is None else packs,
    )


def report_command(folders: Sequence[Path], *, as_json: bool) -> int:
    """`envs report`: the table of the runs, or one run's figures as JSON."""
    if as_json and len(folders) != 1:
        raise UserError("--json prints one run; name one folder")
    read = [(folder.name, read_run(folder), _summary(folder)) for folder in folders]
    if as_json:
        _, run, summary = read[0]
        sys.stdout.buffer.write(orjson.dumps(report_json(run, summary), option=orjson.OPT_INDENT_2) + b"\n")
    else:
        typer.echo(render_table(read))
    return 0


def _summary(folder: Path) -> Summary:
    run = read_run(folder)
    uncounted = {(name, question) for name, questions in run.get("unscored", {}).items() for question in questions}
    try:
        expected = {
            name: [(question, turn) for question, turn in rows if (name, question) not in uncounted]
            for name, rows in run["expected"].items()
        }
    except (KeyError, AttributeError, TypeError, ValueError):
        raise RunError(f"{folder}/run.json: doesn't say which rows it expects; start a new run") from None
    cases = [
        case for case in read_cases(folder, results=False) if (case.row.instance, case.row.question) not in uncounted
    ]
    fingerprint = run["fingerprint"]
    return summarise(expected, fingerprint["trials"], cases, read_verdicts(folder), fingerprint["judge"])


def serve_command(scenario: str, transport: str, packs: tuple[str, ...]) -> int:
    """`envs serve`: until the client hangs up."""
    from envs.serve import serve_stdio

    if transport != "stdio":
        raise UserError(f"--transport {transport} is not built yet; use --transport stdio")
    asyncio.run(serve_stdio(load(find(scenario)), frozenset(packs)))
    return 0


def setup_local_command() -> int:
    """`envs setup local`: prints where the model's file lies."""
    typer.echo(f"local model: {setup_local()}")
    return 0
