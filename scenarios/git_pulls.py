"""Pull requests as they stand at an instant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Verdict = Literal["approve", "request_changes", "comment"]


@dataclass(frozen=True, slots=True)
class Review:
    """`id`: that of its event."""

    id: str
    by: str
    time: datetime
    verdict: Verdict
    body: str


@dataclass(frozen=True, slots=True)
class PullComment:
    """`id`: that of its event. `path`, `line`: the place in the changed files that it is about, if any."""

    id: str
    by: str
    time: datetime
    body: str
    path: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class PullRequest:
    """`source` and `into`: its branches. `head` and `target`: their commits, as of the end where it is not open.

    Its changes are those from the merge base of `target` and `head` to `head`. `merge`: the commit that merged it.
    """

    number: int
    title: str
    body: str
    by: str
    opened: datetime
    source: str
    into: str
    head: str
    target: str
    state: Literal["open", "merged", "closed"] = "open"
    reviews: tuple[Review, ...] = ()
    comments: tuple[PullComment, ...] = ()
    merge: str | None = None
    ended: datetime | None = None
    ended_by: str | None = None
