"""The import contracts hold a planted violation of each kind."""

import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PACKAGES = ("envs", "servers", "agents", "scenarios", "judges")

VIOLATIONS = {
    "agents/planted.py": "import scenarios.schema",
    "scenarios/planted.py": "import servers.planted",
    "servers/planted.py": "import agents.spec",
    "judges/planted.py": "import envs.cli\nimport openai",
    "envs/wall.py": "import pydantic",
    "envs/planted.py": "x = 1",
}
"""Module -> what it imports against the rules; `envs/planted.py` has no place in the layers."""

CAUGHT = (
    "judges is not allowed to import envs:",
    "servers is not allowed to import agents:",
    "envs.wall is not allowed to import pydantic:",
    "judges is not allowed to import openai:",
    "agents is not allowed to import scenarios:",
    "scenarios is not allowed to import servers:",
    "envs.planted",
)


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(root)})


def copy(root: Path) -> None:
    shutil.copy(PROJECT / "pyproject.toml", root)
    for package in PACKAGES:
        shutil.copytree(PROJECT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))


def test_the_project_keeps_its_layers(tmp_path: Path) -> None:
    copy(tmp_path)
    result = lint(tmp_path)
    assert result.returncode == 0, result.stdout


def test_every_kind_of_violation_is_caught(tmp_path: Path) -> None:
    copy(tmp_path)
    for name, text in VIOLATIONS.items():
        with (tmp_path / name).open("a", encoding="utf-8") as module:
            module.write(f"\n{text}\n")
    result = lint(tmp_path)
    assert result.returncode == 1
    assert [line for line in CAUGHT if line not in result.stdout] == []
