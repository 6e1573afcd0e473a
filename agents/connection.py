"""How an alias is reached, opened when the first request must go live: a hosted endpoint, or the embedded server."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from pydantic import SecretStr

from agents import local
from agents.aliases import EMBEDDED, Alias
from envs.errors import ModelConfigError

if TYPE_CHECKING:
    from agents.endpoint import Endpoint


class Connection:
    """Holds the alias's endpoint, and its local server where it has one, from first use until `close`."""

    def __init__(self, alias: Alias) -> None:
        self._alias = alias
        self._opening = asyncio.Lock()
        self._endpoint: Endpoint | None = None
        self._server: local.LocalServer | None = None

    def check(self) -> None:
        """Raises ModelConfigError, before any work is done, where the first request would have to."""
        if self._alias.endpoint == EMBEDDED:
            local.check()
        else:
            self._key()

    async def endpoint(self) -> Endpoint:
        """The open endpoint. Raises ModelConfigError for an unset key, a missing extra or model file."""
        async with self._opening:
            if self._endpoint is None:
                # The client library takes a second to import, and a replay never needs it.
                from agents.endpoint import Endpoint

                url = self._alias.endpoint
                if url == EMBEDDED:
                    self._server = await local.LocalServer.start()
                    url = self._server.url
                self._endpoint = Endpoint(self._alias, url, self._key())
            return self._endpoint

    async def close(self) -> None:
        if self._endpoint is not None:
            await self._endpoint.close()
        if self._server is not None:
            self._server.stop()

    def _key(self) -> SecretStr | None:
        name = self._alias.key
        if name is None:
            return None
        value = os.environ.get(name, "").strip()
        if not value:
            raise ModelConfigError(f"{self._alias.model}: the environment variable {name} is not set; export its key")
        return SecretStr(value)
