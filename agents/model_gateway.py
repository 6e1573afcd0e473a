"""Every model request of a run goes through here: replay, limiter and record in one place."""

from __future__ import annotations

from collections.abc import Mapping

from agents.aliases import Alias
from agents.connection import Connection
from envs import canonical
from envs.errors import RunError
from envs.protocol import Json, Record


class ModelGateway:
    """`protocol.Models` of one run and one alias."""

    def __init__(self, alias: Alias, record: Record, connection: Connection, *, seed: int, live: bool) -> None:
        self._record = record
        self._connection = connection
        self._seed = seed
        self._live = live
        self._tools: tuple[Json, str] | None = None
        self._identity = {"model": alias.model, "sampling": alias.sampling.parameters()}

    def __call__(self, scope: str) -> BoundModel:
        """Binds a model to `scope`. Requests are numbered from 0, so that a scope driven again meets its record."""
        return BoundModel(self, scope)

    async def complete(self, scope: str, ordinal: int, request: Mapping[str, Json]) -> Mapping[str, Json]:
        """The recorded reply, or else a live one, recorded before it is returned.

        Raises RunError where the record holds another request, or none and live requests are forbidden; Fault.
        """
        digest = canonical.digest([self._identity, self._short(request)])
        reply = self._record.reply(scope, ordinal, digest)
        return reply if reply is not None else await self._ask(scope, ordinal, digest, request)

    def _short(self, request: Mapping[str, Json]) -> Mapping[str, Json]:
        """The request with its tools' digest for the tools: they are most of its bytes, and the same list each time."""
        tools = request.get("tools")
        if tools is None:
            return request
        if self._tools is None or self._tools[0] is not tools:
            self._tools = tools, canonical.digest(tools)
        return {**request, "tools": self._tools[1]}

    async def _ask(self, scope: str, ordinal: int, digest: str, request: Mapping[str, Json]) -> Mapping[str, Json]:
        if not self._live:
            raise RunError(f"{scope}: request {ordinal} is not in the record, and a replay makes no request of its own")
        endpoint = await self._connection.endpoint()
        reply, timing = await endpoint.complete(request, canonical.seed(self._seed, scope, ordinal))
        await self._record.exchange(scope, ordinal, digest, reply, timing)
        return reply


class BoundModel:
    """`protocol.Model` of one scope."""

    def __init__(self, gateway: ModelGateway, scope: str) -> None:
        self._gateway = gateway
        self._scope = scope
        self._asked = 0

    async def complete(self, request: Mapping[str, Json]) -> Mapping[str, Json]:
        """See `protocol.Model.complete`."""
        ordinal, self._asked = self._asked, self._asked + 1
        return await self._gateway.complete(self._scope, ordinal, request)
