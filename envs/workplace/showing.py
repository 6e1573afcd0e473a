"""What shows an event's decisive value: the texts in which it stands, and the people who stand beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from envs.protocol import Json
from envs.workplace.enquiry import Enquiry
from scenarios.evidence import says
from scenarios.scenario import Event, Scenario


@dataclass(frozen=True, slots=True)
class Showing:
    """`texts`: what the tools gave where the value belongs, whole. `people`: handles that stand there as values.

    `beside`: the name of the place, where the texts alone could stand anywhere. `time`: when it was said or done, as
    the tools write it, blank where they don't tell.
    """

    texts: tuple[str, ...]
    people: tuple[str, ...] = ()
    beside: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """One event's decisive words, to be found through `enquiry`. `events`: the scenario's, by id."""

    enquiry: Enquiry
    scenario: Scenario
    events: Mapping[str, Event]
    event: Event
    words: str

    @property
    def viewer(self) -> str:
        return self.scenario.agent.handle

    def told(self, value: Json) -> bool:
        """Whether `value` says the decisive words: a text somewhere, whole words only; another value exactly."""
        return says(value, self.words)


Locator = Callable[[Search], Awaitable[Showing | None]]
"""Finds an event's decisive words in the place where such an event puts them; None where they aren't there."""
