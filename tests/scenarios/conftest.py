"""Small scenarios that have every kind of event between them, and a way to load text."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from scenarios.loader import load
from scenarios.scenario import Scenario

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def small() -> str:
    return (DATA / "small.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def git() -> str:
    """A scenario with every kind of event of Git, files and notices; it takes a file from beside it."""
    return (DATA / "git.yaml").read_text(encoding="utf-8")


@pytest.fixture
def load_text(tmp_path: Path) -> Callable[[str | bytes], Scenario]:
    def loaded(content: str | bytes) -> Scenario:
        path = tmp_path / "scenario.yaml"
        shutil.copy(DATA / "total.py", tmp_path)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return load(path)

    return loaded
