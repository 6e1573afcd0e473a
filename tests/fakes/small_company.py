"""The small company of `small_company.yaml`, timelines of one's own in it, and its tools at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from envs.clock import FrozenClock, parse_instant
from envs.workplace.instance import OPTIONAL_PACKS, WorkplaceInstance
from envs.workplace.machine import Machine
from scenarios.loader import load
from scenarios.scenario import Event, Scenario
from scenarios.schema import EVENT_KINDS
from servers.gateway import Gateway

PATH = Path(__file__).with_suffix(".yaml")
END = "2025-05-09T00:00"
ALL_PACKS = frozenset(OPTIONAL_PACKS)
_UTC = ZoneInfo("UTC")


@cache
def small_company() -> Scenario:
    return load(PATH)


def with_events(*events: Event, viewer: str = "ada") -> Scenario:
    """The same company with another timeline, as `viewer` sees it."""
    company = small_company()
    return replace(company, events=events, agent=company.agent.model_copy(update={"handle": viewer}))


def without_events_after(scenario: Scenario, time: datetime) -> Scenario:
    return replace(scenario, events=tuple(event for event in scenario.events if event.time <= time))


def instant(text: str) -> datetime:
    """An instant, read as UTC."""
    return parse_instant(text, _UTC)


def event(name: str, time: str, kind: str, **payload: Any) -> Event:
    """An event at a time in UTC; `sender` stands for the key `from`."""
    if "sender" in payload:
        payload["from"] = payload.pop("sender")
    return Event(name, instant(time), kind, EVENT_KINDS[kind].model_validate(payload))


def tools_at(time: str | datetime, scenario: Scenario | None = None) -> Gateway:
    """The agent's tools as they are at a time, every optional pack included, on a machine of their own."""
    now = instant(time) if isinstance(time, str) else time
    company = scenario or small_company()
    packs = WorkplaceInstance(company, ALL_PACKS).tools(Machine.of(company))
    return Gateway(packs, FrozenClock(now), lambda: (), charging=True)


async def answer(tools: Gateway, tool: str, **arguments: Any) -> Any:
    """The result of a call that must succeed."""
    result = await tools.call(tool, arguments)
    assert result.error is None, result.text
    return orjson.loads(result.text)


async def refusal(tools: Gateway, tool: str, **arguments: Any) -> Any:
    """The error of a call that must fail."""
    result = await tools.call(tool, arguments)
    assert result.error is not None, result.text
    told = orjson.loads(result.text)
    assert told["error"] == result.error
    return told
