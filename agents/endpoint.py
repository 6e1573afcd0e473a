"""One OpenAI-compatible endpoint: sends a request, tries again within bounds, and gives back the recorded form."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NoReturn, cast
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletionMessageParam
from pydantic import SecretStr

from agents.aliases import Alias
from agents.limiter import Limiter
from agents.refusal import Refusal, refusal
from agents.reply import UnusableReplyError, cached_tokens, clean, failed_reply, parse_body, recorded
from envs import canonical, wall
from envs.errors import Fault, FaultKind
from envs.protocol import Json

_FIRST_DELAY_S = 0.5
_LONGEST_DELAY_S = 30.0
_SENTENCE_CHARS = 300
_SECRET_CHARS = 12
"""A shorter key is a server's placeholder (`EMPTY`, `none`): as a word of a reply it stays."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_RENAMED = {"max_tokens": "max_completion_tokens"}
"""Endpoints that refuse the one take the other."""

_Refused = tuple[str, str]


class Endpoint:
    """The alias's model at `url`. Leaves out what this endpoint has refused."""

    def __init__(self, alias: Alias, url: str, key: SecretStr | None) -> None:
        self._alias = alias
        self._key = key
        self._host = urlsplit(url).netloc
        self._limiter = Limiter(alias.transport.concurrency)
        self._refused: set[_Refused] = set()
        self._client = _Client(
            base_url=url,
            api_key=key.get_secret_value() if key is not None else "none",
            timeout=alias.transport.timeout_s,
            max_retries=0,
            http_client=_direct() if urlsplit(url).hostname in _LOOPBACK else None,
        )

    async def close(self) -> None:
        await self._client.close()

    async def complete(self, request: Mapping[str, Json], seed: int) -> tuple[dict[str, Json], dict[str, float]]:
        """The reply in recorded form and its timing (`seconds`, `attempts`, `cached` tokens).

        `dropped` in the reply names the parameters that this endpoint refused. Raises Fault (`rate_limit` or
        `endpoint`) when attempts or the deadline are used up, and at once for what would fail again.
        """
        body = {"model": self._alias.model, **self._alias.sampling.parameters(), **request}
        if self._alias.seed:
            body["seed"] = seed
        async with self._limiter.slot():
            started = wall.monotonic()
            deadline = started + self._alias.transport.deadline_s
            try:
                async with asyncio.timeout(self._alias.transport.deadline_s):
                    reply, attempts, cached = await self._persist(body, seed, deadline)
            except TimeoutError:
                raise Fault(
                    "endpoint", f"{self._host}: no reply within {self._alias.transport.deadline_s:g} s"
                ) from None
            return reply, {"seconds": wall.monotonic() - started, "attempts": attempts, "cached": cached}

    async def _persist(self, body: dict[str, Any], seed: int, deadline: float) -> tuple[dict[str, Json], int, int]:
        attempts = failures = 0
        while True:
            attempts += 1
            sent = self._accepted(body)
            try:
                completion = await self._post(sent)
                reply = recorded(completion)
            except UnusableReplyError as error:
                failure = Refusal(None, str(error))
            except Refusal as error:
                failure = error
            else:
                return self._noting(reply, body), attempts, cached_tokens(completion)
            finish = failure.finish
            if finish is not None:
                said = self._without_key(failure.generated)
                return self._noting(failed_reply(finish, said), body), attempts, 0
            parameter = failure.unsupported(sent)
            if parameter is not None:
                self._refused.add(_remembered(parameter, sent[parameter]))
                continue
            failures += not failure.rate_limited
            await self._back_off(failure, attempts, failures, seed, deadline)

    async def _back_off(self, failure: Refusal, attempts: int, failures: int, seed: int, deadline: float) -> None:
        """Waits before the next attempt; raises Fault where there is to be none.

        Being over the rate is no failure: it may happen as often as the deadline allows.
        """
        if not failure.transient or failures >= self._alias.transport.attempts:
            self._give_up(failure, attempts)
        delay = failure.retry_after
        if delay is None:
            delay = min(_FIRST_DELAY_S * 2 ** (attempts - 1), _LONGEST_DELAY_S)
        elif failure.rate_limited:
            self._limiter.pause(delay)
        # Spread, or all that were refused together would come back together.
        delay *= 1 + canonical.seed(seed, attempts) % 1000 / 4000
        if wall.monotonic() + delay >= deadline:
            self._give_up(failure, attempts)
        await asyncio.sleep(delay)

    def _give_up(self, failure: Refusal, attempts: int) -> NoReturn:
        status = "" if failure.status is None else f"HTTP {failure.status}, "
        times = "" if attempts == 1 else f" ({attempts} attempts)"
        kind: FaultKind = "rate_limit" if failure.rate_limited else "endpoint"
        raise Fault(kind, f"{self._host}: {status}{self._scrubbed(failure.message)}{times}") from None

    def _accepted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in self._spelt(body) if not self._refuses(name, value)}

    def _noting(self, reply: dict[str, Json], body: Mapping[str, Any]) -> dict[str, Json]:
        """Names what was refused of this body alone, so that a resumed run, which learns it anew, records the same."""
        tried = {**body, **dict(self._spelt(body))}
        dropped = sorted(name for name, value in tried.items() if self._refuses(name, value))
        return {**reply, "dropped": dropped} if dropped else reply

    def _spelt(self, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """The body's fields, those refused by one name under the other."""
        for name, value in body.items():
            yield _RENAMED.get(name, name) if self._refuses(name, value) else name, value

    def _refuses(self, name: str, value: Json) -> bool:
        return _remembered(name, value) in self._refused

    async def _post(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """One attempt. Raises Refusal, or UnusableReplyError for a body that is no JSON object."""
        rest = {key: value for key, value in body.items() if key not in ("model", "messages")}
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                model=body["model"],
                messages=cast("list[ChatCompletionMessageParam]", body["messages"]),
                extra_body=rest,
            )
        except openai.APIStatusError as error:
            raise refusal(error.status_code, error.body, error.response.headers, error.message) from None
        except openai.APITimeoutError:
            raise Refusal(None, f"no reply within {self._alias.transport.timeout_s:g} s") from None
        except openai.APIConnectionError as error:
            raise Refusal(None, f"no connection: {error.__cause__ or error}") from None
        completion = parse_body(self._without_key(raw.content.decode("utf-8-sig", errors="replace")))
        if "choices" not in completion and completion.get("error"):
            code = completion["error"].get("code") if isinstance(completion["error"], dict) else None
            raise refusal(code if isinstance(code, int) else 500, completion, {}, "an error without a sentence")
        return completion

    def _without_key(self, said: str) -> str:
        """A body as it may be recorded: some endpoints and proxies repeat the request's headers."""
        key = self._key.get_secret_value() if self._key is not None else ""
        if len(key) >= _SECRET_CHARS:
            for spelling in (key, key.replace("/", r"\/")):
                said = said.replace(spelling, "***")
        return said

    def _scrubbed(self, sentence: str) -> str:
        """One line of what an endpoint said. The key goes before the rest is cut, or a piece of it would stay."""
        if self._key is not None:
            sentence = sentence.replace(self._key.get_secret_value(), "***")
        return clean(" ".join(sentence.split())[:_SENTENCE_CHARS])


class _Client(openai.AsyncOpenAI):
    """The library's client without what it reads from a vendor's variables.

    OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS (a key may be in it) are meant for one address; this
    client goes to any. Key and base URL are given to it always, so that it looks for neither.
    """

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "driftdesk"}


def _remembered(name: str, value: Json) -> _Refused:
    """What a refusal is remembered by: the name. Of `tool_choice` the value too: many servers take only some."""
    return name, canonical.digest(value) if name == "tool_choice" else ""


def _direct() -> openai.DefaultAsyncHttpxClient:
    """For this machine itself: a proxy from the environment must not see what goes there."""
    return openai.DefaultAsyncHttpxClient(trust_env=False, verify=_certificates())


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()
