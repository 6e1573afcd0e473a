"""The gateway: any arguments whatever give a result, every call is recorded once, calls never overlap."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs import canonical
from envs.clock import FrozenClock
from envs.errors import Fault, OperationError
from envs.protocol import Call, Item, Json, ToolSpec
from servers.gateway import Gateway, parse_arguments

NOON = datetime(2025, 5, 1, 12, tzinfo=UTC)


class FakePack:
    """Tools that echo, fail in each way, or wait."""

    def __init__(self, *names: str) -> None:
        self._names = names or ("echo", "refuse", "break", "fault", "wait")
        self.running = 0

    def specs(self) -> Sequence[ToolSpec]:
        return [ToolSpec(name, f"toy.{name}", name, name, {}, reads=name == "echo") for name in self._names]

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        match op:
            case "toy.refuse":
                raise OperationError("not_there", "no such thing", hint="try another", candidates=("a", "b"))
            case "toy.break":
                raise RuntimeError("secret text of a bug")
            case "toy.fault":
                raise Fault("memory", "the store is down")
            case "toy.wait":
                self.running += 1
                assert self.running == 1, "two calls at the same time"
                await asyncio.sleep(0)
                self.running -= 1
        return json.dumps({"arguments": arguments, "now": now.isoformat()})


class CountingClock:
    """Each call costs thirty seconds."""

    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time

    def charge(self) -> None:
        self.time += timedelta(seconds=30)

    def advance(self, to: datetime) -> None:
        self.time = to


def gateway(*, charging: bool = True, caller: str = "agent") -> Gateway:
    return Gateway([FakePack()], FrozenClock(NOON), lambda: (), charging=charging, caller=caller)


@pytest.mark.parametrize("arguments", [None, "", "  ", "null", "{}", {}, '"{}"', '"null"', '""'])
async def test_nothing_is_an_empty_object(arguments: Any) -> None:
    tools = gateway()
    result = await tools.call("echo", arguments)
    assert orjson.loads(result.text)["arguments"] == {}
    assert tools.calls[0].arguments == {}


async def test_an_object_in_a_text_in_a_text_is_decoded_once_more() -> None:
    tools = gateway()
    await tools.call("echo", json.dumps(json.dumps({"a": 1})))
    assert tools.calls[0].arguments == {"a": 1}
    assert (await tools.call("echo", json.dumps(json.dumps(json.dumps({"a": 1}))))).error == "invalid_arguments"


@pytest.mark.parametrize(
    "raw",
    ["[1]", "5", "true", '"text"', "{", '{"a": 1', '{"a": NaN}', "[" * 5_000, '{"a": "\\ud800"}', '{"a": "\ud800"}'],
)
async def test_anything_else_is_refused_and_kept_as_it_came(raw: str) -> None:
    tools = gateway()
    result = await tools.call("echo", raw)
    assert result.error == "invalid_arguments"
    call = tools.calls[0]
    assert call.arguments == raw.encode("utf-8", "backslashreplace").decode()
    assert (call.error, call.result) == ("invalid_arguments", result.text)
    assert canonical.dumps(call.arguments)


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


NOT_JSON = ["\ud800", {"\udfff": 1}, object(), float, float("nan"), float("inf"), nested(5000)]


@pytest.mark.parametrize("value", NOT_JSON, ids=range(len(NOT_JSON)))
async def test_mappings_that_json_cannot_hold_are_refused(value: object) -> None:
    tools = gateway()
    assert (await tools.call("echo", {"a": value})).error == "invalid_arguments"
    assert canonical.dumps(tools.calls[0].arguments)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e400", "1180591620717411303424", "-0", "1.0"])
async def test_an_odd_number_ends_the_same_as_text_and_as_a_value(number: str) -> None:
    """A model's arguments come as text, an outside client's as values."""
    as_text = await gateway().call("echo", f'{{"a":{number}}}')
    as_value = await gateway().call("echo", {"a": json.loads(number)})
    assert as_text == as_value


@given(
    st.one_of(st.none(), st.text(), st.text().map(json.dumps), st.dictionaries(st.text(), st.text() | st.integers()))
)
@settings(deadline=None, max_examples=200)
def test_parsing_never_raises_and_its_outcome_can_be_recorded(raw: Any) -> None:
    value, problem = parse_arguments(raw)
    canonical.dumps(value)
    assert isinstance(value, dict) == (problem is None)


async def test_an_operations_error_is_canonical() -> None:
    result = await gateway().call("refuse", None)
    assert result.text == (
        '{"ok":false,"error":"not_there","message":"no such thing","hint":"try another","candidates":["a","b"]}'
    )


async def test_a_bug_is_masked_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    tools = gateway()
    with caplog.at_level(logging.ERROR):
        result = await tools.call("break", {})
    assert result.error == "internal_error"
    assert "secret" not in result.text
    assert "secret" in caplog.text
    assert tools.calls[0].error == "internal_error"


async def test_a_fault_goes_through_and_is_recorded() -> None:
    tools = gateway()
    with pytest.raises(Fault):
        await tools.call("fault", {})
    assert [(call.tool, call.error) for call in tools.calls] == [("fault", "fault")]
    assert (await tools.call("echo", {})).error is None


async def test_an_unknown_tool_names_the_nearest_and_is_recorded() -> None:
    tools = gateway()
    told = orjson.loads((await tools.call("ecco\ud800", '{"a": 1}')).text)
    assert told["error"] == "unknown_tool"
    assert told["candidates"] == ["echo"]
    assert told["hint"] == "the tools are echo, refuse, break, fault, wait"
    call = tools.calls[0]
    assert (call.tool, call.op, call.arguments, call.reads) == ("ecco\\ud800", "", {"a": 1}, False)


async def test_every_call_is_recorded_once_with_what_was_sent_and_given() -> None:
    tools = gateway(caller="client")
    result = await tools.call("echo", {"a": "b"})
    await tools.call("refuse", "")
    first, second = tools.calls
    assert (first.tool, first.op, first.arguments, first.error) == ("echo", "toy.echo", {"a": "b"}, None)
    assert (first.time, first.reads, first.writes, first.caller) == (NOON, True, False, "client")
    assert first.result == result.text
    assert second.error == "not_there"


async def test_a_listener_hears_of_every_call_as_it_is_recorded() -> None:
    heard: list[Call] = []
    tools = Gateway([FakePack()], FrozenClock(NOON), lambda: (), charging=True, called=heard.append)
    for name in ("echo", "refuse", "break", "nope"):
        await tools.call(name, {})
    with pytest.raises(Fault):
        await tools.call("fault", {})
    assert heard == tools.calls
    assert len(heard) == 5


async def test_the_record_is_a_copy_of_the_arguments() -> None:
    tools = gateway()
    arguments: dict[str, Any] = {"a": [1]}
    await tools.call("echo", arguments)
    arguments["a"].append(2)
    assert tools.calls[0].arguments == {"a": [1]}


async def test_a_cancelled_call_is_recorded_and_leaves_the_gateway_usable() -> None:
    tools = gateway()
    task = asyncio.create_task(tools.call("wait", {}))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [call.error for call in tools.calls] == ["cancelled"]
    assert (await tools.call("echo", {})).error is None


async def test_calls_run_one_at_a_time_in_the_order_of_arrival() -> None:
    tools = gateway()
    await asyncio.gather(*(tools.call("wait", {"n": n}) for n in range(20)))
    assert [call.arguments["n"] for call in tools.calls] == list(range(20))


async def test_a_charging_gateway_moves_the_clock_before_the_call_and_passes_on_what_arrived() -> None:
    clock = CountingClock()
    item = Item("n1", NOON, "notification", "hello")
    tools = Gateway([FakePack()], clock, lambda: (item,), charging=True)
    result = await tools.call("echo", {})
    assert orjson.loads(result.text)["now"] == (NOON + timedelta(seconds=30)).isoformat()
    assert result.notices == (item,)
    assert tools.calls[0].time == NOON + timedelta(seconds=30)


async def test_a_gateway_that_does_not_charge_leaves_clock_and_arrivals_alone() -> None:
    clock = CountingClock()
    tools = Gateway([FakePack()], clock, lambda: pytest.fail("asked for arrivals"), charging=False)
    assert (await tools.call("echo", {})).notices == ()
    assert clock.now() == NOON


def test_a_name_in_two_packs_is_refused() -> None:
    with pytest.raises(ValueError, match="two tools are named echo"):
        Gateway([FakePack("echo"), FakePack("other", "echo")], FrozenClock(NOON), lambda: (), charging=True)
