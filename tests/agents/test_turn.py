from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.turn import looks_like_call, visible


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("b<think>a", "b"),
        ("<THINK>a</Think> b ", "b"),
        ("x <think>a</think> y", "x  y"),
        ("<think>a<think>b</think>c", "c"),
        ("a</think>b</think>c", "c"),
        ("<thinking>a</thinking>b<reasoning>c</reasoning>", "b"),
        ("a < b and b > a", "a < b and b > a"),
        ("", ""),
    ],
)
def test_reasoning_is_stripped(text: str, left: str) -> None:
    assert visible(text)[0] == left


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["<think>", "</think>", "a", " ", "<thought>", "</thought>", "</", "<think"])))
def test_no_tag_and_no_text_of_ours_survives_twice(parts: list[str]) -> None:
    left, _ = visible("".join(parts))
    assert "<think>" not in left
    assert "</think>" not in left
    assert visible(left)[0] == left


@pytest.mark.timeout(10)
def test_many_opening_tags_do_not_hang() -> None:
    assert visible("<think>" * 100_000) == ("", True)


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "echo"}',
        "Let me.\n<function=echo>",
        '{"name": "echo", "arguments": {}}',
        '{"tool": "echo"}',
        '[{"name":"echo"}]',
        '```\n{"function": "echo"}\n```',
        "echo()",
        '[echo(text="a, b")]',
        '<invoke name="echo">',
    ],
)
def test_calls_in_text_are_seen(text: str) -> None:
    assert looks_like_call(text, ["echo"])


@pytest.mark.parametrize(
    "text",
    [
        "It moved to 2025-06-01.",
        '{"name": "Ada", "date": "2025-06-01"}',
        "Ada (on call)",
        "The launch(es) moved",
        "I called echo and it said so.",
        "`<tool_call>` is what it prints.",
        "other()",
    ],
)
def test_answers_are_no_calls(text: str) -> None:
    assert not looks_like_call(text, ["echo"])
