"""A platform's state over time: the fold of its events up to an instant."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Generic, Protocol, Self, TypeVar

from scenarios.scenario import Event

_KEPT = 32


class Copyable(Protocol):
    """A state whose copy can take further events without changing the original."""

    def copy(self) -> Self: ...


StateT = TypeVar("StateT", bound=Copyable)


class Replay(Generic[StateT]):
    """Gives the state at any instant: exactly the events with time <= it, so that what is later exists nowhere.

    States are shared by all readers, who must not change them; `apply` runs on a private copy. Going on from a kept
    state costs one shallow copy and the events between.
    """

    def __init__(self, events: Sequence[Event], start: StateT, apply: Callable[[StateT, Event], None]) -> None:
        self._events = tuple(events)
        self._times = [event.time for event in self._events]
        self._apply = apply
        self._states: dict[int, StateT] = {0: start}

    def at(self, instant: datetime) -> StateT:
        """The state at `instant`, read only."""
        count = bisect_right(self._times, instant)
        state = self._states.get(count)
        return self._advanced(count) if state is None else state

    def _advanced(self, count: int) -> StateT:
        known = max(kept for kept in self._states if kept <= count)
        state = self._states[known].copy()
        for event in self._events[known:count]:
            self._apply(state, event)
        if len(self._states) > _KEPT:
            # The start stays: every instant must have some earlier state to go on from.
            del self._states[next(kept for kept in self._states if kept)]
        self._states[count] = state
        return state
