"""The demonstration: the small local model works through a scenario, beside an agent that says nothing.

Runs both, shows them in one table, then checks what the runs must show: the model called a tool with success, every
question of the scenario was answered and scored, and no cell of the table is blank. Exit code 1 names what is missing.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import yaml

PROJECT = Path(__file__).parent.parent
SCENARIO = "s12"
AGENTS = ("local", "silent")
ENVS = Path(sys.executable).parent / "envs"


def rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a record file, without the header line that names its schema."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def successful_calls(run: Path) -> list[str]:
    """The names of the tools that the agent of a run called and that gave a result."""
    return [row["tool"] for row in rows(run / "calls.jsonl") if row["error"] is None]


def unscored(run: Path, questions: Iterable[str]) -> list[str]:
    """The questions that have no answer in the run, or none with a score."""
    answered = {row["question"] for row in rows(run / "answers.jsonl") if row["fault"] is None}
    scored = {row["question"] for row in rows(run / "verdicts.jsonl") if row["score"] is not None}
    return [question for question in questions if question not in answered & scored]


def table_problems(report: str) -> Iterator[str]:
    """The lines of the report's table with an empty cell; its columns are those of the dashes below its header."""
    lines = report.splitlines()
    rule = next((number for number, line in enumerate(lines) if re.fullmatch(r"-+(  -+)+", line)), None)
    if not rule:
        yield "the report has no table"
        return
    columns = [match.span() for match in re.finditer("-+", lines[rule])]
    for line in [lines[rule - 1], *takewhile(str.strip, lines[rule + 1 :])]:
        if any(not line[begin:end].strip() for begin, end in columns):
            yield f"the report has a blank cell: {line}"


def problems(model_run: Path, runs: Iterable[Path], questions: list[str], report: str) -> Iterator[str]:
    """What the runs and their report do not show and must."""
    if not successful_calls(model_run):
        yield f"{model_run}/calls.jsonl: the model made no successful tool call"
    for run in runs:
        yield from (f"{run}/verdicts.jsonl: question {question} has no score" for question in unscored(run, questions))
    yield from table_problems(report)


def _envs(*arguments: str) -> None:
    print(f"$ envs {shlex.join(arguments)}", flush=True)
    subprocess.run([ENVS, *arguments], cwd=PROJECT, check=True)


def main() -> int:
    try:
        return demonstrate()
    except subprocess.CalledProcessError as error:
        print(f"demo: envs ended with exit code {error.returncode}; what it said stands above")
        return 1


def demonstrate() -> int:
    """Runs, shows and checks; the exit code. Raises CalledProcessError where `envs` fails."""
    wanted = ([Path("runs") / f"demo-{number}-{agent}" for agent in AGENTS] for number in count(1))
    runs = next(folders for folders in wanted if not any((PROJECT / folder).exists() for folder in folders))
    for agent, run in zip(AGENTS, runs, strict=True):
        _envs("run", "--scenario", SCENARIO, "--agent", agent, "--out", str(run))
    command = ["report", *map(str, runs)]
    print(f"$ envs {shlex.join(command)}", flush=True)
    report = subprocess.run([ENVS, *command], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(report)
    scenario = yaml.safe_load((PROJECT / "scenarios" / f"{SCENARIO}.yaml").read_bytes())
    questions = [question["id"] for question in scenario["questions"]]
    found = list(problems(PROJECT / runs[0], [PROJECT / run for run in runs], questions, report))
    for problem in found:
        print(f"demo: {problem}")
    if found:
        return 1
    calls = successful_calls(PROJECT / runs[0])
    print(f"{len(calls)} successful tool calls by the model: {', '.join(sorted(set(calls)))}")
    print(f"{len(questions)} questions answered and scored in each run; no cell of the table is blank")
    print("records:", *runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
