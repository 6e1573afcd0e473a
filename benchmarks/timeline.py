"""A long timeline: loading (parse, types, references) and replay of 10,000 events, and how both grow from 1,000."""

from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path

from benchmarks.figures import Figure, seconds_per_call
from scenarios.loader import load
from scenarios.scenario import Scenario
from servers.linear.operations import linear_replay
from servers.slack.operations import slack_replay

SMALL, LARGE = 1_000, 10_000


def long_scenario(count: int) -> str:
    """A file of `count` events, a quarter of them issues, most of them replies in one thread."""
    body = []
    for index in range(1, count):
        if index % 4 == 0:
            fields = f'{{issue: ENG-{index}, by: kim, title: "About #eng {index}", labels: [bug], priority: 2}}'
            body.append(f"  - at: +1m\n    linear.create: {fields}\n")
        elif index % 4 == 1 and index > 4:
            body.append(f"  - at: +1m\n    linear.update: {{issue: ENG-{index - 1}, by: lee, status: In Progress}}\n")
        else:
            text = f'"A message in #eng with the number {index}! As long as they are."'
            message = f"      from: lee\n      channel: eng\n      text: {text}\n      thread: first\n"
            body.append(f"  - id: e{index}\n    at: +1m\n    slack.message:\n{message}")
    people = [f"{{handle: {name}, name: {name}, email: {name}@example.com, role: dev}}" for name in ("kim", "lee")]
    head = [
        "id: many\ntitle: Many\norigin: generated\nsummary: Many events\nzone: Europe/Berlin\ncanary: none\n",
        f"org:\n  name: Org\n  people: [{', '.join(people)}]\n",
        "  slack: {channels: [{name: eng, members: [kim, lee]}]}\n",
        "  linear: {teams: [{key: ENG, name: Engineering, members: [kim], labels: [bug]}]}\n",
        "agent: {handle: kim, briefing: Help}\ntimeline:\n",
        "  - id: first\n    at: 2025-01-01T00:00\n    slack.message: {from: kim, channel: eng, text: hello}\n",
    ]
    tail = "questions: [{id: q, ask: What?, answer: {text: hello}, evidence: {first: hello}}]\n"
    return "".join((*head, *body, tail))


async def measure() -> list[Figure]:
    """Medians of REPEATS; the exponent is that of time over events, from SMALL to LARGE."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {count: Path(folder) / f"{count}.yaml" for count in (SMALL, LARGE)}
        for count, path in paths.items():
            path.write_text(long_scenario(count), encoding="utf-8")
        loading = {count: seconds_per_call(lambda path=path: load(path), 1) for count, path in paths.items()}  # type: ignore[misc]
        scenarios = {count: load(path) for count, path in paths.items()}
    folding = {count: seconds_per_call(lambda s=scenario: _fold(s), 1) for count, scenario in scenarios.items()}  # type: ignore[misc]
    scenario = scenarios[LARGE]
    replay = slack_replay(scenario)
    replay.at(scenario.events[-2].time)
    began = time.perf_counter()
    replay.at(scenario.events[-1].time)
    step = time.perf_counter() - began
    total = loading[LARGE] + folding[LARGE]
    return [
        Figure(f"load and check {LARGE:,} events", loading[LARGE], "s"),
        Figure(f"replay {LARGE:,} events to the end", folding[LARGE], "s"),
        Figure("both", total, "s", "target: under 1.2 s"),
        Figure("state one event later", step * 1e3, "ms", "target: within 5 ms"),
        Figure("growth of loading", _exponent(loading), "exponent", "target: at most 1.1"),
        Figure("growth of replay", _exponent(folding), "exponent", "target: at most 1.1"),
    ]


def _fold(scenario: Scenario) -> None:
    end = scenario.events[-1].time
    slack_replay(scenario).at(end)
    linear_replay(scenario).at(end)


def _exponent(seconds: dict[int, float]) -> float:
    return math.log(seconds[LARGE] / seconds[SMALL]) / math.log(LARGE / SMALL)
