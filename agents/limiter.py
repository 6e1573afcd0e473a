"""The limiter of one endpoint: how many requests at once, and a pause for all when it says `Retry-After`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from envs import wall


class Limiter:
    """Bounds requests in flight to `slots`. A waiting request keeps its place in the line."""

    def __init__(self, slots: int) -> None:
        self._slots = asyncio.Semaphore(slots)
        self._open_at = 0.0

    def pause(self, seconds: float) -> None:
        """Nothing new starts for so long: the endpoint told one request, and means all."""
        self._open_at = max(self._open_at, wall.monotonic() + seconds)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Holds one slot; entered once one is free and no pause is on."""
        async with self._slots:
            while (wait := self._open_at - wall.monotonic()) > 0:
                await asyncio.sleep(wait)
            yield
