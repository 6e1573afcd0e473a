"""What the authors' commands do: `envs validate`, `show`, `new`, `harden`. Each returns the exit code."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import orjson
import typer

from envs import harden, new, progress, runner, show, snapshot, validate
from envs.errors import ScenarioError, UserError
from envs.records import read_cases, read_verdicts
from scenarios.library import bundled, find
from scenarios.loader import load

FOUND = 1
"""Exit code of a validation with findings that count."""
UNLOADABLE = 2
INTERRUPTED = 130


def validate_command(names: Sequence[str], *, strict: bool, as_json: bool) -> int:
    """`envs validate`: every check on every file; a file that doesn't load is told of, and the others go on."""
    reports, unloaded = [], []
    for name in names or bundled():
        try:
            reports.append(asyncio.run(validate.validate(find(name), _watch())))
        except ScenarioError as error:
            unloaded.append(str(error))
    _say("")
    if as_json:
        _write_json(validate.report_json(reports, unloaded, strict=strict))
    elif reports:
        typer.echo(validate.render(reports, strict=strict))
    for line in unloaded:
        typer.echo(f"envs: {line}", err=True)
    if unloaded:
        return UNLOADABLE
    return FOUND if any(report.failed(strict=strict) for report in reports) else 0


def show_command(
    name: str,
    *,
    at: str | None,
    diff: tuple[str, str] | None,
    trace: str | None,
    platform: str | None,
    answers: bool,
    as_json: bool,
) -> int:
    """`envs show`: one view of one scenario."""
    if sum(map(bool, (at, diff, trace, as_json))) > 1:
        raise UserError("--at, --diff, --trace and --json are views of their own; use one")
    if platform is not None and platform not in snapshot.PLATFORMS:
        raise UserError(
            f"--platform {platform}: there is none of that name; use one of {', '.join(snapshot.PLATFORMS)}"
        )
    if platform is not None and not (at or diff):
        raise UserError("--platform goes with --at or --diff; add one of them")
    scenario = load(find(name))
    platforms = [platform] if platform else list(snapshot.PLATFORMS)
    if as_json:
        _write_json(show.history(scenario))
    elif trace:
        _lines(show.trace(scenario, show.question_named(scenario, trace), answers=answers))
    elif at:
        _lines(asyncio.run(snapshot.snapshot(scenario, show.moment(scenario, at), platforms)))
    elif diff:
        before, after = (
            asyncio.run(snapshot.snapshot(scenario, show.moment(scenario, text), platforms)) for text in diff
        )
        _lines(snapshot.difference(before, after))
    else:
        _lines(show.overview(scenario, answers=answers))
    return 0


def new_command(name: str) -> int:
    """`envs new`: prints the file's path and what to do next."""
    path = new.write_new(name, Path())
    typer.echo(f"{path}: written; check it with: envs validate {path}")
    return 0


def harden_command(name: str, agent: str, out: Path | None) -> int:
    """`envs harden`: runs the agent, then tells question by question what it passed and had read."""
    config = runner.RunConfig((name,), agent)
    display = progress.for_terminal()
    try:
        with display:
            outcome = asyncio.run(runner.run(config, out, display, hint=partial(typer.echo, err=True)))
    except KeyboardInterrupt:
        typer.echo(f"interrupted; what was answered is in {display.tally.folder}", err=True)
        return INTERRUPTED
    folder = outcome.folder
    for line in outcome.failures:
        typer.echo(f"failed: {line}", err=True)
    found = asyncio.run(
        harden.passages(load(find(name)), list(read_cases(folder, results=True)), read_verdicts(folder))
    )
    _lines(harden.render(found))
    typer.echo(f"record: {folder}")
    return 0


def _watch() -> Callable[[str], object]:
    """On a terminal a line that is written over; nothing elsewhere."""
    return _say if sys.stderr.isatty() else lambda text: None


def _say(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _lines(entries: Iterable[str]) -> None:
    """One entry a line; further lines of an entry stand in from its first."""
    for entry in entries:
        typer.echo(entry.replace("\n", "\n    "))


def _write_json(value: object) -> None:
    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")
