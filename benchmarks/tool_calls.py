"""A tool call through the gateway, against the bare function and against FastMCP's in-memory client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastmcp import Client

from benchmarks.figures import Figure, seconds_per_await, seconds_per_call
from envs.clock import FrozenClock
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.machine import Machine
from scenarios.library import find
from scenarios.loader import load
from servers.adapter import build_server
from servers.gateway import Gateway
from servers.linear.operations import linear_replay, list_tickets
from servers.pack import View

ARGUMENTS: Mapping[str, Any] = {"status": "started", "limit": 10}


async def measure() -> list[Figure]:
    """`list_tickets` with a filter on scenario s12, each way of calling it."""
    scenario = load(find("s12"))
    now = scenario.questions[-1].time
    view = View(linear_replay(scenario).at(now), scenario.agent.handle, now)
    bare = seconds_per_call(lambda: list_tickets(view, **ARGUMENTS), 2_000)
    gateway = _gateway(scenario, now)

    async def call() -> None:
        await gateway.call("list_tickets", '{"status":"started","limit":10}')

    in_process = await seconds_per_await(call, 2_000)
    async with Client(build_server(_gateway(scenario, now), name="bench", instructions="")) as client:
        in_memory = await seconds_per_await(lambda: client.call_tool("list_tickets", dict(ARGUMENTS)), 100)
    return [
        Figure("bare function", bare * 1e3, "ms"),
        Figure("gateway (parse, check, gate, run, record)", in_process * 1e3, "ms", "target: at most 0.1 ms"),
        Figure("gateway, calls per second", 1 / in_process, "/s"),
        Figure("FastMCP in-memory client over the same gateway", in_memory * 1e3, "ms"),
        Figure("gateway over bare function", in_process / bare, "times"),
        Figure("in-memory client over gateway", in_memory / in_process, "times"),
    ]


def _gateway(scenario: Any, now: Any) -> Gateway:
    packs = WorkplaceInstance(scenario).tools(Machine.of(scenario))
    return Gateway(packs, FrozenClock(now), lambda: (), charging=True)
