"""The loop on a scripted model, which checks every history that it is sent."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from typing import Any

import pytest

from agents.aliases import Limits
from agents.loop import ToolLoop
from agents.styles.constrained import ConstrainedStyle
from agents.styles.native import NativeStyle
from agents.styles.style import Style
from envs.errors import Fault
from envs.protocol import Observation, ToolResult
from loop_episode import SETTING, START, ask_all, notice, question
from scripted_model import Script, ScriptedModels, calls, says
from toy_tools import ToyTools


def loop(limits: Limits | None = None, window: int = 100_000) -> ToolLoop:
    limits = limits or Limits()
    return ToolLoop(NativeStyle(limits), limits, window)


def asked(request: Mapping[str, Any]) -> list[str]:
    return [message["content"] for message in request["messages"] if message["role"] == "user"]


def answering(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
    return says(f"answer {len(asked(request))}")


def looking_once(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
    return calls(("list_channels", {})) if ordinal == 0 else answering(scope, ordinal, request)


async def test_the_context_goes_on_over_the_questions() -> None:
    models = ScriptedModels(looking_once)
    answers = await ask_all(loop(), models, [question("q1"), question("q2")], arrivals=[[notice("ping")], []])
    assert [answer.text for answer in answers] == ["answer 1", "answer 2"]
    first, second = (request for scope, ordinal, request in models.requests if ordinal == 0)
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert second["messages"][0]["content"] == "You are Ada at Initech.\n\nAnswer shortly."
    assert "It is now 2025-05-15T09:00:00Z" in asked(first)[0]
    assert "ping" in asked(first)[0]
    assert "ping" not in asked(second)[1]
    assert "What about q2?" in asked(second)[1]


async def test_an_independent_question_leaves_no_trace() -> None:
    with_probe = ScriptedModels(looking_once)
    await ask_all(
        loop(),
        with_probe,
        [question("q1"), question("probe", independent=True), question("q2")],
        arrivals=[[], [notice("ping")], []],
    )
    assert any("probe" in scope for scope, _, _ in with_probe.requests)
    second = next(request for scope, _, request in with_probe.requests if scope.startswith("toy/q2"))
    assert "probe" not in str(second)
    assert "ping" in asked(second)[-1], "what the probe was shown still arrives for the next question"


async def test_results_come_in_call_order_with_our_own_ids() -> None:
    def script(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if ordinal == 0:
            return calls(("echo", {"text": "a"}), ("echo", "{"), ("list_channels", {}))
        return says("done")

    models = ScriptedModels(script)
    tools = ToyTools(results={"echo": lambda arguments: ToolResult(f'"{arguments["text"]}"')})
    await ask_all(loop(), models, [question("q1")], tools)
    results = [message for message in models.requests[1][2]["messages"] if message["role"] == "tool"]
    assert [message["tool_call_id"] for message in results] == ["call00001", "call00002", "call00003"]
    assert results[0]["content"] == '"a"'
    assert "invalid_arguments" in results[1]["content"]
    assert "list_channels" in results[2]["content"]
    assert tools.called[1] == ("echo", "{"), "the tool is sent what the model sent"


def ever(reply: Mapping[str, Any]) -> Script:
    return lambda scope, ordinal, request: reply


@pytest.mark.parametrize(
    ("script", "limits", "code", "requests"),
    [
        (ever(calls(("list_channels", {}))), Limits(steps=3), "step_limit", 3),
        (lambda s, n, r: calls(("echo", {"text": str(n)})), Limits(calls=4), "call_limit", 5),
        (ever(calls(("nope", {}))), Limits(repeats=4), "repeated_calls", 4),
        (ever(says(None)), Limits(), "empty", 2),
        (ever(says("  ")), Limits(), "empty", 2),
        (ever(says(None, reasoning="hm")), Limits(), "reasoning_only", 2),
        (ever(says("<think>hm</think>")), Limits(), "reasoning_only", 2),
        (ever(says("hm", "length")), Limits(), "truncated", 1),
        (ever(says(None, refusal="no")), Limits(), "refused", 1),
        (ever(says(None, "overflow")), Limits(), "overflow", 1),
        (ever(says("[echo()]")), Limits(), "text_call", 1),
        (lambda s, n, r: calls(("echo", {"text": str(n)})), Limits(episode_tokens=300), "token_limit", 12),
    ],
)
async def test_every_end_has_its_code_and_the_next_question_goes_on(
    script: Script, limits: Limits, code: str, requests: int
) -> None:
    def first_only(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        return script(scope, ordinal, request) if "/q1/" in scope else says("ok")

    models = ScriptedModels(first_only)
    first, second = await ask_all(loop(limits), models, [question("q1"), question("q2")])
    assert first.code == code
    assert first.usage["requests"] == requests
    assert first.usage["prompt"] == 10 * requests
    assert second.code == (code if code == "token_limit" else "answer")


async def test_white_space_and_key_order_hide_no_repetition() -> None:
    spelt = ['{"channel":"a","limit":1}', '{"limit": 1, "channel": "a"}', ' {"channel" : "a", "limit": 1}']
    models = ScriptedModels(lambda s, n, r: calls(("read_channel", spelt[n])))
    (answer,) = await ask_all(loop(Limits(repeats=3)), models, [question("q1")])
    assert answer.code == "repeated_calls"


async def test_other_arguments_are_no_repetition() -> None:
    models = ScriptedModels(lambda s, n, r: calls(("echo", {"text": str(n)})) if n < 8 else says("done"))
    (answer,) = await ask_all(loop(Limits(repeats=3)), models, [question("q1")])
    assert answer.code == "answer"


async def test_the_last_step_has_no_tools_and_says_so() -> None:
    models = ScriptedModels(looking_once)
    (answer,) = await ask_all(loop(Limits(steps=2)), models, [question("q1")])
    assert answer.code == "answer"
    assert [request.get("tool_choice") for _, _, request in models.requests] == [None, "none"]
    assert "last step" in models.requests[1][2]["messages"][-1]["content"]


async def test_reasoning_never_reaches_history_or_answer() -> None:
    def script(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if ordinal == 0:
            return calls(("list_channels", {}), text="<think>SECRET</think>Looking.")
        return says("SECRET</think>done", reasoning="SECRET")

    models = ScriptedModels(script)
    first, _ = await ask_all(loop(), models, [question("q1"), question("q2")])
    assert first.text == "done"
    assert "SECRET" not in str([request for _, _, request in models.requests])
    assert "Looking." in str(models.requests[1])


async def test_a_fault_is_ours_and_the_next_question_goes_on() -> None:
    def script(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if "/q1/" in scope and ordinal == 1:
            raise Fault("rate_limit", "slow down")
        return looking_once(scope, ordinal, request)

    first, second = await ask_all(loop(), ScriptedModels(script), [question("q1"), question("q2")])
    assert (first.code, first.fault, first.text, first.detail) == ("fault", "rate_limit", None, "slow down")
    assert first.usage["requests"] == 1
    assert second.code == "answer"


async def test_a_cancelled_call_leaves_a_valid_history() -> None:
    agent, models = loop(), ScriptedModels(looking_once)
    await agent.start(SETTING)
    view = await agent.observe(Observation(0, START, (), ()), models("x"))

    class StuckTools(ToyTools):
        async def call(self, name: str, arguments: str | Mapping[str, Any] | None) -> ToolResult:
            await asyncio.sleep(60)
            raise AssertionError

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(agent.answer(question("q1"), view, StuckTools(), models("x")), 0.01)
    answer = await agent.answer(question("q2"), view, ToyTools(), models("y"))
    assert answer.code == "answer"


def unmetered(script: Script) -> Script:
    """As `script`, from an endpoint that doesn't say how many tokens a prompt had."""
    none = {"prompt": 0, "completion": 0, "reasoning": 0}
    return lambda scope, ordinal, request: {**script(scope, ordinal, request), "usage": none}


