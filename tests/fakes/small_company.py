"""The small company of `small_company.yaml`, and timelines of one's own in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from envs.clock import parse_instant
from scenarios.loader import load
from scenarios.scenario import Event, Scenario
from scenarios.schema import EVENT_KINDS

PATH = Path(__file__).with_suffix(".yaml")
_UTC = ZoneInfo("UTC")


def small_company() -> Scenario:
    return load(PATH)


def with_events(scenario: Scenario, events: Iterable[Event]) -> Scenario:
    return replace(scenario, events=tuple(events))


def instant(text: str) -> datetime:
    """An instant, read as UTC."""
    return parse_instant(text, _UTC)


def event(name: str, time: str, kind: str, **payload: Any) -> Event:
    """An event at a time in UTC; `sender` stands for the key `from`."""
    if "sender" in payload:
        payload["from"] = payload.pop("sender")
    return Event(name, instant(time), kind, EVENT_KINDS[kind].model_validate(payload))
