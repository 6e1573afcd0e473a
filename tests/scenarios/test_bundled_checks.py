"""Every bundled scenario is clean when checked strictly; the README has the figures of the agents without a model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.baselines import BASELINES
from command import envs
from envs.checks.playing import play, score
from envs.checks.suite import CHECKS, FIRST
from envs.protocol import Agent
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.oracle import Oracle
from judges.mentions import unmentioned
from scenarios.library import bundled, find
from scenarios.loader import load
from scenarios.scenario import Scenario

README = Path(__file__).parents[2] / "README.md"
SLOW = "leak"
"""The check that takes longest: `test_the_command_finds_nothing` makes it on all."""


@pytest.mark.parametrize("name", bundled())
async def test_a_bundled_scenario_is_strictly_clean(name: str) -> None:
    scenario = load(find(name))
    found = {check.name: await check.run(scenario) for check in (*FIRST, *CHECKS) if check.name != SLOW}
    assert {check: notes for check, notes in found.items() if notes} == {}


@pytest.mark.full
async def test_the_command_finds_nothing(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    ended = await envs("validate", "--strict", env=env, cwd=tmp_path)
    assert ended.code == 0, ended.out
    assert ended.out.count(" passed: 0 errors, 0 warnings") == len(bundled())


def agent(name: str, scenario: Scenario) -> Agent:
    return Oracle(scenario, unmentioned) if name == "oracle" else BASELINES[name]()


@pytest.mark.parametrize("name", ["oracle", "scan", "silent"])
async def test_the_readme_has_the_figures(name: str) -> None:
    means: list[float] = []
    count = 0
    for scenario in map(load, map(find, bundled())):
        cases = await play(WorkplaceInstance(scenario), agent(name, scenario))
        scores = [await score(case) for case in cases]
        means.append(sum(scores) / len(scores))
        count += len(cases)
    assert name != "oracle" or means == [1.0] * len(means)
    assert name != "silent" or means == [0.0] * len(means)
    assert name != "scan" or max(means) <= 0.5
    row = f"^{name} +{name} +{len(means)} +{count}/{count} +{sum(means) / len(means):.3f} "
    assert re.search(row, README.read_text(), re.MULTILINE)
