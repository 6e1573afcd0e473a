"""The figures of an episode, each against a value worked out by hand."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Literal

import pytest

from envs.answers import TextGold
from envs.errors import FaultKind
from envs.protocol import Answer, Call, Case, Key, Question, RowKey
from judges.measures import (
    efficiency,
    entropy,
    errors,
    instance_efficiency,
    mean,
    normalised_entropy,
    row_efficiency,
    sound,
    success_rate,
    switches,
    tokens,
    tool_calls,
)

START = datetime(2025, 5, 1, 9, tzinfo=UTC)


def call(op: str, *, reads: bool = True, error: str | None = None) -> Call:
    return Call(op.replace(".", "_"), op, {}, error, START, reads, False, "agent", "{}")


def calls(*ops: str) -> list[Call]:
    return [call(op) for op in ops]


def case(
    turn: int,
    made: list[Call],
    *,
    fault: FaultKind | None = None,
    mode: Literal["sequential", "independent"] = "sequential",
    usage: dict[str, int] | None = None,
) -> Case:
    question = Question(f"q{turn}", "Who?", mode)
    answer = Answer(question.id, None if fault else "Dana", "fault" if fault else "answer", fault, usage=usage or {})
    row = RowKey("s01", question.id, turn, 0)
    return Case(row, question, START, Key(TextGold(("Dana",))), answer, tuple(made))


@pytest.mark.parametrize(
    ("count", "value"), [(0, 1.0), (10, 1.0), (15, math.exp(-0.5)), (20, math.exp(-1)), (30, math.exp(-2))]
)
def test_efficiency_falls_by_e_for_every_ten_calls_beyond_ten(count: int, value: float) -> None:
    assert efficiency(count) == pytest.approx(value)


def test_efficiency_with_another_minimum() -> None:
    assert efficiency(12, tc_min=4) == pytest.approx(math.exp(-2))


def test_tool_calls_are_those_that_read_the_timeline_failed_ones_too() -> None:
    made = [call("slack.get_users"), call("linear.get_ticket", error="ticket_not_found")]
    made += [call("memory.search_memory", reads=False), call("slack.send_message", reads=False)]
    assert tool_calls(case(0, made)) == 2


def test_efficiency_is_taken_per_question_and_over_the_instance() -> None:
    """12 and 8 calls: exp(-0.2) and 1 by question, exp(-1) for 20 together."""
    cases = [case(0, calls(*["slack.get_users"] * 12)), case(1, calls(*["linear.get_ticket"] * 8))]
    assert [row_efficiency(one) for one in cases] == [pytest.approx(math.exp(-0.2)), 1.0]
    assert instance_efficiency(cases) == pytest.approx(math.exp(-1))


def test_independent_questions_stand_outside_efficiency() -> None:
    aside = case(0, calls(*["slack.get_users"] * 50), mode="independent")
    assert instance_efficiency([aside, case(1, calls("slack.get_users"))]) == 1.0
    assert row_efficiency(aside) is None


def test_entropy_in_nats_over_four_platforms() -> None:
    assert entropy(calls("slack.a", "linear.b", "git.c", "files.d")) == pytest.approx(math.log(4))
    assert entropy(calls("slack.a", "slack.b", "slack.c", "git.d")) == pytest.approx(0.5623351446)
    assert normalised_entropy(calls("slack.a", "linear.b")) == pytest.approx(0.5)
    assert entropy(calls("slack.a")) == 0.0
    assert math.copysign(1, entropy(calls("slack.a")) or 0.0) == 1.0


def test_files_and_shell_are_one_platform_and_memory_is_none() -> None:
    assert entropy(calls("files.read_file", "shell.run")) == 0.0
    assert switches(calls("files.read_file", "shell.run")) == 0
    assert entropy(calls("memory.search_memory")) is None
    assert switches(calls("slack.a", "memory.b", "slack.c")) == 0


def test_switches_count_changes_of_platform() -> None:
    assert switches(calls("slack.a", "slack.b", "linear.c", "git.d", "git.e", "slack.f")) == 3
    assert switches([]) == 0


def test_success_rate() -> None:
    assert success_rate([call("slack.a"), call("slack.b", error="not_found"), call("git.c"), call("git.d")]) == 0.75
    assert success_rate([]) is None


def test_what_is_undefined_is_none_not_zero() -> None:
    assert (entropy([]), normalised_entropy([]), success_rate([]), mean([])) == (None, None, None, None)
    assert (instance_efficiency([]), switches([]), row_efficiency(case(0, []))) == (None, 0, 1.0)


def test_sound_rows_are_those_without_a_fault_in_the_order_of_turns() -> None:
    first, cut, last = case(0, calls("slack.a")), case(1, calls("slack.a"), fault="endpoint"), case(2, calls("git.b"))
    assert sound([last, cut, first]) == [first, last]


def test_errors_and_tokens_are_summed_by_kind() -> None:
    first = case(0, [call("slack.a", error="not_found"), call("slack.b")], usage={"prompt": 100, "completion": 5})
    second = case(1, [call("git.c", error="not_found"), call("git.d", error="bad")] * 2, usage={"prompt": 50})
    assert errors([*first.calls, *second.calls]) == {"bad": 2, "not_found": 3}
    assert tokens([first, second]) == {"completion": 5, "prompt": 150}
