"""Serving a scenario's tools to an outside agent over standard input and output."""

from __future__ import annotations

from envs.clock import FrozenClock
from envs.workplace.briefing import server_instructions
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.machine import Machine
from scenarios.scenario import Scenario
from servers.adapter import build_server
from servers.gateway import Gateway
from servers.pack import PrefixedPack
from servers.stdio import run_stdio


async def serve_stdio(scenario: Scenario, packs: frozenset[str] = frozenset()) -> None:
    """Serves all platforms on one endpoint until input ends, as of the last question's instant.

    `packs`: opt-in tools by name. The process is one run. Standard output carries the protocol only; whatever else is
    printed goes to standard error.
    """
    now = scenario.questions[-1].time
    instance = WorkplaceInstance(scenario, packs)
    instance.check()
    machine = Machine.of(scenario)
    offered = [PrefixedPack(pack) for pack in instance.tools(machine)]
    gateway = Gateway(offered, FrozenClock(now), lambda: (), charging=True, caller="client", keep=False)
    server = build_server(gateway, name="driftdesk", instructions=server_instructions(scenario, now))
    try:
        await run_stdio(server)
    finally:
        machine.close()
