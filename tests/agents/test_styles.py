from __future__ import annotations

import json
from typing import Any

import pytest

from agents.aliases import Limits
from agents.conversation import Conversation
from agents.styles.constrained import ConstrainedStyle
from agents.styles.grammar import grammar
from agents.styles.native import NativeStyle
from agents.turn import ToolCall, Turn
from envs.protocol import ToolSpec
from scripted_model import calls, says
from toy_tools import SPECS

MESSAGES = [{"role": "user", "content": "u"}]


def spec(properties: dict[str, Any], required: list[str]) -> ToolSpec:
    return ToolSpec("tool", "toy.tool", "A tool", "A tool.", {"properties": properties, "required": required})


# ---- native


def test_native_keeps_tools_in_every_request_and_turns_them_off_by_choice() -> None:
    style = NativeStyle(Limits(reply_tokens=99))
    requests = [style.request(MESSAGES, SPECS, stage) for stage in ("calls", "any", "answer")]
    assert [request.get("tool_choice") for request in requests] == ["required", None, "none"]
    assert all(len(request["tools"]) == len(SPECS) and request["max_tokens"] == 99 for request in requests)
    assert requests[0]["tools"][1]["function"]["parameters"] == SPECS[1].schema


def test_native_without_tools_sends_none() -> None:
    assert set(NativeStyle(Limits()).request(MESSAGES, (), "answer")) == {"messages"}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('"{\\"a\\": 1}"', '{"a": 1}'),
        ("", "{}"),
        ("{", "{}"),
        ("[1]", "{}"),
        ('{"a": NaN}', "{}"),
        ('{"a": "' + "x" * 9_000 + '"}', "{}"),
    ],
)
def test_native_history_holds_only_arguments_that_every_template_can_read(sent: str, kept: str) -> None:
    conversation = Conversation()
    said, _ = NativeStyle(Limits()).exchange(conversation, Turn(calls=(ToolCall("echo", sent),)), ["r"])
    assert said["tool_calls"][0]["function"]["arguments"] == kept


def test_native_history_holds_only_names_that_servers_take() -> None:
    turn = Turn(calls=tuple(ToolCall(name, "{}") for name in ("a.b c", "", "x" * 99)))
    said, _ = NativeStyle(Limits()).exchange(Conversation(), turn, ["r"] * 3)
    assert [call["function"]["name"] for call in said["tool_calls"]] == ["a_b_c", "unnamed", "x" * 64]


# ---- json


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ('{"tool":"echo","arguments":{"text":"a"}}', Turn(calls=(ToolCall("echo", '{"text":"a"}'),))),
        ('{"tool":"echo"}', Turn(calls=(ToolCall("echo", "{}"),))),
        ('```json\n{"answer": "so"}\n```', Turn(text="so", code="answer")),
        ('<think>hm</think>{"answer": "so"}', Turn(text="so", code="answer")),
        ('{"answer": 7}', Turn(text="7", code="answer")),
        ('{"answer": " "}', Turn(code="empty")),
        ("It is so.", Turn(text="It is so.", code="answer")),
        ('{"reply": "so"}', Turn(text='{"reply": "so"}', code="text_call", unreadable=True)),
        (
            '{"tool": "echo", "answer": "so"}',
            Turn(text='{"tool": "echo", "answer": "so"}', code="text_call", unreadable=True),
        ),
        ('{"answer": "so', Turn(text='{"answer": "so', code="text_call", unreadable=True)),
        ("<tool_call>", Turn(text="<tool_call>", code="text_call", unreadable=True)),
        ("", Turn(code="empty")),
    ],
)
def test_json_replies(text: str, turn: Turn) -> None:
    assert ConstrainedStyle(Limits(), None).read(says(text), SPECS) == turn


def test_json_too_deep_to_be_written_again_is_unreadable() -> None:
    deep = '{"tool":"echo","arguments":{"text":' + "[" * 500 + "]" * 500 + "}}"
    assert ConstrainedStyle(Limits(), None).read(says(deep), SPECS).unreadable


def test_json_cut_off_is_truncated_not_malformed() -> None:
    assert ConstrainedStyle(Limits(), None).read(says('{"answer": "so', "length"), SPECS).code == "truncated"


def test_json_lists_tools_in_one_line_each_and_marks_optional_arguments() -> None:
    lines = ConstrainedStyle(Limits(), None).system(SPECS).splitlines()
    assert lines[-3:] == [
        "- list_channels(): Lists the channels",
        "- read_channel(channel, limit?): Reads a channel",
        "- echo(text): Says it again",
    ]


def test_json_schema_has_one_branch_a_tool_and_the_stages() -> None:
    style = ConstrainedStyle(Limits(answer_chars=60), None)
    branches = {
        stage: style.request(MESSAGES, SPECS, stage)["response_format"]["json_schema"]["schema"]["anyOf"]
        for stage in ("calls", "any", "answer")
    }
    assert [len(branches[stage]) for stage in ("calls", "any", "answer")] == [3, 4, 1]
    assert branches["answer"][0]["properties"]["answer"]["maxLength"] == 60
    assert branches["calls"][1]["properties"]["arguments"] == SPECS[1].schema


# ---- grammar


def test_grammar_by_stage() -> None:
    first, _ = grammar(SPECS, "calls", 60)
    both, _ = grammar(SPECS, "any", 60)
    last, longest = grammar(SPECS, "answer", 60)
    assert first.count("|") == 2
    assert "answer" not in first
    assert both == f"{first} | {last.removeprefix('root ::= ')}"
    assert "tool" not in last
    assert longest == len(json.dumps({"answer": "x" * 60}, separators=(",", ":")))


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        ({"enum": ["a", 'b"']}, r'("\"a\"" | "\"b\\\"\"")'),
        ({"const": 3}, '("3")'),
        ({"type": "integer"}, "[1-9] [0-9]{0,2}"),
        ({"type": "boolean"}, '("true" | "false")'),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, "[1-9] [0-9]{0,2}"),
        ({"type": ["integer", "null"]}, "[1-9] [0-9]{0,2}"),
        ({"type": "array", "items": {"type": "integer"}}, '"[" [1-9] [0-9]{0,2} "]"'),
        ({"type": "object"}, '"{}"'),
    ],
)
def test_grammar_of_each_kind_of_argument(schema: dict[str, Any], rule: str) -> None:
    rules, _ = grammar([spec({"x": schema}, ["x"])], "calls", 60)
    assert rules == r'root ::= "{\"tool\":\"tool\",\"arguments\":{" "\"x\":" ' + rule + ' "}}"'


def test_a_grammar_request_has_room_for_the_longest_text() -> None:
    style = ConstrainedStyle(Limits(answer_chars=60), "gbnf")
    request = style.request(MESSAGES, [spec({"a": {}, "b": {}}, ["a", "b"])], "calls")
    longest = {"tool": "tool", "arguments": {"a": "x" * 24, "b": "x" * 24}}
    assert request["max_tokens"] > len(json.dumps(longest, separators=(",", ":")))


def test_a_reply_with_calls_is_calls_whatever_the_style_of_its_text() -> None:
    turn = NativeStyle(Limits()).read(calls(("echo", {}), text="x"), SPECS)
    assert turn == Turn(calls=(ToolCall("echo", "{}"),), text="x")
