"""What an agent spec comes to: its place in the fingerprint, an agent for each episode, the models of a run."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

from agents import local, prompt
from agents.aliases import EMBEDDED, Alias
from agents.baselines import BASELINES
from agents.connection import Connection
from agents.loop import ToolLoop
from agents.model_gateway import ModelGateway
from agents.names import ORACLE
from agents.preflight import detect_style
from agents.spec import AgentSpec, parse_spec
from agents.styles.constrained import ConstrainedStyle
from agents.styles.native import NativeStyle
from agents.styles.style import Style
from envs.errors import Fault, ModelConfigError
from envs.protocol import Agent, Model, Models, Record

_LOG = logging.getLogger(__name__)


class AgentPlan:
    """Made by `plan_agent`. Good for one run at a time: `models` settles the call style that `agent` uses."""

    def __init__(self, spec: AgentSpec, hint: Callable[[str], object]) -> None:
        self._spec = spec
        self._hint = hint
        self._style = spec.alias.style if spec.alias is not None else None
        # One for all episodes: it holds nothing of any, only the tools in the form that it offers them in.
        self._shaped: Style | None = None

    @property
    def label(self) -> str:
        """The agent's name in records and tables."""
        return self._spec.label

    @property
    def needs_gold(self) -> bool:
        """Whether whoever holds the gold must make the agent, since `agent` can't."""
        return self._spec.label == ORACLE

    def describe(self) -> dict[str, Any]:
        """All that decides what the agent sends and does, for the run's fingerprint; never a key."""
        alias = self._spec.alias
        if alias is None:
            return {"agent": self._spec.label}
        return {
            "agent": self._spec.label,
            "memory": "none",
            "model": alias.model,
            "endpoint": _endpoint_kind(alias),
            "style": alias.style,
            "grammar": alias.grammar,
            "context_tokens": alias.context_tokens,
            "seed": alias.seed,
            "sampling": alias.sampling.parameters(),
            "limits": alias.limits.model_dump(exclude_none=True),
            "prompts": prompt.digests(),
        }

    def check(self) -> None:
        """Raises ModelConfigError where no request could be made: an unset key, a missing extra or model file."""
        if self._spec.alias is not None:
            Connection(self._spec.alias).check()

    def agent(self) -> Agent:
        """A new agent, for one episode.

        Raises RuntimeError for one that needs gold, and before `models` has settled the style of a probed one.
        """
        if self.needs_gold:
            raise RuntimeError(f"{self.label} is made from the gold, which isn't known here")
        alias = self._spec.alias
        if alias is None:
            return BASELINES[self._spec.label]()
        if self._style == "probe":
            raise RuntimeError("the call style isn't known before `models` is entered")
        if self._shaped is None:
            native = self._style == "native"
            self._shaped = NativeStyle(alias.limits) if native else ConstrainedStyle(alias.limits, alias.grammar)
        return ToolLoop(self._shaped, alias.limits, alias.context_tokens)

    def models(self, record: Record, *, seed: int, live: bool) -> AbstractAsyncContextManager[Models]:
        """The models of one run: recorded replies first, then, if `live`, requests.

        The local server starts with the first live request and stops at the end. Entering raises ModelConfigError, if
        live, where `check` does and for an endpoint that doesn't stand the preflight; without `live` a request that
        the record doesn't hold raises RunError.
        """
        if self._spec.alias is None:
            return _no_models()
        return self._gateway(self._spec.alias, record, seed, live)

    @asynccontextmanager
    async def _gateway(self, alias: Alias, record: Record, seed: int, live: bool) -> AsyncIterator[Models]:
        connection = Connection(alias)
        if live:
            connection.check()
        models = ModelGateway(alias, record, connection, seed=seed, live=live)
        try:
            if alias.style == "probe":
                self._style = await self._probed(models)
            yield models
        finally:
            await connection.close()

    async def _probed(self, models: Models) -> Literal["native", "json"]:
        try:
            style = await detect_style(models)
        except Fault as fault:
            raise ModelConfigError(f"{self.label}: {fault}; check the address and the model's name") from None
        if style == "native":
            self._hint(f"{self.label}: tool calls work (style native)")
        else:
            self._hint(f"{self.label}: no tool call came back, so tools are asked for as JSON (style json)")
        return style


def plan_agent(spec: str, *, hint: Callable[[str], object] = _LOG.info) -> AgentPlan:
    """The plan of an agent spec. `hint` is told, in one line, what the preflight found.

    Raises ModelConfigError for a spec or an alias file that can't be used.
    """
    return AgentPlan(parse_spec(spec), hint)


def _endpoint_kind(alias: Alias) -> str:
    if alias.endpoint == EMBEDDED:
        return f"{EMBEDDED}:{local.PACKAGE}"
    url = urlsplit(alias.endpoint)
    host = url.hostname or ""
    return (host if url.port is None else f"{host}:{url.port}") + url.path.rstrip("/")


@asynccontextmanager
async def _no_models() -> AsyncIterator[Models]:
    yield _unasked


def _unasked(scope: str) -> Model:
    return _NoModel()


class _NoModel:
    """For agents that never ask."""

    async def complete(self, request: Any) -> Any:
        raise RuntimeError("an agent without a model asked one")
