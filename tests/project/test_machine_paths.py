"""No committed file names a folder of the machine that it was written on."""

import re
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
# Homes, and the folders where a checkout may stand. Scenarios' people have paths too, but not below these.
MACHINE = re.compile(r"(?<![\w.~/-])/(?:home/[\w.-]+|Users/[\w.-]+|root|work|workspace|private|mnt/[\w.-]+)/[\w.]")


def machine_paths(text: str) -> list[str]:
    """The lines of `text` that name such a folder, each after its number."""
    return [f"{number}: {line.strip()}" for number, line in enumerate(text.splitlines(), 1) if MACHINE.search(line)]


def committed() -> list[str]:
    try:
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [name for name in listing.stdout.split("\0") if name and (PROJECT / name).is_file()]


def test_no_committed_file_names_a_developers_machine() -> None:
    names = committed()
    assert "pyproject.toml" in names
    found = [
        f"{name}:{line}"
        for name in names
        for line in machine_paths((PROJECT / name).read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize("path", ["/{}/main/envs", "/{}/.cache/x"])
@pytest.mark.parametrize("folder", ["work", "root", "home/ada", "Users/ada"])
def test_a_planted_path_is_found(folder: str, path: str) -> None:
    assert machine_paths(f"fine\ncache: '{path.format(folder)}'\n") == [f"2: cache: '{path.format(folder)}'"]


@pytest.mark.parametrize("text", ["https://example.com/root/items", "~/root/x", "docs/root/a", "/memtrack/slack/mcp"])
def test_an_address_or_a_relative_path_is_none(text: str) -> None:
    assert machine_paths(text) == []
