"""Why an endpoint did not answer a request, and what that calls for: again, without a parameter, or an end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from envs import wall

_OVERFLOW = re.compile(
    r"context[ _]length|context[ _]window|context size|maximum context|max_model_len|prompt is too long"
    r"|exceeds? the (?:model's )?maximum (?:input|prompt|number of)|input token count|too many (?:input )?tokens",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|does(?: not|n't) support|unknown|unrecognized|unexpected|not permitted|not allowed"
    r"|cannot find field|no such field|deprecated",
    re.IGNORECASE,
)
_FILTERED = frozenset({"content_filter", "content_policy_violation"})
_MALFORMED = frozenset({"tool_use_failed", "json_validate_failed"})
_UNPARSED = re.compile(r"Failed to parse input\b[^:]*:?\s*")
"""llama.cpp's sentence before the text in which it found a tool call that it can't read."""

_NEEDED = frozenset({"model", "messages"})


@dataclass(slots=True)
class Refusal(Exception):
    """`status` is None where no response came at all. `retry_after`: seconds that the endpoint asks to wait.

    `generated`: what the model had said, where the endpoint tells.
    """

    status: int | None
    message: str
    code: str = ""
    parameter: str = ""
    retry_after: float | None = None
    generated: str = ""

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed later. A spent quota may not."""
        if self.code in ("insufficient_quota", "billing_hard_limit_reached"):
            return False
        return self.status is None or self.status in (408, 409, 425, 429) or self.status >= 500

    @property
    def rate_limited(self) -> bool:
        return self.status == 429

    @property
    def finish(self) -> str | None:
        """The recorded `finish_reason` where this is the model's own end, or None: the endpoint failed."""
        if self.code in _FILTERED:
            return "content_filter"
        if self.code in _MALFORMED or self.generated:
            return "malformed_call"
        return "overflow" if self.overflow else None

    @property
    def overflow(self) -> bool:
        """The prompt is longer than the model's window."""
        if self.status not in (400, 413, 422):
            return False
        return self.code in ("context_length_exceeded", "exceed_context_size_error") or bool(
            _OVERFLOW.search(self.message)
        )

    def unsupported(self, sent: Iterable[str]) -> str | None:
        """The parameter among those `sent` that this endpoint doesn't take, or None where the refusal isn't that."""
        if self.status not in (400, 422):
            return None
        if not self.code.startswith(("unsupported", "unknown_parameter")) and not _UNSUPPORTED.search(self.message):
            return None
        names = [name for name in sent if name not in _NEEDED]
        if self.parameter in names:
            return self.parameter
        return next((name for name in names if re.search(rf"\b{re.escape(name)}\b", self.message)), None)


def refusal(status: int | None, body: Any, headers: Mapping[str, str], fallback: str) -> Refusal:
    """Reads the shapes that error bodies have: `{"error": {...}}`, a list of those, `{"detail": ...}`, plain text."""
    inner = body[0] if isinstance(body, list) and body else body
    if isinstance(inner, Mapping) and isinstance(inner.get("error"), Mapping | str):
        inner = inner["error"]
    if not isinstance(inner, Mapping):
        return Refusal(status, str(inner or fallback), retry_after=_retry_after(headers))
    message = str(inner.get("message") or inner.get("detail") or fallback)
    generated = inner.get("failed_generation")
    if not isinstance(generated, str):
        unparsed = _UNPARSED.match(message) if status == 500 else None
        generated = message[unparsed.end() :] or message if unparsed else ""
    return Refusal(
        status,
        message,
        code=str(inner.get("code") if isinstance(inner.get("code"), str) else inner.get("type") or ""),
        parameter=str(inner.get("param") or ""),
        retry_after=_retry_after(headers),
        generated=generated,
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - wall.now()).total_seconds())
    except (ValueError, TypeError):
        return None
