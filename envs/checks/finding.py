"""What a check is, and what it has against a scenario: where in the file, and how to mend it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from scenarios.mistake import KeyPath
from scenarios.scenario import Scenario

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """`path`: keys and indexes in the file; `at_key`: the last key itself, not its value.

    `message`: one line, what is wrong; how to mend it.
    """

    path: KeyPath
    message: str
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A named check. `severity`: of all its notes, a warning being an error only when checked strictly."""

    name: str
    severity: Severity
    run: Callable[[Scenario], Awaitable[list[Note]]]


def question_path(scenario: Scenario, question: str, *keys: str | int) -> KeyPath:
    """Where a question stands in the file, or the value under `keys` in it. Raises KeyError for an unknown id."""
    for index, each in enumerate(scenario.questions):
        if each.id == question:
            return ("questions", index, *keys)
    raise KeyError(question)
