"""Whatever an endpoint sends: the question ends classified, and the next one's request is valid everywhere.

Through the real client, model gateway, loop and tool gateway; the server refuses every history that any server would.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

import scripted_endpoint
from agents.aliases import Alias, Limits, Transport
from agents.connection import Connection
from agents.loop import ToolLoop
from agents.model_gateway import ModelGateway
from agents.styles.native import NativeStyle
from envs import canonical
from envs.clock import FrozenClock
from envs.protocol import Answer
from loop_episode import START, ask_all, question
from scripted_endpoint import Response, call, completion, serving
from scripted_model import MemoryRecord
from servers.gateway import Gateway
from toy_tools import ToyPack

LIMITS = Limits(steps=5, calls=8, repeats=3)
DEEP = "[" * 5_000 + "]" * 5_000
GOOD = call("list_channels", "{}")


def calling(*calls: Any, finish: Any = "tool_calls", **message: Any) -> dict[str, Any]:
    return completion({"content": None, "tool_calls": list(calls), **message}, finish)


def saying(text: Any, finish: Any = "stop", **message: Any) -> dict[str, Any]:
    return completion({"content": text, **message}, finish)


# name -> (first reply of the first question, its code). After a call the script answers "It is so." to what follows.
BROKEN: dict[str, tuple[Any, str]] = {
    "arguments not JSON": (calling(call("echo", "text=hi")), "answer"),
    "arguments cut off": (calling(call("echo", '{"text": "hi')), "answer"),
    "arguments a lone brace": (calling(call("echo", "{")), "answer"),
    "arguments without closing brace": (calling(call("echo", '{"text": "hi"')), "answer"),
    "arguments empty": (calling(call("list_channels", "")), "answer"),
    "arguments blank": (calling(call("list_channels", "  ")), "answer"),
    "arguments null": (calling(call("list_channels", None)), "answer"),
    "arguments the word null": (calling(call("echo", "null")), "answer"),
    "arguments a list": (calling(call("echo", '["hi"]')), "answer"),
    "arguments a number": (calling(call("echo", "7")), "answer"),
    "arguments a string": (calling(call("echo", '"hi"')), "answer"),
    "arguments an object in a string": (calling(call("echo", json.dumps('{"text": "hi"}'))), "answer"),
    "arguments an object, not text": (calling(call("echo", {"text": "hi"})), "answer"),
    "arguments a list, not text": (calling(call("echo", ["hi"])), "answer"),
    "arguments true, not text": (calling(call("echo", True)), "answer"),
    "arguments NaN": (calling(call("read_channel", '{"channel": "a", "limit": NaN}')), "answer"),
    "arguments huge number": (calling(call("read_channel", '{"channel": "a", "limit": ' + "9" * 400 + "}")), "answer"),
    "arguments twice the same key": (calling(call("echo", '{"text": "a", "text": "b"}')), "answer"),
    "arguments deeply nested": (calling(call("echo", DEEP)), "answer"),
    "arguments a megabyte": (calling(call("echo", json.dumps({"text": "x" * 1_000_000}))), "answer"),
    "arguments with a lone surrogate": (calling(call("echo", '{"text": "\\ud83d"}')), "answer"),
    "arguments with raw surrogate": (calling(call("echo", '{"text": "\ud83d"}')), "answer"),
    "arguments with NUL": (calling(call("echo", '{"text": "\\u0000"}')), "answer"),
    "arguments with unknown key": (calling(call("echo", '{"txt": "hi"}')), "answer"),
    "two objects as arguments": (calling(call("list_channels", "{}{}")), "answer"),
    "tool unknown": (calling(call("nope", "{}")), "answer"),
    "tool name empty": (calling(call("", "{}")), "answer"),
    "tool name null": (calling(call(None, "{}")), "answer"),
    "tool name odd": (calling(call("slack.list channels!", "{}")), "answer"),
    "tool name endless": (calling(call("x" * 5_000, "{}")), "answer"),
    "ids the same": (calling(GOOD, GOOD), "answer"),
    "id missing": (calling({"type": "function", "function": {"name": "list_channels", "arguments": "{}"}}), "answer"),
    "id null": (calling(call("list_channels", "{}", None)), "answer"),
    "id a number": (calling(call("list_channels", "{}", 7)), "answer"),
    "id endless": (calling(call("list_channels", "{}", "i" * 500)), "answer"),
    "call with extra fields": (calling({**GOOD, "index": 0, "extra_content": {"google": {}}}), "answer"),
    "call without function": (calling({"id": "a", "type": "function"}), "answer"),
    "call not an object": (calling("list_channels"), "answer"),
    "calls null": (saying("It is so.", tool_calls=None), "answer"),
    "calls an empty list": (saying("It is so.", tool_calls=[]), "answer"),
    "calls an object": (saying("It is so.", tool_calls={"name": "echo"}), "answer"),
    "the older function_call": (saying(None, "function_call", function_call=GOOD["function"]), "answer"),
    "call and text": (calling(GOOD, content="Let me look."), "answer"),
    "call and reasoning": (calling(GOOD, content="<think>hm</think>", reasoning_content="hm"), "answer"),
    "call with finish stop": (calling(GOOD, finish="stop"), "answer"),
    "call with finish length": (calling(call("echo", '{"text": "h'), finish="length"), "answer"),
    "three calls, one bad": (calling(GOOD, call("echo", "{"), call("echo", '{"text": "c"}')), "answer"),
    "more calls than allowed": (
        calling(*(call("echo", json.dumps({"text": str(n)})) for n in range(20))),
        "call_limit",
    ),
    "the same call many times": (
        calling(*[call("echo", '{"text": "a"}'), call("echo", '{ "text":"a"}')] * 3),
        "repeated_calls",
    ),
    "content null": (saying(None), "answer"),
    "content empty": (saying(""), "answer"),
    "content blank": (saying(" \n\t"), "answer"),
    "content a list of parts": (
        saying([{"type": "text", "text": "It is "}, {"type": "text", "text": "so."}]),
        "answer",
    ),
    "content parts with reasoning": (saying([{"type": "thinking", "thinking": "hm"}, {"text": "It is so."}]), "answer"),
    "content parts odd": (saying([7, None, {"type": "image"}, "It is so."]), "answer"),
    "content a number": (saying(42), "answer"),
    "content an object": (saying({"answer": "so"}), "answer"),
    "content with a lone surrogate": (saying("It is so \ud83d"), "answer"),
    "message without content": (completion({}), "answer"),
    "reasoning only": (saying(None, reasoning_content="hm"), "answer"),
    "reasoning only, in a block": (saying("<think>hm</think>"), "answer"),
    "reasoning, closing tag only": (saying("hm, well</think>It is so."), "answer"),
    "reasoning, closing tag and nothing": (saying("hm, well</think>"), "answer"),
    "reasoning never closed": (saying("<think>hm, well", "length"), "truncated"),
    "reasoning before the answer": (saying("<think>hm</think>It is so."), "answer"),
    "call as text, Hermes": (saying('<tool_call>{"name": "echo", "arguments": {}}</tool_call>'), "text_call"),
    "call as text, JSON": (saying('{"name": "echo", "arguments": {"text": "a"}}'), "text_call"),
    "call as text, fenced": (saying('```json\n{"name": "echo", "parameters": {}}\n```'), "text_call"),
    "call as text, Mistral": (saying('[TOOL_CALLS][{"name": "echo"}]'), "text_call"),
    "call as text, Llama": (saying('<|python_tag|>echo(text="a")'), "text_call"),
    "call as text, Python": (saying('[echo(text="a")]'), "text_call"),
    "call as text, XML": (saying("<function=echo><parameter=text>a</parameter></function>"), "text_call"),
    "call as text after words": (saying('I will look.\n<tool_call>\n{"name": "echo"}'), "text_call"),
    "cut off by length": (saying("It is", "length"), "truncated"),
    "cut off before a word": (saying("", "length"), "truncated"),
    "endless repetition": (saying("so " * 100_000, "length"), "truncated"),
    "refusal": (saying(None, refusal="I can't."), "refused"),
    "refusal with call": (calling(GOOD, refusal="I can't."), "refused"),
    "content filter": (saying("", "content_filter"), "refused"),
    "finish unknown": (saying("It is so.", "eos_token"), "answer"),
    "finish null": (saying("It is so.", None), "answer"),
    "finish a number": (saying("It is so.", 3), "answer"),
    "usage missing": (completion({"content": "It is so."}, usage=None), "answer"),
    "usage absurd": (
        completion({"content": "It is so."}, usage={"prompt_tokens": "many", "completion_tokens": -1}),
        "answer",
    ),
    "fields unknown": (completion({"content": "It is so.", "audio": {}, "annotations": []}, extra={"a": 1}), "answer"),
    "window overflow": (scripted_endpoint.overflow(), "overflow"),
    "window overflow, llama.cpp": (
        scripted_endpoint.error(
            400, "request (9031 tokens) exceeds the available context size (8192)", type="exceed_context_size_error"
        ),
        "overflow",
    ),
    "window overflow, vLLM": (
        Response(
            {"object": "error", "message": "This model's maximum context length is 4096 tokens", "code": 400}, 400
        ),
        "overflow",
    ),
    "call unreadable, Groq": (
        scripted_endpoint.error(
            400,
            "Failed to call a function. See 'failed_generation' for more details.",
            code="tool_use_failed",
            failed_generation='<function=echo>{"text": "context size not supported"</function>',
        ),
        "text_call",
    ),
    "call unreadable, nothing told": (
        scripted_endpoint.error(400, "Tool choice is none, but model called a tool", code="tool_use_failed"),
        "text_call",
    ),
    "call unreadable, llama.cpp": (
        scripted_endpoint.error(
            500, "Failed to parse input at pos 12: <tool_call>\n<function=echo>", code=500, type="server_error"
        ),
        "text_call",
    ),
    "prompt filtered": (scripted_endpoint.error(400, "The prompt was filtered", code="content_filter"), "refused"),
    "request refused": (scripted_endpoint.error(400, "tools.0: bad schema"), "fault"),
    "key refused": (scripted_endpoint.error(401, "Incorrect API key provided"), "fault"),
    "not found, plain text": (Response("no such page", 404, {"content-type": "text/plain"}), "fault"),
    "no choices": (completion({}, choices=[]), "fault"),
    "choices null": (completion({}, choices=None), "fault"),
    "choice without message": (completion({}, choices=[{"finish_reason": "stop"}]), "fault"),
    "body not JSON": ("Bad Gateway", "fault"),
    "body HTML": (Response("<html>busy</html>", 200, {"content-type": "text/html"}), "fault"),
    "body empty": (b"", "fault"),
    "body cut off": (b'{"choices": [{"mess', "fault"),
    "body a list": ([1, 2], "fault"),
    "body deeply nested": (DEEP, "fault"),
    "body not UTF-8": (b"\xff\xfe\xfa", "fault"),
    "error in a body of success": ({"error": {"message": "upstream is busy", "code": 502}}, "fault"),
    "error 500": (scripted_endpoint.error(500, "oops"), "fault"),
    "error 503 with HTML": (Response("<html></html>", 503, {"content-type": "text/html"}), "fault"),
    "quota spent": (scripted_endpoint.error(429, "quota", code="insufficient_quota"), "fault"),
    "connection cut": (Response(cut=True), "fault"),
    "silence": (Response(hang=True), "fault"),
}


def scripted(first: Any) -> Any:
    """`first` to every request of the first question until its calls have results; then plain answers."""

    def script(request: Mapping[str, Any], number: int) -> Any:
        messages = request["messages"]
        asked = [message["content"] for message in messages if message["role"] == "user"]
        if len(asked) == 1 and messages[-1]["role"] == "user" and "no answer in it" not in asked[0]:
            return first
        return saying(f"It is so, {len(asked)}.")

    return script


async def episode(record: MemoryRecord, *, url: str = "", live: bool) -> list[Answer]:
    """Two questions, answered from the endpoint at `url` or, not live, from the record."""
    alias = Alias(
        model="fake",
        endpoint=url,
        context_tokens=1_000_000,
        limits=LIMITS,
        transport=Transport(attempts=2, timeout_s=0.15, deadline_s=5),
    )
    connection = Connection(alias)
    models = ModelGateway(alias, record, connection, seed=1, live=live)
    loop = ToolLoop(NativeStyle(LIMITS), LIMITS, alias.context_tokens)
    tools = Gateway([ToyPack()], FrozenClock(START), lambda: (), charging=True)
    try:
        return await ask_all(loop, models, [question("q1"), question("q2")], tools)
    finally:
        await connection.close()


@pytest.fixture(autouse=True)
def _short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.endpoint._FIRST_DELAY_S", 0.001)


@pytest.mark.parametrize("name", BROKEN)
async def test_every_broken_reply_ends_classified_and_leaves_a_valid_history(name: str) -> None:
    first, code = BROKEN[name]
    record = MemoryRecord()
    async with serving(scripted(first)) as endpoint:
        answers = await episode(record, url=endpoint.url, live=True)
    assert answers[0].code == code, answers[0]
    assert answers[1].code == "answer", answers[1]
    assert answers[1].text == "It is so, 2."
    assert endpoint.complaints == []
    assert (answers[0].fault is not None) == (code == "fault")
    if name.startswith("call unreadable"):
        assert answers[0].usage["requests"] == 2, "an unreadable call is asked once more"
        assert "could not be read" in str(endpoint.requests[1]["messages"])
    if code == "overflow":
        assert len(endpoint.requests) == 2, "an overflow is asked once"
    if code != "fault":
        assert await episode(record, live=False) == answers, "the record gives the same without an endpoint"


@pytest.mark.parametrize(
    ("place", "fault", "name"),
    [
        ("agents.styles.native._object", lambda arguments: arguments, "arguments not JSON"),
        ("agents.styles.native._NAME", re.compile("(?!)"), "tool name odd"),
        ("agents.styles.native.visible", lambda text: (text, False), "reasoning before the answer"),
        ("agents.conversation.Conversation.close_question", lambda self, said: None, "refusal"),
        ("agents.conversation.Conversation.next_id", lambda self: "call00001", "three calls, one bad"),
    ],
)
async def test_the_table_notices_a_planted_fault(
    place: str, fault: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, fault)
    first, _ = BROKEN[name]
    async with serving(scripted(first)) as endpoint:
        await episode(MemoryRecord(), url=endpoint.url, live=True)
    assert endpoint.complaints != []


LONE = "\ud83d"
SURROGATES: dict[str, Any] = {
    "answer": saying(f"It is so {LONE}."),
    "finish": saying("It is so.", LONE),
    "refusal": saying(None, refusal=LONE),
    "reasoning": saying("It is so.", reasoning_content=LONE),
    "call": calling(call(f"echo{LONE}", f'{{"text": "{LONE}"}}'), content=LONE),
    "escaped in arguments": calling(call("echo", '{"text": "\\ud83d"}')),
    "arguments as an object": calling(call("echo", {LONE: LONE})),
    "content as an object": saying({LONE: LONE}),
    "unreadable call": scripted_endpoint.error(400, LONE, code="tool_use_failed", failed_generation=f"<echo>{LONE}"),
    "error": scripted_endpoint.error(400, f"no {LONE}"),
    "bytes": json.dumps(saying("It is so X.")).encode().replace(b"X", b"\xed\xa0\xbd"),
}


class WritingRecord(MemoryRecord):
    """A fake record that spells what it is given, as a run's files do."""

    async def exchange(self, scope: str, ordinal: int, request: str, reply: Any, timing: Mapping[str, float]) -> None:
        canonical.dumps(reply)
        await super().exchange(scope, ordinal, request, reply, timing)


@pytest.mark.parametrize("name", SURROGATES)
async def test_half_a_character_breaks_neither_record_nor_next_request(name: str) -> None:
    record = WritingRecord()
    async with serving(scripted(SURROGATES[name])) as endpoint:
        answers = await episode(record, url=endpoint.url, live=True)
    canonical.dumps([[answer.text, answer.detail] for answer in answers])
    assert answers[1].code == "answer"
    assert endpoint.complaints == []


async def test_the_check_of_half_characters_notices_a_planted_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.reply.clean", lambda text: text)
    async with serving(scripted(SURROGATES["answer"])) as endpoint:
        with pytest.raises(TypeError):
            await episode(WritingRecord(), url=endpoint.url, live=True)


def test_the_table_is_as_long_as_promised() -> None:
    assert len(BROKEN) >= 40
