"""What `--agent` names: `MODEL`, `MODEL+MEMORY`, `openai:NAME@URL`, or an agent without a model."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from agents.aliases import Alias, load_aliases, nearest
from agents.names import BASELINES, ORACLE
from envs.errors import ModelConfigError

OWN_KEY = "DRIFTDESK_API_KEY"
"""The key for `openai:NAME@URL`. A vendor's variable is never read for an address that somebody typed."""

_MEMORIES = ("none",)
_MEMORIES_TO_COME = ("mem0", "zep", "graph", "chroma", "base", "direct", "rag", "chronos")
_WITHOUT_MODEL = (ORACLE, *BASELINES)
_ENDPOINT = re.compile(r"openai:(?P<name>.+?)@(?P<url>https?://[^\s+]+)(?:\+(?P<memory>.*))?")
_CONTEXT_TOKENS = 32_768


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """`label` is the agent's name in records and tables. `alias` is None for an agent without a model."""

    label: str
    alias: Alias | None


def parse_spec(text: str) -> AgentSpec:
    """The agent that `text` names.

    Raises ModelConfigError, in one line, for an unknown name (with the nearest), for what isn't built yet, and for an
    alias file that can't be used.
    """
    if text.startswith("openai:"):
        return _endpoint_spec(text)
    if text.startswith("vllm:"):
        raise ModelConfigError(
            f"{text}: starting vLLM isn't built yet; serve it yourself and use openai:NAME@http://host:port/v1"
        )
    name, plus, memory = text.partition("+")
    aliases = load_aliases()
    if name not in aliases and name not in _WITHOUT_MODEL:
        near = nearest(name, {**aliases, **dict.fromkeys(_WITHOUT_MODEL)})
        hint = f"did you mean {near!r}?" if near else f"known are {_listed(aliases)}, openai:NAME@URL"
        raise ModelConfigError(f"{text}: there is no agent {name!r}; {hint}")
    _check_memory(text, memory if plus else "none")
    return AgentSpec(name, aliases.get(name) if name not in _WITHOUT_MODEL else None)


def _listed(names: Iterable[str]) -> str:
    return ", ".join([*names, *_WITHOUT_MODEL])


def _endpoint_spec(text: str) -> AgentSpec:
    match = _ENDPOINT.fullmatch(text)
    if match is None:
        raise ModelConfigError(f"{text}: write openai:NAME@http://host:port/v1")
    _check_memory(text, match["memory"] if match["memory"] is not None else "none")
    url = urlsplit(match["url"])
    if url.username or url.password or url.query:
        shown = f"openai:{match['name']}@{url.scheme}://{url.hostname}"
        raise ModelConfigError(f"{shown}: an address with a credential in it; put the key into {OWN_KEY}")
    alias = Alias(
        model=match["name"],
        endpoint=match["url"],
        key=OWN_KEY if os.environ.get(OWN_KEY) else None,
        style="probe",
        context_tokens=_CONTEXT_TOKENS,
    )
    return AgentSpec(f"openai:{match['name']}@{match['url']}", alias)


def _check_memory(text: str, memory: str) -> None:
    if memory in _MEMORIES:
        return
    kind = re.split(r"[\[:]", memory, maxsplit=1)[0]
    if kind in _MEMORIES_TO_COME:
        raise ModelConfigError(f"{text}: {kind!r} isn't built yet; leave it out, or write +none")
    near = nearest(kind, dict.fromkeys((*_MEMORIES, *_MEMORIES_TO_COME)))
    hint = f"did you mean {near!r}?" if near else "the only one now is 'none'"
    raise ModelConfigError(f"{text}: there is no memory {memory!r}; {hint}")
