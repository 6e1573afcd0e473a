"""A fake OpenAI-compatible server on loopback: replies by a script, refuses what a strict server would refuse."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from history_check import InvalidHistoryError, check_request


@dataclass(frozen=True)
class Response:
    """What the script wants sent. `hang`: nothing is; `cut`: the connection is closed in mid-reply."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False


Script = Callable[[Mapping[str, Any], int], Any]
"""(request body, its number from 0) -> a Response, or the body of one: an object, text or bytes."""


def completion(message: Mapping[str, Any], finish: Any = "stop", **fields: Any) -> dict[str, Any]:
    """A chat completion as endpoints send it, with ids and times of their own."""
    return {
        "id": "chatcmpl-FAKE",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "system_fingerprint": "fp_FAKE",
        "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 7}},
        **fields,
    }


def call(name: Any, arguments: Any, id_: Any = "call_FAKE") -> dict[str, Any]:
    """One entry of `tool_calls`."""
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **fields: Any) -> Response:
    """An error in the shape of the OpenAI API."""
    return Response({"error": {"message": message, **fields}}, status, headers or {})


def overflow() -> Response:
    message = "This model's maximum context length is 8192 tokens. Please reduce the length of the messages."
    return error(400, message, type="invalid_request_error", code="context_length_exceeded")


@dataclass
class ScriptedEndpoint:
    """`requests`: bodies, in order; `headers`: theirs, by lower-case name; `peak`: most at once.

    `complaints`: why some were refused as invalid.
    """

    script: Script
    delay_s: float = 0.0
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    peak: int = 0
    _now: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        number = len(self.requests)
        self.requests.append(body)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        self._now += 1
        self.peak = max(self.peak, self._now)
        try:
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            try:
                check_request(body)
            except InvalidHistoryError as invalid:
                self.complaints.append(str(invalid))
                return web.json_response({"error": {"message": f"invalid request: {invalid}"}}, status=400)
            return await self._respond(request, self.script(body, number))
        finally:
            self._now -= 1

    async def _respond(self, request: web.Request, scripted: Any) -> web.StreamResponse:
        response = scripted if isinstance(scripted, Response) else Response(scripted)
        if response.hang:
            await asyncio.sleep(3600)
        if response.cut:
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        body = response.body
        raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
        headers = {"content-type": "application/json", **response.headers}
        return web.Response(body=raw, status=response.status, headers=headers)


@asynccontextmanager
async def serving(script: Script, *, delay_s: float = 0.0) -> AsyncIterator[ScriptedEndpoint]:
    """The endpoint, listening; `url` ends with `/v1`."""
    endpoint = ScriptedEndpoint(script, delay_s)
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", endpoint.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        endpoint.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        yield endpoint
    finally:
        await runner.cleanup()
