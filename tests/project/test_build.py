"""The build's own scripts: what they refuse, what they skip and how they say so, with stand-ins on PATH."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def stand_in(folder: Path, name: str, script: str) -> None:
    """A program called `name` that does what `script` says."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A folder to be the whole PATH, with no more than the scripts' own tools in it."""
    for tool in ("bash", "sh", "dirname", "env", "timeout"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    return tmp_path


def test_help_names_every_target() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    lines = run("make", "help").stdout.splitlines()
    assert [line.split()[0] for line in lines] == phony[1].split()


def test_a_python_that_is_too_old_is_one_clear_line(path: Path) -> None:
    stand_in(path, "python3", "exit 1")
    result = run(PROJECT / ".ci" / "python", PATH=str(path))
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "no Python 3.11, 3.12 or 3.13 among" in result.stderr


def test_the_first_python_that_fits_is_taken(path: Path) -> None:
    stand_in(path, "python3.11", "exit 1")
    stand_in(path, "python3.12", "exit 0")
    result = run(PROJECT / ".ci" / "python", PATH=str(path))
    assert (result.returncode, result.stdout) == (0, f"{path}/python3.12\n")
    assert run(PROJECT / ".ci" / "python", PATH=str(path), PYTHON=f"{path}/python3.11").returncode == 1


def test_system_packages_are_skipped_with_the_reason(path: Path) -> None:
    result = run(PROJECT / ".ci" / "system", PATH=str(path))
    assert result.returncode == 0
    assert "bubblewrap chromium nodejs npm not installed: no apt-get here" in result.stdout


def test_system_packages_that_cannot_be_had_fail_nothing(path: Path) -> None:
    stand_in(path, "apt-get", "exit 100")
    stand_in(path, "id", "echo 0")
    stand_in(path, "node", "")
    stand_in(path, "npm", "")
    result = run(PROJECT / ".ci" / "system", PATH=str(path))
    assert result.returncode == 0
    assert "bubblewrap chromium not installed: apt-get update failed" in result.stdout


def test_ci_stops_at_the_step_that_fails(path: Path) -> None:
    stand_in(path, "make", '[ "$1" != check ]')
    result = run(PROJECT / ".ci" / "run", PATH=str(path))
    assert result.returncode == 1
    assert re.findall(r"^== make (\w+)(?:$|: (\w+))", result.stdout, re.MULTILINE) == [
        ("system", ""),
        ("system", "passed"),
        ("setup", ""),
        ("setup", "passed"),
        ("check", ""),
        ("check", "FAILED"),
    ]
