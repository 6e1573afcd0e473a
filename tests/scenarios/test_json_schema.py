"""The shipped JSON Schema: current, it takes every scenario that loads, and refuses what a model refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import ryaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from scenarios import json_schema, library

VALIDATOR = Draft202012Validator(json.loads(json_schema.PATH.read_text(encoding="utf-8")))
DATA = Path(__file__).parent / "data"


def value(path: Path) -> Any:
    return ryaml.loads(path.read_text(encoding="utf-8"))  # type: ignore[attr-defined]  # its exports aren't declared


def refused(text: str) -> bool:
    return not VALIDATOR.is_valid(ryaml.loads(text))  # type: ignore[attr-defined]


def test_the_shipped_file_is_current() -> None:
    assert json_schema.PATH.read_text(encoding="utf-8") == json_schema.text()
    Draft202012Validator.check_schema(json_schema.schema())


@pytest.mark.parametrize("path", [*map(library.find, library.bundled()), *sorted(DATA.glob("*.yaml"))], ids=str)
def test_every_scenario_is_taken(path: Path) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(value(path))] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: A small scenario", "tilte: A small scenario"),
        ("    slack.delete: {message: reply}", "    slack.delete: {mesage: reply}"),
        ("    slack.delete: {message: reply}", "    slack.deleted: {message: reply}"),
        (
            "    slack.delete: {message: reply}",
            "    slack.delete: {message: reply}\n    slack.leave: {channel: a, person: b}",
        ),
        ("    slack.delete: {message: reply}\n", ""),
        ("answer: {date: 2025-10-27}", "answer: {dat: 2025-10-27}"),
        ("answer: {date: 2025-10-27}", "answer: {date: 2025-10-27, number: 3}"),
        ("text: Are you in?", "text: 3.10"),
        ("topic: Finding boots", "topic: null"),
        ("priority: 2", "priority: 5"),
        ("handle: ana", "handle: Ana"),
        ("clock", "clock"),
    ],
)
def test_a_slip_is_refused(old: str, new: str, small: str) -> None:
    text = f"clock: live\n{small}" if old == "clock" else small.replace(old, new)
    assert not refused(small)
    assert refused(text)


def test_an_update_may_clear_with_null(small: str) -> None:
    assert not refused(small.replace("status: In Progress}", "lead: null}"))
    assert refused(small.replace("status: In Progress}", "title: null}"))
