"""What an agent is told at the start: who it is, its task in the company, how to answer."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from envs.clock import format_instant
from scenarios.scenario import Scenario

RULES = Path(__file__).with_name("rules.txt").read_text(encoding="utf-8").strip()


def briefing(scenario: Scenario) -> str:
    """The scenario's own briefing, after a line that says which of the company's accounts is the agent's."""
    handle = scenario.agent.handle
    person = next(person for person in scenario.org.people if person.handle == handle)
    admin = " You have admin rights." if scenario.agent.is_admin else ""
    return (
        f"You are {person.name} (@{handle}), {person.role} at {scenario.org.name}. "
        f"Local time is that of {person.zone or scenario.zone.key}.{admin}\n\n{scenario.agent.briefing}"
    )


def server_instructions(scenario: Scenario, now: datetime) -> str:
    """What a client that comes by MCP is told: the briefing and the time."""
    local = now.astimezone(scenario.zone)
    return (
        f"{briefing(scenario)}\n\nIt is {format_instant(now)} "
        f"({local:%A, %Y-%m-%d %H:%M} in {scenario.zone.key}). All times in results are UTC."
    )
