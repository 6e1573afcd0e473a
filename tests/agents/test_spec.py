from __future__ import annotations

import pytest

from agents.spec import parse_spec
from envs.errors import ModelConfigError


@pytest.fixture(autouse=True)
def _no_user_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRIFTDESK_MODELS", raising=False)
    monkeypatch.delenv("DRIFTDESK_API_KEY", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")


@pytest.mark.parametrize(
    ("text", "label", "model"),
    [
        ("gpt5", "gpt5", "gpt-5"),
        ("gpt5+none", "gpt5", "gpt-5"),
        ("local", "local", "SmolLM2-135M-Instruct"),
        ("gemini-2.5-pro", "gemini-2.5-pro", "gemini-2.5-pro"),
        ("openai:qwen3@http://127.0.0.1:8000/v1", "openai:qwen3@http://127.0.0.1:8000/v1", "qwen3"),
        ("openai:org/a@b:c@https://h/v1+none", "openai:org/a@b:c@https://h/v1", "org/a@b:c"),
    ],
)
def test_what_a_spec_names(text: str, label: str, model: str) -> None:
    spec = parse_spec(text)
    assert spec.label == label
    assert spec.alias is not None
    assert spec.alias.model == model


def test_silent_needs_no_model() -> None:
    assert parse_spec("silent").alias is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpt6", "did you mean 'gpt5'?"),
        ("silnt", "did you mean 'silent'?"),
        ("", "known are local"),
        ("qqqqqq", "known are local"),
        ("gpt5+mem0", "'mem0' isn't built yet"),
        ("gpt5+mem0[embedder=x]", "'mem0' isn't built yet"),
        ("local+zep", "'zep' isn't built yet"),
        ("gpt5+rag[bm25]", "'rag' isn't built yet"),
        ("gpt5+nonne", "did you mean 'none'?"),
        ("gpt5+", "there is no memory ''"),
        ("gpt5+qqqq", "the only one now is 'none'"),
        ("vllm:Qwen/Qwen3", "isn't built yet"),
        ("oracel", "did you mean 'oracle'?"),
        ("scna", "did you mean 'scan'?"),
        ("oracle+mem0", "'mem0' isn't built yet"),
        ("openai:x", "write openai:NAME@http://host:port/v1"),
        ("openai:@http://h/v1", "write openai:NAME@http://host:port/v1"),
        ("openai:x@ftp://h", "write openai:NAME@http://host:port/v1"),
        ("openai:x@http://h/v1+mem0", "'mem0' isn't built yet"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(ModelConfigError) as raised:
        parse_spec(text)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["openai:x@http://me:SECRET@h/v1", "openai:x@http://h/v1?key=SECRET"])
def test_a_credential_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(ModelConfigError, match="credential") as raised:
        parse_spec(text)
    assert "SECRET" not in str(raised.value)


def test_a_typed_address_never_gets_a_vendors_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-vendor")
    alias = parse_spec("openai:x@http://h/v1").alias
    assert alias is not None
    assert alias.key is None
    monkeypatch.setenv("DRIFTDESK_API_KEY", "own")
    alias = parse_spec("openai:x@http://h/v1").alias
    assert alias is not None
    assert alias.key == "DRIFTDESK_API_KEY"
