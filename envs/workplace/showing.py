"""What shows an event's decisive value: the texts in which it stands, and the people who stand beside it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from envs.protocol import Json
from envs.workplace.enquiry import Enquiry
from scenarios.evidence import folded
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


def says(value: Json, words: str) -> bool:
    """Whether a value of a result says `words`, as evidence is read: without regard to case and white space."""
    wanted = folded(words)
    if not isinstance(value, str):
        return plain(value) == wanted
    pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)" if wanted[0].isalnum() else re.escape(wanted)
    return re.search(pattern, folded(value)) is not None


def plain(value: Json) -> str:
    """A value that isn't text, as an author writes it: `null`, `true`, `3`, `0.5`."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
