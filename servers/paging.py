"""Forward keyset paging: ascending order, an exclusive lower bound, no totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Generic, NamedTuple, TypeVar

from pydantic import Field

from envs.errors import OperationError

T = TypeVar("T")

MOST = 200

Limit = Annotated[int, Field(description=f"how many at most, 1 to {MOST}; a larger number counts as {MOST}")]


class Page(NamedTuple, Generic[T]):
    """`more`: something follows. `limit_applied`: the limit used, where the one asked for was above the most."""

    entries: Sequence[T]
    more: bool
    limit_applied: int | None


def page(entries: Sequence[T], start: int, limit: int) -> Page[T]:
    """At most `limit` entries from index `start` on. Raises OperationError: invalid_limit."""
    if limit < 1:
        raise OperationError("invalid_limit", f"`limit` must be between 1 and {MOST}")
    size = min(limit, MOST)
    return Page(entries[start : start + size], start + size < len(entries), size if limit > MOST else None)