async def test_old_results_give_way_in_one_cut_and_it_is_counted() -> None:
    def script(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        return calls(("echo", {"text": str(ordinal)})) if ordinal < 20 else says("done")

    models = ScriptedModels(unmetered(script))
    tools = ToyTools(results={"echo": lambda arguments: ToolResult("x" * 2_000)})
    (answer,) = await ask_all(loop(window=6_000), models, [question("q1")], tools)
    assert answer.code == "answer"
    sizes = [sum(len(message["content"] or "") for message in request["messages"]) for _, _, request in models.requests]
    cuts = sum(after < before for before, after in itertools.pairwise(sizes))
    assert answer.usage["context_cuts"] == cuts
    assert 1 <= cuts <= 4, "one cut to half the window lasts a while"
    assert max(sizes) / 4 <= 6_000
    assert "removed to save context" in str(models.requests[-1])


def windowed(script: Script) -> Script:
    """As `script`, from a server with a window of 8192 tokens, of four characters each."""

    def checked(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        tokens = len(json.dumps(request["messages"])) // 4
        return script(scope, ordinal, request) if tokens <= 8_192 else says(None, "overflow")

    return unmetered(checked)


JSON_CALL = json.dumps({"tool": "echo", "arguments": {"text": "x" * 45_000}})


@pytest.mark.parametrize(
    ("style", "reply"),
    [
        (NativeStyle(Limits()), says("x" * 45_000)),
        (NativeStyle(Limits()), calls(("list_channels", {}), text="x" * 45_000)),
        (NativeStyle(Limits()), calls(*[("echo", {"text": str(n) + "x" * 7_900}) for n in range(6)])),
        (NativeStyle(Limits()), calls(("read_channel", {"channel": "long"}))),
        (ConstrainedStyle(Limits(), None), says(json.dumps({"answer": "x" * 45_000}))),
        (ConstrainedStyle(Limits(), None), says(JSON_CALL)),
        (ConstrainedStyle(Limits(), None), says('{"tool":"read_channel","arguments":{"channel":"long"}}')),
    ],
    ids=["answer", "text beside a call", "arguments", "result", "json answer", "json call", "json result"],
)
async def test_one_long_text_does_not_end_the_episodes_chances(style: Style, reply: Mapping[str, Any]) -> None:
    models = ScriptedModels(windowed(lambda s, n, r: reply if "/q1/" in s and n == 0 else says("fine")))
    tools = ToyTools(results={"read_channel": lambda arguments: ToolResult("x" * 45_000)})
    agent = ToolLoop(style, Limits(), 8_192)
    first, *later = await ask_all(agent, models, [question(f"q{n}") for n in range(1, 5)], tools)
    assert [answer.code for answer in later] == ["answer"] * 3
    assert first.usage.get("context_cuts", 0) + later[0].usage.get("context_cuts", 0) >= 1


async def test_a_long_question_gives_way_last_and_to_the_next() -> None:
    models = ScriptedModels(windowed(looking_once))
    arrivals = [[], [notice("x" * 45_000)], []]
    questions = [question("q1"), question("q2"), question("q3"), question("q4")]
    answers = await ask_all(loop(window=8_192), models, questions, arrivals=arrivals)
    assert [answer.code for answer in answers] == ["answer", "overflow", "answer", "answer"]
    shown = asked(models.requests[-1][2])
    assert "removed to save context" in shown[1]
    assert "What about q4?" in shown[3]


async def test_many_short_answers_give_way_too() -> None:
    models = ScriptedModels(windowed(ever(says("x" * 2_000))))
    answers = await ask_all(loop(window=8_192), models, [question(f"q{n}") for n in range(40)])
    assert {answer.code for answer in answers} == {"answer"}
    assert 1 <= sum(answer.usage.get("context_cuts", 0) for answer in answers) <= 6


@pytest.mark.parametrize("reply_tokens", [1_000, 4_096])
async def test_the_window_holds_the_reply_too(reply_tokens: int) -> None:
    """The endpoint counts as servers do: what the messages have and what the reply may have, against the window."""

    def script(scope: str, ordinal: int, request: Mapping[str, Any]) -> Mapping[str, Any]:
        prompt = sum(len(message["content"] or "") for message in request["messages"]) // 4
        if prompt + request["max_tokens"] > 8_192:
            return says(None, "overflow")
        return calls(("echo", {"text": str(ordinal)})) if ordinal < 20 else says("done")

    tools = ToyTools(results={"echo": lambda arguments: ToolResult("x" * 3_000)})
    agent = loop(Limits(reply_tokens=reply_tokens), window=8_192)
    answers = await ask_all(agent, ScriptedModels(unmetered(script)), [question("q1"), question("q2")], tools)
    assert [answer.code for answer in answers] == ["answer", "answer"]
    assert answers[0].usage["context_cuts"] > 0


async def test_a_long_result_is_cut_with_a_hint() -> None:
    models = ScriptedModels(looking_once)
    tools = ToyTools(results={"list_channels": lambda arguments: ToolResult("x" * 2_500)})
    await ask_all(loop(Limits(result_chars=600)), models, [question("q1")], tools)
    shown = models.requests[1][2]["messages"][-1]["content"]
    assert shown.startswith("x" * 600 + "...")
    assert "600 of 2500" in shown
    assert len(shown) < 750


async def test_what_arrives_during_a_call_is_shown_with_its_result() -> None:
    models = ScriptedModels(looking_once)
    tools = ToyTools(results={"list_channels": lambda arguments: ToolResult("{}", notices=(notice("ping"),))})
    await ask_all(loop(), models, [question("q1")], tools)
    assert "ping" in models.requests[1][2]["messages"][-1]["content"]


async def test_an_endpoint_that_takes_no_tools_is_a_fault_not_a_score() -> None:
    models = ScriptedModels(ever({**says("guess"), "dropped": ["tools"]}))
    (answer,) = await ask_all(loop(), models, [question("q1")])
    assert answer.fault == "endpoint"
    assert "style" in (answer.detail or "")


async def test_dropped_parameters_are_counted_in_the_row() -> None:
    models = ScriptedModels(ever({**says("done"), "dropped": ["temperature", "seed"]}))
    (answer,) = await ask_all(loop(), models, [question("q1")])
    assert answer.usage["dropped"] == 2


async def test_the_view_does_not_outlive_the_next_observation() -> None:
    agent = loop()
    await agent.start(SETTING)
    view = await agent.observe(Observation(0, START, (), ()), ScriptedModels(answering)("x"))
    assert not view.durable


async def test_the_json_style_keeps_the_same_promises() -> None:
    limits = Limits(steps=4, call_first=True)
    replies = ['{"tool":"nope","arguments":[1]}', '{"tool": "echo"', '{"answer":"so"}', '{"answer":"so"}']
    models = ScriptedModels(lambda s, n, r: says(replies[n] if "/q1/" in s else '{"answer":"then"}'))
    agent = ToolLoop(ConstrainedStyle(limits, None), limits, 8_192)
    first, second = await ask_all(agent, models, [question("q1"), question("q2")])
    assert (first.text, first.code, first.usage["requests"]) == ("so", "answer", 3)
    assert second.text == "then"
    assert models.requests[-1][2]["messages"][-2] == {"role": "assistant", "content": '{"answer":"so"}'}
