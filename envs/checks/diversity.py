"""The seven measures of a scenario's diversity, after the MEMTRACK paper (its summary names them)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

from envs.checks.events import names_whole, texts
from scenarios.scenario import Event, Scenario

_TOKEN = re.compile(r"\w+|[^\w\s]")
_TICKET = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*-\d+(?![\w-])")
_CHANNEL = re.compile(r"(?<![\w#])#[a-z][\w-]*")


@dataclass(frozen=True, slots=True)
class Diversity:
    """`tokens`: words and marks of all texts. `entropy`: of events over platforms, in nats, and over its most.

    `references`: events that name a thing of another platform. `heterophily`: the share of adjacent events on
    different platforms. `span_hours`: from the first event to the last.
    """

    events: int
    tokens: int
    entropy: float
    normalised: float
    references: int
    heterophily: float
    span_hours: float
    questions: int


PAPER = {
    "events": (39.9, 115),
    "tokens": (4010, 11100),
    "entropy": (0.668, 0.989),
    "references": (2.1, 19),
    "heterophily": (0.364, 0.714),
    "span_hours": (878, 3049),
    "questions": (3.2, 5),
}
"""Mean and maximum of the published suite, for comparison."""


def diversity(scenario: Scenario) -> Diversity:
    """The measures of one scenario."""
    events = scenario.events
    counts = Counter(event.platform for event in events)
    entropy = -sum(count / len(events) * math.log(count / len(events)) for count in counts.values())
    pairs = list(pairwise(events))
    switched = sum(first.platform != second.platform for first, second in pairs)
    return Diversity(
        events=len(events),
        tokens=sum(len(_TOKEN.findall(text)) for event in events for text in texts(event)),
        entropy=abs(entropy),
        normalised=abs(entropy) / math.log(len(counts)) if len(counts) > 1 else 0.0,
        references=sum(_refers(scenario, event) for event in events),
        heterophily=switched / len(pairs) if pairs else 0.0,
        span_hours=(events[-1].time - events[0].time).total_seconds() / 3600,
        questions=len(scenario.questions),
    )


def mean_and_most(all_of: Sequence[Diversity]) -> dict[str, tuple[float, float]]:
    """Measure -> mean and maximum over scenarios. Raises ValueError for none."""
    values = {field.name: [float(getattr(each, field.name)) for each in all_of] for field in fields(Diversity)}
    return {name: (sum(column) / len(column), max(column)) for name, column in values.items()}


def _refers(scenario: Scenario, event: Event) -> bool:
    """Whether an event names a ticket, channel or repository of another platform than its own."""
    text = "\n".join(texts(event))
    git = getattr(scenario.org, "git", None)
    repositories = [repository.name for repository in git.repositories] if git is not None else []
    return (
        (event.platform != "linear" and _TICKET.search(text) is not None)
        or (event.platform != "slack" and _CHANNEL.search(text) is not None)
        or (event.platform != "git" and any(names_whole(text, name) for name in repositories))
    )
