from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents import baselines, names
from agents.names import known_agents
from agents.spec import parse_spec


@pytest.fixture(autouse=True)
def _no_user_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRIFTDESK_MODELS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")


def test_every_known_agent_can_be_planned() -> None:
    known = known_agents()
    assert known[0] == "local"
    assert known[-3:] == ["oracle", "scan", "silent"]
    assert [parse_spec(name).label for name in known] == known


def test_every_baseline_name_has_its_agent() -> None:
    assert tuple(baselines.BASELINES) == names.BASELINES


def test_the_users_aliases_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("aliases: {mine: {model: m, endpoint: 'http://h/v1', context_tokens: 4096}}")
    monkeypatch.setenv("DRIFTDESK_MODELS", str(mine))
    assert "mine" in known_agents()


def test_listing_names_imports_nothing_heavy() -> None:
    heavy = ["pydantic", "openai", "aiohttp", "rich", "fastmcp", "xllamacpp"]
    program = "import sys; from agents.names import known_agents; known_agents(); "
    program += f"sys.exit(any(module in sys.modules for module in {heavy}))"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=30).returncode == 0
