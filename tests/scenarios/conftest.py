"""A small scenario that has nearly every kind of event, and a way to load text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scenarios.loader import load
from scenarios.scenario import Scenario


@pytest.fixture(scope="session")
def small() -> str:
    return (Path(__file__).parent / "data" / "small.yaml").read_text(encoding="utf-8")


@pytest.fixture
def load_text(tmp_path: Path) -> Callable[[str | bytes], Scenario]:
    def loaded(content: str | bytes) -> Scenario:
        path = tmp_path / "scenario.yaml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return load(path)

    return loaded
