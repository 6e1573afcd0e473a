"""Replay: every event can happen when its turn comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from envs.checks.finding import Note
from scenarios.mistake import quoted
from scenarios.scenario import Event, Scenario
from servers.linear import events as linear_events
from servers.linear import state as linear_state
from servers.slack import events as slack_events
from servers.slack import state as slack_state

_FOLDS: Mapping[str, tuple[Callable[[Scenario], Any], Callable[[Any, Event], None]]] = {
    "slack": (slack_state.initial_state, slack_events.apply),
    "linear": (linear_state.initial_state, linear_events.apply),
}
"""Platform -> its state before the first event, and how an event changes it."""


async def replays(scenario: Scenario) -> list[Note]:
    """Replaying raises nothing."""
    states = {platform: start(scenario) for platform, (start, _) in _FOLDS.items()}
    for event in scenario.events:
        if event.platform not in _FOLDS:
            continue
        try:
            _FOLDS[event.platform][1](states[event.platform], event)
        except (LookupError, ValueError, TypeError) as error:
            reason = f"{type(error).__name__}: {error}"
            message = f"{quoted(event.id)} can't happen at its time ({reason}); correct what it refers to"
            return [Note(("timeline",), message, at_key=True)]
    return []
