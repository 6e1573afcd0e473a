"""Ids that look like the vendors' own, derived from what a thing is: never from a counter over all events."""

from __future__ import annotations

import hashlib
import re

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def vendor_id(prefix: str, *parts: str | int) -> str:
    """`prefix` and nine characters of A-Z and 0-9, the same for the same parts on every machine."""
    number = int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()[:8], "big")
    characters = []
    for _ in range(9):
        number, digit = divmod(number, len(_ALPHABET))
        characters.append(_ALPHABET[digit])
    return prefix + "".join(characters)


def slug(name: str, default: str) -> str:
    """A company's name as a part of its addresses: `Birch & Sons` is `birch-sons`."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or default
