from __future__ import annotations

from pathlib import Path

import pytest

from agents.aliases import load_aliases
from envs.errors import ModelConfigError


@pytest.fixture(autouse=True)
def _no_user_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DRIFTDESK_MODELS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))


def _user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    monkeypatch.setenv("DRIFTDESK_MODELS", str(path))
    return path


def test_the_built_in_file_is_valid_and_the_local_alias_has_its_measured_limits() -> None:
    aliases = load_aliases()
    assert {"local", "gpt5", "gemini-2.5-pro", "claude-sonnet-4-5"} == set(aliases)
    local = aliases["local"]
    assert (local.endpoint, local.style, local.grammar, local.key) == ("embedded", "json", "gbnf", None)
    assert (local.limits.steps, local.limits.result_chars, local.limits.answer_chars) == (4, 600, 60)
    assert local.limits.call_first
    assert (local.sampling.temperature, local.transport.concurrency, local.context_tokens) == (0, 2, 8192)


def test_hosted_aliases_sample_at_one_and_name_their_key() -> None:
    for name in ("gpt5", "gemini-2.5-pro", "claude-sonnet-4-5"):
        alias = load_aliases()[name]
        assert alias.sampling.temperature == 1
        assert alias.key is not None
        assert alias.key.endswith("_API_KEY")


def test_a_user_file_lies_over_the_built_in_one_key_by_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _user(
        monkeypatch,
        tmp_path,
        "aliases:\n  gpt5: {limits: {steps: 3}}\n  mine: {model: m, endpoint: 'http://h/v1', context_tokens: 4096}\n",
    )
    aliases = load_aliases()
    assert aliases["gpt5"].limits.steps == 3
    assert aliases["gpt5"].model == "gpt-5"
    assert aliases["mine"].style == "native"


def test_the_user_file_is_found_in_the_config_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "driftdesk").mkdir()
    (tmp_path / "driftdesk" / "models.yaml").write_text("aliases: {gpt5: {model: other}}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_aliases()["gpt5"].model == "other"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aliases: {gpt5: {modle: m}}", "aliases.gpt5.modle: unknown key; did you mean 'model'?"),
        ("aliases: {gpt5: {sampling: {temprature: 1}}}", "aliases.gpt5.sampling.temprature: unknown key; did you mean"),
        ("aliases: {gpt5: {zzz: 1}}", "aliases.gpt5.zzz: unknown key; known are model, endpoint"),
        ("aliases: {gpt5: {limits: {steps: 0}}}", "aliases.gpt5.limits.steps: "),
        ("aliases: {gpt5: {limits: {steps: '3'}}}", "aliases.gpt5.limits.steps: "),
        (
            "aliases: {gpt5: {context_tokens: 8192, limits: {reply_tokens: 4097}}}",
            "aliases.gpt5: limits.reply_tokens is above 4096, half of context_tokens",
        ),
        ("aliases: {gpt5: {style: nativ}}", "aliases.gpt5.style: "),
        ("aliases: {gpt5: {model: 5}}", "aliases.gpt5.model: "),
        ("aliases: {gpt5: 7}", "aliases.gpt5: "),
        ("aliases: {new: {model: m}}", "aliases.new.endpoint: field required"),
        ("aliases: 7", "it needs one key `aliases:`"),
        ("[1]", "it needs one key `aliases:`"),
        ("aliases: {}\nalias: {}", "unknown key 'alias'"),
        ("aliases: {a: [}", "line 1"),
        ("aliases: {}\naliases: {}", "duplicate"),
        ("#" * 300_000, "larger than"),
    ],
)
def test_a_mistake_in_the_user_file_is_one_line_with_file_and_key(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = _user(monkeypatch, tmp_path, text)
    with pytest.raises(ModelConfigError) as raised:
        load_aliases()
    assert str(raised.value).startswith(f"{path}: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_named_file_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DRIFTDESK_MODELS", str(tmp_path / "gone.yaml"))
    with pytest.raises(ModelConfigError, match=r"gone\.yaml: no such file; DRIFTDESK_MODELS"):
        load_aliases()
