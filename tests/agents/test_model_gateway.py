"""Record, replay and scopes, in the process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from agents.aliases import Alias, Sampling
from agents.connection import Connection
from agents.model_gateway import ModelGateway
from envs import canonical
from envs.errors import RunError
from scripted_model import MemoryRecord, says

ALIAS = Alias(model="fake", endpoint="http://127.0.0.1:9/v1", context_tokens=8192)


class CountingConnection:
    """A fake connection whose endpoint numbers its replies."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.recorded_before: list[int] = []

    async def endpoint(self) -> CountingConnection:
        return self

    async def complete(self, request: Mapping[str, Any], seed: int) -> tuple[dict[str, Any], dict[str, float]]:
        self.seeds.append(seed)
        return says(f"reply {len(self.seeds)}"), {"seconds": 0.5}


def gateway(record: MemoryRecord, connection: Any = None, *, alias: Alias = ALIAS, live: bool = True) -> ModelGateway:
    return ModelGateway(alias, record, cast(Connection, connection), seed=7, live=live)


def request(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


async def test_requests_are_numbered_by_scope_and_recorded_before_they_are_used() -> None:
    record, connection = MemoryRecord(), CountingConnection()
    models = gateway(record, connection)
    a, b = models("a"), models("b")
    await a.complete(request("1"))
    await b.complete(request("2"))
    reply = await a.complete(request("3"))
    assert list(record.exchanges) == [("a", 0), ("b", 0), ("a", 1)]
    assert record.exchanges["a", 1][1] == reply
    assert connection.seeds == [canonical.seed(7, "a", 0), canonical.seed(7, "b", 0), canonical.seed(7, "a", 1)]
    assert record.timings == [{"seconds": 0.5}] * 3


async def test_a_reply_that_could_not_be_recorded_is_not_used() -> None:
    class FullDisk(MemoryRecord):
        async def exchange(self, *args: Any) -> None:
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await gateway(FullDisk(), CountingConnection())("a").complete(request("1"))


async def test_recorded_replies_come_first_and_a_scope_driven_again_meets_them() -> None:
    record, connection = MemoryRecord(), CountingConnection()
    models = gateway(record, connection)
    first = await models("a").complete(request("1"))
    again = models("a")
    assert await again.complete(request("1")) == first
    await again.complete(request("2"))
    assert len(connection.seeds) == 2


async def test_a_replay_asks_nobody() -> None:
    record = MemoryRecord()
    first = await gateway(record, CountingConnection())("a").complete(request("1"))
    replay = gateway(record, None, live=False)
    model = replay("a")
    assert await model.complete(request("1")) == first
    with pytest.raises(RunError, match=r"^a: request 1 is not in the record"):
        await model.complete(request("2"))


@pytest.mark.parametrize(
    "other",
    [
        ALIAS.model_copy(update={"model": "other"}),
        ALIAS.model_copy(update={"sampling": Sampling(temperature=0.5)}),
    ],
)
async def test_another_model_sampling_or_request_is_another_digest(other: Alias) -> None:
    record = MemoryRecord()
    await gateway(record, CountingConnection())("a").complete(request("1"))
    with pytest.raises(RunError):
        await gateway(record, alias=other, live=False)("a").complete(request("1"))
    with pytest.raises(RunError):
        await gateway(record, live=False)("a").complete(request("2"))
