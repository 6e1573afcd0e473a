"""The code of a scenario's repository as files on the disk, and its own tests run over it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scenarios.git_history import git_histories
from scenarios.scenario import Scenario


def checked_out(scenario: Scenario, repository: str, ref: str, folder: Path) -> Path:
    """`folder` with the files of a branch or tag as of the scenario's end."""
    history = git_histories(scenario.org.git.repositories, scenario.events)[repository]
    state = history.state
    assert state is not None
    commit = state.branches[ref] if ref in state.branches else state.tags[ref].commit
    for path, blob in history.commits[commit].tree.files():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(blob.text, encoding="utf-8")
    return folder


def passes_its_tests(folder: Path) -> None:
    """Runs pytest in `folder`; fails with what it says unless some tests ran and all passed."""
    done = python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """This interpreter over the code in `folder`, which is where it looks for modules first."""
    return subprocess.run(
        [sys.executable, "-B", *arguments], cwd=folder, capture_output=True, text=True, timeout=50, check=False
    )
