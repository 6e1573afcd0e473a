"""One endpoint against the scripted server: retries, limits, what is dropped, and keys that never get out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic import SecretStr

import scripted_endpoint
from agents import endpoint as endpoint_module
from agents.aliases import Alias, Sampling, Transport
from agents.endpoint import Endpoint
from agents.refusal import refusal
from envs import wall
from envs.errors import Fault
from scripted_endpoint import Response, ScriptedEndpoint, call, completion, serving

REQUEST: dict[str, Any] = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 9}
GOOD = completion({"content": "yes"})
KEY = "sk-canary-5f1e77"


@pytest.fixture(autouse=True)
def _short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "_FIRST_DELAY_S", 0.01)


@asynccontextmanager
async def opened(
    script: Any, *, transport: Transport | None = None, delay_s: float = 0.0, key: str = KEY
) -> AsyncIterator[tuple[Endpoint, ScriptedEndpoint]]:
    async with serving(script, delay_s=delay_s) as server:
        settings = Alias(
            model="fake",
            endpoint=server.url,
            context_tokens=8192,
            seed=True,
            sampling=Sampling(temperature=1, top_p=0.9),
            transport=transport or Transport(attempts=3, timeout_s=2, deadline_s=5),
        )
        client = Endpoint(settings, server.url, SecretStr(key))
        try:
            yield client, server
        finally:
            await client.close()


def in_turn(*replies: Any) -> Any:
    return lambda body, number: replies[min(number, len(replies) - 1)]


async def test_what_is_sent_and_what_is_recorded() -> None:
    async with opened(in_turn(GOOD)) as (client, server):
        reply, timing = await client.complete(REQUEST, 42)
    assert server.requests == [{"model": "fake", "temperature": 1, "top_p": 0.9, "seed": 42, **REQUEST}]
    assert reply == {
        "message": {"content": "yes"},
        "finish_reason": "stop",
        "usage": {"prompt": 20, "completion": 5, "reasoning": 0},
    }
    assert "FAKE" not in str(reply)
    assert (timing["attempts"], timing["cached"]) == (1, 7)
    assert timing["seconds"] > 0


@pytest.mark.parametrize(
    "failure",
    [
        scripted_endpoint.error(500, "oops"),
        scripted_endpoint.error(503, "busy"),
        scripted_endpoint.error(429, "slow down"),
        Response(cut=True),
        Response("not json"),
    ],
)
async def test_what_passes_is_tried_again(failure: Any) -> None:
    async with opened(in_turn(failure, failure, GOOD)) as (client, _):
        _, timing = await client.complete(REQUEST, 1)
    assert timing["attempts"] == 3


@pytest.mark.parametrize(
    ("failure", "kind", "requests"),
    [
        (scripted_endpoint.error(500, "oops"), "endpoint", 3),
        (Response(cut=True), "endpoint", 3),
        (scripted_endpoint.error(400, "bad schema"), "endpoint", 1),
        (scripted_endpoint.error(401, "no"), "endpoint", 1),
        (scripted_endpoint.error(429, "no credit", code="insufficient_quota"), "rate_limit", 1),
        (scripted_endpoint.error(429, "later", {"retry-after": "3600"}), "rate_limit", 1),
    ],
)
async def test_what_does_not_pass_is_a_fault(failure: Any, kind: str, requests: int) -> None:
    async with opened(in_turn(failure)) as (client, server):
        with pytest.raises(Fault) as raised:
            await client.complete(REQUEST, 1)
    assert raised.value.kind == kind
    assert len(server.requests) == requests


async def test_a_silent_server_ends_by_the_total_deadline() -> None:
    transport = Transport(attempts=50, timeout_s=0.1, deadline_s=0.4)
    async with opened(in_turn(Response(hang=True)), transport=transport) as (client, _):
        started = wall.monotonic()
        with pytest.raises(Fault, match="no reply within"):
            await client.complete(REQUEST, 1)
        assert wall.monotonic() - started < 1.5


async def test_retry_after_is_honoured_and_holds_the_others_back() -> None:
    arrived: list[float] = []

    def script(body: Mapping[str, Any], number: int) -> Any:
        arrived.append(wall.monotonic())
        return scripted_endpoint.error(429, "slow down", {"retry-after": "0.4"}) if number == 0 else GOOD

    async with opened(script, transport=Transport(concurrency=2, deadline_s=5)) as (client, _):
        first = asyncio.create_task(client.complete(REQUEST, 1))
        await asyncio.sleep(0.15)
        await asyncio.gather(first, client.complete(REQUEST, 2), client.complete(REQUEST, 3))
    assert len(arrived) == 4
    assert min(arrived[1:]) - arrived[0] >= 0.39


async def test_a_capped_server_serves_everybody() -> None:
    """Four requests in any 0.2 s, the rest 429; twelve at once, two attempts allowed for real failures."""
    served: list[float] = []

    def script(body: Mapping[str, Any], number: int) -> Any:
        now = wall.monotonic()
        if sum(now - then < 0.2 for then in served) >= 4:
            return scripted_endpoint.error(429, "slow down", {"retry-after": "0.1"})
        served.append(now)
        return GOOD

    async with opened(script, transport=Transport(attempts=2, concurrency=8, deadline_s=10)) as (client, server):
        replies = await asyncio.gather(*(client.complete(REQUEST, seed) for seed in range(12)))
    assert len(replies) == 12
    assert len(server.requests) > 12, "the cap was met"


@pytest.mark.parametrize("slots", [1, 3])
async def test_no_more_requests_at_once_than_the_limiter_has_slots(slots: int) -> None:
    async with opened(in_turn(GOOD), transport=Transport(concurrency=slots), delay_s=0.02) as (client, server):
        await asyncio.gather(*(client.complete(REQUEST, seed) for seed in range(9)))
    assert server.peak == slots


async def test_overflow_is_a_reply_after_exactly_one_request() -> None:
    async with opened(in_turn(scripted_endpoint.overflow())) as (client, server):
        reply, _ = await client.complete(REQUEST, 1)
    assert reply["finish_reason"] == "overflow"
    assert len(server.requests) == 1


async def test_a_refused_parameter_is_dropped_for_good_and_noted_each_time() -> None:
    def script(body: Mapping[str, Any], number: int) -> Any:
        if "temperature" in body:
            return scripted_endpoint.error(
                400,
                "Unsupported value: 'temperature' does not support 1 with this model.",
                param="temperature",
                code="unsupported_value",
            )
        if "seed" in body:
            return scripted_endpoint.error(422, "Extra inputs are not permitted: seed")
        return GOOD

    async with opened(script) as (client, server):
        replies = [await client.complete(REQUEST, 1) for _ in range(2)]
    assert [reply["dropped"] for reply, _ in replies] == [["seed", "temperature"]] * 2
    assert [timing["attempts"] for _, timing in replies] == [3, 1]
    assert len(server.requests) == 4
    assert server.requests[-1]["top_p"] == 0.9


async def test_requests_at_once_that_meet_the_same_refusal_all_go_on() -> None:
    def script(body: Mapping[str, Any], number: int) -> Any:
        return scripted_endpoint.error(400, "Unrecognized request argument: seed") if "seed" in body else GOOD

    async with opened(script, delay_s=0.02) as (client, _):
        replies = await asyncio.gather(*(client.complete(REQUEST, 1) for _ in range(4)))
    assert all(reply["dropped"] == ["seed"] for reply, _ in replies)


async def test_max_tokens_goes_by_its_newer_name_where_the_older_is_refused() -> None:
    def script(body: Mapping[str, Any], number: int) -> Any:
        if "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return scripted_endpoint.error(400, message, param="max_tokens", code="unsupported_parameter")
        return GOOD

    async with opened(script) as (client, server):
        await client.complete(REQUEST, 1)
    assert server.requests[-1]["max_completion_tokens"] == 9


def refusing(*names: str) -> Any:
    def script(body: Mapping[str, Any], number: int) -> Any:
        refused = next((name for name in names if name in body), None)
        if refused is None:
            return GOOD
        return scripted_endpoint.error(400, f"Unknown parameter: {refused}", param=refused, code="unknown_parameter")

    return script


@pytest.mark.parametrize("names", [("max_tokens", "max_completion_tokens"), ("max_tokens", "seed"), ("seed",)])
async def test_what_a_reply_says_of_dropped_does_not_depend_on_earlier_requests(names: tuple[str, ...]) -> None:
    """A resumed run's endpoint has not seen the requests that are in the record."""
    bare = {"messages": REQUEST["messages"]}
    async with opened(refusing(*names)) as (client, _):
        after = [(await client.complete(request, 1))[0] for request in (REQUEST, bare, REQUEST)]
    for request, reply in zip((REQUEST, bare, REQUEST), after, strict=True):
        async with opened(refusing(*names)) as (client, _):
            assert (await client.complete(request, 1))[0] == reply
    assert after[0]["dropped"] == sorted(names)
    assert after[1].get("dropped", []) == [name for name in names if name == "seed"]


