"""Keys that the format is going to have: refused as "not yet", so that nobody takes them for misspelt."""

from __future__ import annotations

from scenarios.part import Part
from scenarios.schema import AgentRole, Org, QuestionEntry, ScenarioFile, SlackMessage

PLANNED_KEYS: dict[type[Part], frozenset[str]] = {
    ScenarioFile: frozenset(
        {"reactions", "probes", "errata", "call_seconds", "write_policy", "push", "source", "unscored"}
    ),
    Org: frozenset({"git"}),
    AgentRole: frozenset({"initial_read"}),
    QuestionEntry: frozenset({"expect", "nothing_else"}),
    SlackMessage: frozenset({"files"}),
}
PLANNED_CLOCKS = frozenset({"live"})
PLANNED_ANSWERS = frozenset({"choice", "list", "abstain", "formula", "script"})
PLANNED_EVENTS = frozenset({"linear.project_update"})
PLANNED_PLATFORMS = frozenset({"git", "files", "notify"})
"""Every event kind of these is planned."""


def is_planned_event(kind: object) -> bool:
    """Whether the event kind `kind` is still to come."""
    if not isinstance(kind, str):
        return False
    return kind in PLANNED_EVENTS or kind.partition(".")[0] in PLANNED_PLATFORMS
