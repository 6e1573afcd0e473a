"""Keys that the format is going to have: refused as "not yet", so that nobody takes them for misspelt."""

from __future__ import annotations

from scenarios.part import Part
from scenarios.question_schema import QuestionEntry
from scenarios.schema import ScenarioFile

PLANNED_KEYS: dict[type[Part], frozenset[str]] = {
    ScenarioFile: frozenset({"reactions", "probes"}),
    QuestionEntry: frozenset({"expect", "nothing_else"}),
}
PLANNED_VALUES: dict[str, frozenset[str]] = {
    "clock": frozenset({"live"}),
    "write_policy": frozenset({"allow"}),
    "push": frozenset({"agent", "all"}),
}
"""Key of the top level -> values that it is going to take."""
