"""The figures of a run: averages, bounds, counts. Expected values are worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.answers import TextGold
from envs.errors import RunError
from envs.protocol import Answer, Call, Case, Key, Question, RowKey, Verdict
from envs.summary import Counts, Metric, Summary, summarise

START = datetime(2025, 5, 1, 9, tzinfo=UTC)
EXPECTED = {"s01": [("q1", 0), ("q2", 1)], "s02": [("q1", 0)]}
ROWS = [RowKey("s01", "q1", 0, 0), RowKey("s01", "q2", 1, 0), RowKey("s02", "q1", 0, 0)]


def case(row: RowKey, ops: Sequence[str] = (), *, fault: bool = False, error: str | None = None) -> Case:
    made = tuple(Call(op, op, {}, error, START, True, False, "agent", "{}") for op in ops)
    answer = (
        Answer(row.question, None, "fault", "endpoint")
        if fault
        else Answer(row.question, "x", "answer", usage={"prompt": 10})
    )
    return Case(row, Question(row.question, "?", "sequential"), START, Key(TextGold(("x",))), answer, made)


def summary(scores: dict[RowKey, float | None], faulted: Sequence[RowKey] = (), trials: int = 1) -> Summary:
    cases = [case(row, fault=row in faulted) for row in scores]
    return summarise(EXPECTED, trials, cases, {row: Verdict(score, "") for row, score in scores.items()})


def correctness(found: Summary) -> Metric:
    return found.metrics["correctness[match]"]


def test_questions_are_averaged_to_instances_and_these_to_the_suite() -> None:
    """(1 + 0) / 2 and 1: 0.75, where the mean over rows would be 2/3."""
    found = summary({ROWS[0]: 1.0, ROWS[1]: 0.0, ROWS[2]: 1.0})
    assert correctness(found) == Metric(0.75, 0.75, 0.75, 3, 3)
    assert [(one.id, one.metrics["correctness[match]"]) for one in found.instances] == [("s01", 0.5), ("s02", 1.0)]
    assert found.complete
    assert found.counts == Counts(expected=3, scored=3, unscored=0, faulted=0, missing=0)


def test_missing_rows_are_neither_zeros_nor_forgotten() -> None:
    """s01: 1 and a fault; s02 not there. Over what is scored 1.0; all missing wrong 0.25; all right 1.0."""
    found = summary({ROWS[0]: 1.0, ROWS[1]: None}, faulted=[ROWS[1]])
    assert correctness(found) == Metric(1.0, 0.25, 1.0, 1, 3)
    assert not found.complete
    assert found.counts == Counts(expected=3, scored=1, unscored=0, faulted=1, missing=1)
    assert [one.metrics["correctness[match]"] for one in found.instances] == [1.0, None]


def test_bounds_from_both_sides() -> None:
    """s01: 0 and missing; s02: 1. Mean (0 + 1) / 2; low (0 + 1) / 2; high (0.5 + 1) / 2."""
    assert correctness(summary({ROWS[0]: 0.0, ROWS[2]: 1.0})) == Metric(0.5, 0.5, 0.75, 2, 3)


def test_a_summary_that_took_missing_rows_for_zeros_would_be_caught() -> None:
    """Planted fault: the same run with its missing rows filled in as zeros has other figures."""
    honest = correctness(summary({ROWS[0]: 1.0}))
    zeros = correctness(summary({ROWS[0]: 1.0, ROWS[1]: 0.0, ROWS[2]: 0.0}))
    assert (honest.mean, honest.scored) == (1.0, 1)
    assert (zeros.mean, zeros.scored) == (0.25, 3)
    assert honest.low == zeros.mean


def test_a_row_without_a_verdict_is_unscored() -> None:
    cases = [case(row) for row in ROWS]
    verdicts = {ROWS[0]: Verdict(1.0, ""), ROWS[1]: Verdict(None, "no verdict")}
    found = summarise(EXPECTED, 1, cases, verdicts)
    assert found.counts == Counts(expected=3, scored=1, unscored=2, faulted=0, missing=0)


@pytest.mark.parametrize("score", [math.nan, math.inf, 1.01, -0.1])
def test_a_score_outside_its_range_is_no_verdict(score: float) -> None:
    found = summary({ROWS[0]: score, ROWS[1]: 1.0, ROWS[2]: 1.0})
    assert found.counts.unscored == 1
    assert correctness(found) == Metric(1.0, 0.75, 1.0, 2, 3)


def test_a_verdict_on_a_faulted_row_does_not_count() -> None:
    assert summary({ROWS[0]: 1.0}, faulted=[ROWS[0]]).counts.scored == 0


def test_trials_are_averaged_within_their_question() -> None:
    """q1: 1, 0, 1 and q2: 1 and two missing -> (2/3 + 1) / 2; low (2/3 + 1/3) / 2, high (2/3 + 1) / 2."""
    rows = [RowKey("s01", "q1", 0, trial) for trial in range(3)]
    cases = [case(row) for row in [*rows, RowKey("s01", "q2", 1, 1)]]
    verdicts = {row: Verdict(score, "") for row, score in zip(rows, (1.0, 0.0, 1.0), strict=True)}
    verdicts[RowKey("s01", "q2", 1, 1)] = Verdict(1.0, "")
    found = correctness(summarise({"s01": EXPECTED["s01"]}, 3, cases, verdicts))
    assert found.mean == pytest.approx(5 / 6)
    assert found.low == pytest.approx(1 / 2)
    assert found.high == pytest.approx(5 / 6)
    assert (found.scored, found.expected) == (4, 6)


def test_nothing_scored_has_no_mean_but_bounds() -> None:
    found = summarise(EXPECTED, 1, [], {})
    assert correctness(found) == Metric(None, 0.0, 1.0, 0, 3)
    assert all(metric.mean is None for metric in found.metrics.values())


def test_an_empty_suite_is_undefined() -> None:
    assert correctness(summarise({}, 1, [], {})) == Metric(None, None, None, 0, 0)


def test_measures_of_calls() -> None:
    """s01: 12 slack calls and 1 git call; s02: none. Efficiency (exp(-0.2) + 1) / 2 and 1."""
    cases = [case(ROWS[0], ["slack.a"] * 12), case(ROWS[1], ["git.b"]), case(ROWS[2])]
    found = summarise(EXPECTED, 1, cases, {}).metrics
    assert found["efficiency"].mean == pytest.approx(((math.exp(-0.2) + 1) / 2 + 1) / 2)
    assert found["efficiency_instance"].mean == pytest.approx((math.exp(-0.3) + 1) / 2)
    assert found["calls"] == Metric(3.25, None, None, 3, 3)
    assert found["calls_max"] == Metric(12.0, None, None, 3, 3)
    assert found["switches"] == Metric(0.5, None, None, 2, 2)
    expected = -(12 / 13 * math.log(12 / 13) + 1 / 13 * math.log(1 / 13))
    assert found["entropy"].mean == pytest.approx(expected)
    assert (found["entropy"].scored, found["entropy"].expected) == (2, 3), "no calls: no entropy"
    assert (found["success"].mean, found["success"].low) == (1.0, None)
    assert found["tokens[prompt]"] == Metric(10.0, None, None, 3, 3)


def test_a_fault_leaves_its_calls_out_of_every_measure() -> None:
    cut = case(ROWS[1], ["slack.a"] * 40, fault=True, error="endpoint")
    kept = [case(ROWS[0], ["slack.a"] * 20), case(ROWS[2])]
    found = summarise(EXPECTED, 1, [*kept, cut], {})
    efficiency, one = found.metrics["efficiency"], math.exp(-1)
    assert (efficiency.scored, efficiency.expected) == (2, 3)
    assert efficiency.mean == pytest.approx((one + 1) / 2)
    assert efficiency.low == pytest.approx((one / 2 + 1) / 2)
    assert efficiency.high == pytest.approx(((one + 1) / 2 + 1) / 2)
    assert found.metrics["efficiency_instance"] == Metric(1.0, 0.5, 1.0, 1, 2), "half an episode has no total"
    assert found.metrics["entropy"] == Metric(0.0, None, None, 1, 3), "half an episode is not covered in full"
    assert found.metrics["success"] == Metric(1.0, None, None, 1, 3)
    assert found.metrics["calls"].mean == 10.0
    assert found.errors == {}


def test_one_sound_row_of_five_is_not_a_covered_episode() -> None:
    rows = [RowKey("s01", f"q{turn}", turn, 0) for turn in range(5)]
    expected = {"s01": [(row.question, row.turn) for row in rows]}
    cases = [case(rows[0], ["slack.a"]), *(case(row, ["git.b"], fault=True) for row in rows[1:])]
    found = summarise(expected, 1, cases, {}).metrics
    for name in ("entropy", "entropy_normalised", "success"):
        assert (found[name].scored, found[name].expected) == (1, 5), name
    assert (found["switches"].scored, found["switches"].expected) == (0, 1)


def test_errors_are_counted_by_code() -> None:
    cases = [case(ROWS[0], ["slack.a"] * 2, error="not_found"), case(ROWS[2], ["git.b"], error="bad_ref")]
    assert summarise(EXPECTED, 1, cases, {}).errors == {"bad_ref": 1, "not_found": 2}


def test_followup_drop_goes_by_place_and_is_paired_by_instance() -> None:
    """s01 alone has a follow-up: 1.0 - 0.25. The score of s02, which has none, plays no part."""
    found = summary({ROWS[0]: 1.0, ROWS[1]: 0.25, ROWS[2]: 0.0})
    assert found.metrics["followup_drop"] == Metric(0.75, None, None, 1, 1)
    assert summary({ROWS[0]: 1.0}).metrics["followup_drop"] == Metric(None, None, None, 0, 1)


def test_the_judge_is_in_the_name_of_its_metric() -> None:
    found = summarise(EXPECTED, 1, [], {}, judge="gpt-4o")
    assert "correctness[gpt-4o]" in found.metrics
    assert "correctness[match]" not in found.metrics


def test_a_row_twice_and_an_unexpected_row_are_refused() -> None:
    with pytest.raises(RunError, match=r"^row s01/q1 \(turn 0, trial 0\) is recorded twice.*$"):
        summarise(EXPECTED, 1, [case(ROWS[0]), case(ROWS[0])], {})
    with pytest.raises(RunError, match=r"^row s01/q1 \(turn 0, trial 1\) is none of this run's.*$"):
        summarise(EXPECTED, 1, [case(replace_trial(ROWS[0], 1))], {})


def replace_trial(row: RowKey, trial: int) -> RowKey:
    return row._replace(trial=trial)


def test_the_order_of_cases_changes_nothing() -> None:
    cases = [case(ROWS[0], ["slack.a", "git.b"]), case(ROWS[1], ["linear.c"]), case(ROWS[2])]
    verdicts = {row: Verdict(0.5, "") for row in ROWS}
    assert summarise(EXPECTED, 1, cases, verdicts) == summarise(EXPECTED, 1, cases[::-1], verdicts)


SCORES = st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=6, max_size=6)


@settings(deadline=None, max_examples=100)
@given(SCORES)
def test_the_mean_lies_within_its_bounds_and_nothing_is_nan(scores: list[float | None]) -> None:
    rows = [replace_trial(row, trial) for row in ROWS for trial in range(2)]
    there = {row: score for row, score in zip(rows, scores, strict=True) if score is not None}
    found = summary(dict(there), trials=2)
    metric = correctness(found)
    assert metric.low is not None
    assert metric.high is not None
    assert -1e-12 <= metric.low <= metric.high <= 1 + 1e-12
    if metric.mean is not None:
        assert metric.low - 1e-12 <= metric.mean <= metric.high + 1e-12
    for one in found.metrics.values():
        assert all(value is None or math.isfinite(value) for value in (one.mean, one.low, one.high))
    assert found.counts.scored + found.counts.missing == found.counts.expected
