"""Findings: what a check has against a scenario, where in the file, and how to mend it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from scenarios.mistake import KeyPath
from scenarios.scenario import Scenario

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`path`: keys and indexes in the file. `message`: one line, what is wrong; how to mend it."""

    check: str
    severity: Severity
    path: KeyPath
    message: str
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A named check. `severity`: of all its findings, a warning being an error only when checked strictly."""

    name: str
    severity: Severity
    run: Callable[[Scenario], Awaitable[list[Note]]]


@dataclass(frozen=True, slots=True)
class Note:
    """A finding of a check that names itself elsewhere."""

    path: KeyPath
    message: str
    at_key: bool = False


def question_path(scenario: Scenario, question: str, *keys: str | int) -> KeyPath:
    """Where a question stands in the file, or the value under `keys` in it. Raises KeyError for an unknown id."""
    for index, each in enumerate(scenario.questions):
        if each.id == question:
            return ("questions", index, *keys)
    raise KeyError(question)
