"""What a run's figures look like: the JSON object and the table."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from envs.answers import TextGold
from envs.protocol import Answer, Call, Case, Key, Question, RowKey, Verdict
from envs.report import render_table, report_json
from envs.summary import Summary, summarise

START = datetime(2025, 5, 1, 9, tzinfo=UTC)
EXPECTED = {"s01": [("q1", 0), ("q2", 1)], "s02": [("q1", 0)]}
RUN = {"agent": "local", "seed": 7}


def summary(count: int, *, judge: str = "match", score: float = 1.0, called: bool = True) -> Summary:
    """A run of which the first `count` rows are there."""
    rows = [RowKey("s01", "q1", 0, 0), RowKey("s01", "q2", 1, 0), RowKey("s02", "q1", 0, 0)][:count]
    call = Call("get_users", "slack.get_users", {}, None, START, True, False, "agent", "{}")
    cases = [
        Case(
            row,
            Question(row.question, "Who?", "sequential"),
            START,
            Key(TextGold(("Dana",))),
            Answer(row.question, "Dana", "answer"),
            (call,) if called else (),
        )
        for row in rows
    ]
    return summarise(EXPECTED, 1, cases, {row: Verdict(score, "") for row in rows}, judge)


def test_json_of_a_complete_run() -> None:
    report = report_json(RUN, summary(3))
    assert report["metrics"]["correctness[match]"] == {"mean": 1.0, "low": 1.0, "high": 1.0, "scored": 3, "expected": 3}
    assert report["metrics"]["entropy"] == {"mean": 0.0, "low": None, "high": None, "scored": 3, "expected": 3}
    assert report["counts"] == {"expected": 3, "scored": 3, "unscored": 0, "faulted": 0, "missing": 0}
    assert [scenario["id"] for scenario in report["per_scenario"]] == ["s01", "s02"]
    assert report["per_scenario"][0]["correctness[match]"] == 1.0
    assert report["per_scenario"][0]["calls"] == 1.0
    assert report["run"] == RUN


def test_json_never_holds_nan_whatever_is_missing() -> None:
    for count in range(4):
        for called in (True, False):
            report = report_json(RUN, summary(count, called=called))
            assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_table_of_a_complete_and_an_incomplete_run() -> None:
    table = render_table([("r1", RUN, summary(3)), ("r2", {"agent": "silent"}, summary(1, called=False))])
    assert table.splitlines() == [
        "run  agent   scenarios  scored/expected  correctness[match]    efficiency            calls  entropy  success",
        "---  ------  ---------  ---------------  --------------------  --------------------  -----  -------  -------",
        "r1   local   2          3/3              1.000                 1.000                 1.000  0.000    1.000",
        "r2   silent  2          1/3 incomplete   1.000 [0.250, 1.000]  1.000 [0.250, 1.000]  0.000  n/a      n/a",
        "",
        "r2 is incomplete: 1 of 3 rows scored, 2 missing; [low, high] if all of these were 0 or 1.",
    ]


def test_one_survivor_of_twelve_is_never_shown_as_a_plain_full_mark() -> None:
    expected = {f"s{number:02}": [("q1", 0)] for number in range(12)}
    row = RowKey("s00", "q1", 0, 0)
    alone = Case(row, Question("q1", "?", "sequential"), START, Key(TextGold(("x",))), Answer("q1", "x", "answer"), ())
    table = render_table([("run", RUN, summarise(expected, 1, [alone], {row: Verdict(1.0, "")}))])
    assert "1/12 incomplete" in table
    assert "1.000 [0.083, 1.000]" in table
    assert "11 missing" in table


def test_the_note_tells_unscored_faulted_and_missing_rows_apart() -> None:
    expected = {"s01": [(f"q{turn}", turn) for turn in range(7)]}
    rows = [RowKey("s01", f"q{turn}", turn, 0) for turn in range(4)]
    answers = [Answer("q0", "x", "answer"), Answer("q1", "x", "answer")]
    answers += [Answer(row.question, None, "fault", "endpoint") for row in rows[2:]]
    cases = [
        Case(row, Question(row.question, "?", "sequential"), START, Key(TextGold(("x",))), answer, ())
        for row, answer in zip(rows, answers, strict=True)
    ]
    table = render_table([("r", RUN, summarise(expected, 1, cases, {rows[0]: Verdict(1.0, "")}))])
    note = "r is incomplete: 1 of 7 rows scored, 1 without a verdict, 2 ended by a fault, 3 missing; "
    assert table.splitlines()[-1].startswith(note)


def test_judges_never_share_a_column() -> None:
    table = render_table([("a", RUN, summary(3, score=0.5)), ("b", RUN, summary(3, judge="gpt-4o", score=0.9))])
    header, _, first, second = table.splitlines()
    left, right = header.index("correctness[match]"), header.index("correctness[gpt-4o]")
    assert first[left:].split()[0] == "0.500"
    assert first[right:].split()[0] == "n/a"
    assert second[left:].split()[0] == "n/a"
    assert second[right:].split()[0] == "0.900"


def test_no_cell_is_blank() -> None:
    table = render_table([("", {}, summary(0)), ("x", {"agent": " "}, summary(3, called=False))])
    header, _, *rows = table.split("\n\n")[0].splitlines()
    starts = [at for at in range(len(header)) if header[at] != " " and (at == 0 or header[at - 1] == " ")]
    for row in rows:
        assert all(row[at : at + 1].strip() for at in starts), row


def test_a_name_cannot_forge_a_row() -> None:
    table = render_table([("a\nb\x1b[31m", {"agent": "x\ty"}, summary(3))])
    assert len(table.splitlines()) == 3
    assert table.isprintable() or table.replace("\n", "").isprintable()


def test_the_table_of_no_runs_is_its_heading() -> None:
    assert len(render_table([]).splitlines()) == 2
