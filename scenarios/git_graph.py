"""Commits and how they descend from one another."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from scenarios.git_tree import Tree


@dataclass(frozen=True, slots=True)
class Commit:
    """`id`: that of the event that made it. `place`: its number in the repository, from 0, after all its parents'.

    `by`: the author's handle. The first parent is what the branch was at before.
    """

    id: str
    place: int
    parents: tuple[str, ...]
    tree: Tree
    by: str
    time: datetime
    message: str


def reachable(commits: Mapping[str, Commit], heads: Iterable[str]) -> list[Commit]:
    """The commits `heads` and everything before them, parents first."""
    seen: dict[str, Commit] = {}
    pending = list(heads)
    while pending:
        commit = commits[pending.pop()]
        if commit.id not in seen:
            seen[commit.id] = commit
            pending += commit.parents
    return sorted(seen.values(), key=lambda commit: commit.place)


def merge_bases(commits: Mapping[str, Commit], one: str, other: str) -> tuple[str, ...]:
    """The best common ancestors of two commits, the latest first; a commit is an ancestor of itself.

    Walks back in the order of places, so that only what came after the bases is looked at.
    """
    left, right, stale = 1, 2, 4
    marks = {one: left}
    marks[other] = marks.get(other, 0) | right
    pending = [(-commits[commit].place, commit) for commit in marks]
    heapq.heapify(pending)
    bases: list[str] = []
    while any(not marks[commit] & stale for _, commit in pending):
        _, commit = heapq.heappop(pending)
        mark = marks[commit]
        if mark == left | right:
            bases.append(commit)
            mark |= stale
        for parent in commits[commit].parents:
            if parent not in marks:
                heapq.heappush(pending, (-commits[parent].place, parent))
            marks[parent] = marks.get(parent, 0) | mark
    return tuple(bases)


def is_ancestor(commits: Mapping[str, Commit], ancestor: str, commit: str) -> bool:
    """Whether `commit` is `ancestor` or came after it."""
    return merge_bases(commits, ancestor, commit) == (ancestor,)