async def test_a_refused_value_of_tool_choice_says_nothing_of_the_others() -> None:
    def script(body: Mapping[str, Any], number: int) -> Any:
        if body.get("tool_choice") == "required":
            return scripted_endpoint.error(400, "tool_choice 'required' is not supported", param="tool_choice")
        return GOOD

    async with opened(script) as (client, server):
        first, _ = await client.complete({**REQUEST, "tool_choice": "required"}, 1)
        second, _ = await client.complete({**REQUEST, "tool_choice": "none"}, 1)
    assert (first["dropped"], "dropped" in second) == (["tool_choice"], False)
    assert server.requests[-1]["tool_choice"] == "none"


async def test_a_needed_field_is_never_dropped() -> None:
    refused = scripted_endpoint.error(400, "Unsupported parameter: messages", param="messages")
    async with opened(in_turn(refused)) as (client, server):
        with pytest.raises(Fault):
            await client.complete(REQUEST, 1)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "failure",
    [
        scripted_endpoint.error(401, f"Incorrect API key provided: {KEY}"),
        scripted_endpoint.error(400, f"header Authorization: Bearer {KEY}"),
        Response(f"plain {KEY}", 404),
        Response(f"not JSON {KEY}"),
        *(Response(f"{'-' * (80 - shown)}{KEY}") for shown in range(1, len(KEY))),
        *(Response(f"{'-' * (300 - shown)}{KEY}", 404) for shown in range(1, len(KEY), 4)),
    ],
)
async def test_the_key_is_sent_and_appears_nowhere_else(
    failure: Any, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("INFO")
    async with opened(in_turn(failure)) as (client, server):
        with pytest.raises(Fault) as raised:
            await client.complete(REQUEST, 1)
        shown = repr(client) + str(vars(client))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    chain: list[BaseException | None] = [raised.value, raised.value.__cause__]
    assert raised.value.__suppress_context__
    for said in (*map(repr, chain), *map(str, chain), shown, caplog.text, *capfd.readouterr()):
        assert KEY[:6] not in said


@pytest.mark.parametrize("key", [KEY, "sk/canary/77+01=="])
@pytest.mark.parametrize("escaped", [False, True])
async def test_a_key_in_a_reply_is_not_recorded(key: str, escaped: bool) -> None:
    said = completion(
        {
            "content": f"You sent {key}.",
            "refusal": key,
            "reasoning": key,
            "tool_calls": [call(key, f'{{"a":"{key}"}}')],
        },
        finish=key,
    )
    body = json.dumps(said)
    async with opened(in_turn(body.replace("/", r"\/") if escaped else body), key=key) as (client, _):
        reply, _ = await client.complete(REQUEST, 1)
    assert key not in str(reply)
    assert reply["message"]["content"] == "You sent ***."


async def test_a_key_in_a_call_that_an_endpoint_could_not_read_is_not_recorded() -> None:
    failure = scripted_endpoint.error(400, "no", code="json_validate_failed", failed_generation=f"{{{KEY}")
    async with opened(in_turn(failure)) as (client, _):
        reply, timing = await client.complete(REQUEST, 1)
    assert (reply["message"], reply["finish_reason"]) == ({"content": "{***"}, "malformed_call")
    assert timing["attempts"] == 1


async def test_a_placeholder_for_a_key_is_a_word_like_any_other() -> None:
    async with opened(in_turn(completion({"content": "none of them"})), key="none") as (client, _):
        reply, _ = await client.complete(REQUEST, 1)
    assert reply["message"]["content"] == "none of them"


async def test_a_vendors_variables_reach_no_other_address(monkeypatch: pytest.MonkeyPatch) -> None:
    canary = "vendor-canary"
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", canary)
    headers = f"X-Vendor: {canary}\nAuthorization: Bearer {canary}\nUser-Agent: {canary}"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    async with opened(in_turn(GOOD)) as (client, server):
        await client.complete(REQUEST, 1)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.headers[0]["content-type"] == "application/json"
    assert canary not in str(server.headers)


async def test_a_proxy_of_the_environment_does_not_see_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with opened(in_turn(GOOD)) as (client, server):
        await client.complete(REQUEST, 1)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        ({"error": {"message": "m", "code": "c", "type": "t"}}, "m", "c"),
        ({"error": {"message": "m", "code": 400, "type": "t"}}, "m", "t"),
        ([{"error": {"message": "m", "status": "INVALID"}}], "m", ""),
        ({"error": "m"}, "m", ""),
        ({"detail": "m"}, "m", ""),
        ({"message": "m", "type": "t"}, "m", "t"),
        ("m", "m", ""),
        (None, "fallback", ""),
        ([], "fallback", ""),
        ({}, "fallback", ""),
    ],
)
def test_shapes_of_error_bodies(body: Any, message: str, code: str) -> None:
    read = refusal(400, body, {}, "fallback")
    assert (read.message, read.code) == (message, code)


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [("2", 2, 2), ("0.5", 0.5, 0.5), ("-1", 0, 0), ("Wed, 01 Jan 2020 00:00:00 GMT", 0, 0), ("soon", None, None)],
)
def test_retry_after_as_seconds_or_date(value: str, least: float | None, most: float | None) -> None:
    read = refusal(429, None, {"retry-after": value}, "")
    assert read.retry_after == least == most
