"""The demonstration's own checks can fail: each holds a planted fault, on records made up here."""

import json
from pathlib import Path
from typing import Any

import pytest

import demo

QUESTIONS = ["q1", "q2"]
REPORT = """\
run     agent   correctness[match]
------  ------  ------------------
local   local   0.000
silent  silent  n/a

silent is incomplete.
"""


def write(run: Path, file: str, rows: list[dict[str, Any]]) -> None:
    run.mkdir(exist_ok=True)
    lines = [{"schema": f"made-up.{file}/1"}, *rows]
    (run / f"{file}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run in which one of two calls succeeded and both questions were scored."""
    folder = tmp_path / "run"
    write(folder, "calls", [{"tool": "slack_x", "error": "not_found"}, {"tool": "slack_y", "error": None}])
    write(folder, "answers", [{"question": question, "fault": None} for question in QUESTIONS])
    write(folder, "verdicts", [{"question": question, "score": 0.0} for question in QUESTIONS])
    return folder


def problems(run: Path, report: str = REPORT) -> list[str]:
    return [problem.replace(str(run), "run") for problem in demo.problems(run, [run], QUESTIONS, report)]


def test_a_good_run_has_no_problem(run: Path) -> None:
    assert problems(run) == []
    assert demo.successful_calls(run) == ["slack_y"]


@pytest.mark.parametrize("calls", [[], [{"tool": "slack_x", "error": "not_found"}]], ids=["none", "failed"])
def test_no_successful_call_is_a_problem(run: Path, calls: list[dict[str, Any]]) -> None:
    write(run, "calls", calls)
    assert problems(run) == ["run/calls.jsonl: the model made no successful tool call"]


@pytest.mark.parametrize(
    ("file", "row"),
    [("answers", {"question": "q1", "fault": None}), ("answers", {"question": "q2", "fault": "endpoint"})],
    ids=["missing", "fault"],
)
def test_a_question_without_an_answer_is_a_problem(run: Path, file: str, row: dict[str, Any]) -> None:
    write(run, file, [{"question": "q1", "fault": None}, row])
    assert problems(run) == ["run/verdicts.jsonl: question q2 has no score"]


def test_an_unscored_answer_is_a_problem(run: Path) -> None:
    write(run, "verdicts", [{"question": "q1", "score": 1.0}, {"question": "q2", "score": None}])
    assert problems(run) == ["run/verdicts.jsonl: question q2 has no score"]


@pytest.mark.parametrize(
    ("row", "blank"),
    [
        ("local   local   0.000", "local           0.000"),
        ("local   local   0.000", "        local   0.000"),
        ("silent  silent  n/a", "silent  silent"),
        ("run     agent   correctness[match]", "run             correctness[match]"),
    ],
)
def test_a_blank_cell_is_a_problem(run: Path, row: str, blank: str) -> None:
    assert row in REPORT
    assert problems(run, REPORT.replace(row, blank)) == [f"the report has a blank cell: {blank}"]


@pytest.mark.parametrize("report", ["", "\n", "local  0.000\n", "----  ----\nlocal  0.000\n"])
def test_a_report_without_a_table_is_a_problem(run: Path, report: str) -> None:
    assert problems(run, report) == ["the report has no table"]
