"""Keys that the format is going to have: refused as "not yet", so that nobody takes them for misspelt."""

from __future__ import annotations

from scenarios.part import Part
from scenarios.question_schema import QuestionEntry
from scenarios.schema import ScenarioFile

PLANNED_KEYS: dict[type[Part], frozenset[str]] = {
    ScenarioFile: frozenset(
        {"reactions", "probes", "errata", "call_seconds", "write_policy", "push", "source", "unscored"}
    ),
    QuestionEntry: frozenset({"expect", "nothing_else"}),
}
PLANNED_CLOCKS = frozenset({"live"})
PLANNED_ANSWERS = frozenset({"choice", "list", "abstain", "formula", "script"})
