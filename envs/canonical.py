"""Canonical JSON and the hashes made from it: one spelling of a value, so that bytes can be compared."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

_SORTED = orjson.OPT_SORT_KEYS


def dumps(value: Any) -> bytes:
    """Compact JSON with sorted keys, UTF-8.

    Raises TypeError for what JSON can't hold (lone surrogates, integers beyond 64 bits, non-text keys). NaN and
    infinities become null, as orjson writes them.
    """
    return orjson.dumps(value, option=_SORTED)


def digest(value: Any) -> str:
    """The first 16 hex digits of the SHA-256 of the canonical JSON of `value`."""
    return hashlib.sha256(dumps(value)).hexdigest()[:16]


def seed(*parts: str | int) -> int:
    """A 31-bit seed from its parts, the same on every machine (Python's own hash is salted per process)."""
    return int.from_bytes(hashlib.sha256(dumps(list(parts))).digest()[:4], "big") & 0x7FFFFFFF
