"""Whole episodes a second: the real loop, gateway, tools and synced records; only the model answers at once."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.aliases import Alias
from agents.loop import ToolLoop
from agents.model_gateway import ModelGateway
from agents.styles.native import NativeStyle
from benchmarks.figures import REPEATS, Figure
from envs.driver import Episode
from envs.records import RunRecord
from envs.workplace.instance import WorkplaceInstance
from scenarios.library import find
from scenarios.loader import load

TOOL_CALLS = 10
AT_ONCE = 32
EPISODES = 256
_READS = (
    ("list_channels", "{}"),
    ("get_channel_messages", '{"channel":"fit-finder","limit":5}'),
    ("list_tickets", '{"team":"FIT","limit":3}'),
    ("get_ticket", '{"ticket_id":"FIT-14"}'),
    ("list_milestones", "{}"),
)


ALIAS = Alias(model="instant", endpoint="http://127.0.0.1/v1", style="native", context_tokens=200_000)


class InstantEndpoint:
    """Stands for an endpoint without latency: TOOL_CALLS tool calls, then an answer. Fits agents.connection."""

    async def endpoint(self) -> InstantEndpoint:
        return self

    async def complete(self, request: Mapping[str, Any], seed: int) -> tuple[dict[str, Any], dict[str, float]]:
        messages = request["messages"]
        usage = {"prompt": 1000, "completion": 10, "reasoning": 0}
        called = len(messages) // 2 - 1  # after the system's and the user's, two a call
        if called < TOOL_CALLS:
            name, arguments = _READS[called % len(_READS)]
            message = {"tool_calls": [{"type": "function", "function": {"name": name, "arguments": arguments}}]}
            return {"message": message, "finish_reason": "tool_calls", "usage": usage}, {"seconds": 0.0}
        return {"message": {"content": "Marit"}, "finish_reason": "stop", "usage": usage}, {"seconds": 0.0}


def one_question() -> WorkplaceInstance:
    """Scenario s12 with its first question alone."""
    scenario = load(find("s12"))
    return WorkplaceInstance(replace(scenario, questions=scenario.questions[:1]))


@asynccontextmanager
async def record_in(folder: Path) -> AsyncIterator[tuple[RunRecord, ModelGateway]]:
    """A new run folder with its models."""
    async with RunRecord.create(folder, {}) as record:
        yield record, ModelGateway(ALIAS, record, InstantEndpoint(), seed=0, live=True)  # type: ignore[arg-type]


async def run_episodes(
    instance: WorkplaceInstance, numbers: range, record: RunRecord, models: ModelGateway, at_once: int = AT_ONCE
) -> None:
    """Episodes of one question and TOOL_CALLS tool calls, one for each of `numbers`, `at_once` at a time."""
    trials = iter(numbers)
    style = NativeStyle(ALIAS.limits)

    async def work() -> None:
        for trial in trials:
            agent = ToolLoop(style, ALIAS.limits, ALIAS.context_tokens)
            await Episode(instance, instance.environment(0), agent, record, models, trial=trial).run()

    await asyncio.gather(*(work() for _ in range(at_once)))


async def measure() -> list[Figure]:
    """The median of REPEATS runs of EPISODES episodes each."""
    instance = one_question()
    rates = []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            async with record_in(Path(folder) / "run") as (record, models):
                began = time.perf_counter()
                await run_episodes(instance, range(EPISODES), record, models)
                rates.append(EPISODES / (time.perf_counter() - began))
    return [
        Figure(
            f"episodes of {TOOL_CALLS} tool calls, {AT_ONCE} at once, records synced",
            statistics.median(rates),
            "/s",
            "target: 600 /s on one core",
        )
    ]
