"""Pull requests: they stand where the repository is hosted, and are read there as of now, without a clone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from envs.clock import format_instant
from envs.errors import OperationError
from scenarios.git_pulls import PullRequest
from servers.entities import folded, shown
from servers.files.text import lines_of, window
from servers.git.view import GitView, Remote, find_remote
from servers.operation import Operation
from servers.paging import Limit, page

_STATES = ("open", "merged", "closed")
_MOST_LINES = 2000

Hosted = Annotated[str, Field(description="name or clone URL of a repository")]


class PullResult(TypedDict):
    """`author` and others by their handles. `source`, `into`: branches. `ended_at`: when it was merged or closed."""

    number: int
    title: str
    state: str
    author: str
    source: str
    into: str
    opened_at: str
    ended_at: str | None


class PullPage(TypedDict):
    """`note` says what was looked for where nothing was found."""

    repository: str
    pull_requests: list[PullResult]
    has_more: bool
    next_after_id: int | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class ReviewResult(TypedDict):
    time: str
    author: str
    verdict: str
    body: str


class PullCommentResult(TypedDict):
    """`path`, `line`: the place in the changed files that it is about."""

    time: str
    author: str
    body: str
    path: str | None
    line: int | None


class PullDetail(TypedDict):
    """`head`: the last commit of its source. `merge`: the commit that merged it. `content`: its changes, a page."""

    repository: str
    pull_request: PullResult
    body: str
    ended_by: str | None
    head: str
    merge: str | None
    reviews: list[ReviewResult]
    comments: list[PullCommentResult]
    content: str
    start_line: int
    total_lines: int
    truncated: bool
    next_offset: int | None


def list_pull_requests(
    view: GitView,
    repository: Hosted,
    state: Annotated[str | None, Field(description="open, merged or closed; all where left out")] = None,
    limit: Limit = 50,
    after_id: Annotated[int | None, Field(description="only ones opened after the one with this number")] = None,
) -> PullPage:
    """A repository's pull requests in the order in which they were opened, as they stand now.

    While has_more is true, call again with after_id set to next_after_id. Reviews, comments and changes are on each.
    """
    remote = find_remote(view, repository)
    wanted = None if state is None else folded(state)
    if wanted is not None and wanted not in _STATES:
        message = f"{shown(state or '')!r} is no state of a pull request"
        raise OperationError("invalid_arguments", message, hint=f"one of {', '.join(_STATES)}")
    pulls = list(_pulls(remote))
    start = 0 if after_id is None else pulls.index(_find(remote, after_id)) + 1
    chosen, more, limit_applied = page([pull for pull in pulls[start:] if wanted in (None, pull.state)], 0, limit)
    result: PullPage = {
        "repository": remote.name,
        "pull_requests": [_result(pull) for pull in chosen],
        "has_more": more,
        "next_after_id": chosen[-1].number if more else None,
    }
    if limit_applied is not None:
        result["limit_applied"] = limit_applied
    if not chosen:
        result["note"] = f"no such pull requests as of {format_instant(view.now)}"
    return result


def get_pull_request(
    view: GitView,
    repository: Hosted,
    number: Annotated[int, Field(description="the number of the pull request")],
    offset: Annotated[int, Field(description="how many lines of its changes to leave out at the beginning")] = 0,
    limit: Annotated[int, Field(description="how many lines of its changes at most")] = _MOST_LINES,
) -> PullDetail:
    """One pull request as it stands now: text, reviews, comments, and its changes as a patch.

    While truncated is true, call again with offset set to next_offset.
    """
    remote = find_remote(view, repository)
    pull = _find(remote, number)
    lines = lines_of(_patch(remote, pull))
    chosen = window(lines, offset, limit)
    after = offset + len(chosen)
    return {
        "repository": remote.name,
        "pull_request": _result(pull),
        "body": pull.body,
        "ended_by": pull.ended_by,
        "head": _hash(remote, pull.head),
        "merge": None if pull.merge is None else _hash(remote, pull.merge),
        "reviews": [
            {"time": format_instant(each.time), "author": each.by, "verdict": each.verdict, "body": each.body}
            for each in pull.reviews
        ],
        "comments": [
            {
                "time": format_instant(each.time),
                "author": each.by,
                "body": each.body,
                "path": each.path,
                "line": each.line,
            }
            for each in pull.comments
        ],
        "content": "".join(chosen),
        "start_line": offset + 1,
        "total_lines": len(lines),
        "truncated": after < len(lines),
        "next_offset": after if after < len(lines) else None,
    }


PULLS: Sequence[Operation[GitView]] = tuple(
    Operation(f"git.{function.__name__}", function, reads=True) for function in (list_pull_requests, get_pull_request)
)


def _pulls(remote: Remote) -> Sequence[PullRequest]:
    return () if remote.state is None else tuple(remote.state.pulls.values())


def _find(remote: Remote, number: int) -> PullRequest:
    for pull in _pulls(remote):
        if pull.number == number:
            return pull
    message = f"{remote.name} has no pull request {number}"
    raise OperationError("pull_request_not_found", message, hint="list_pull_requests names them")


def _patch(remote: Remote, pull: PullRequest) -> str:
    """From the merge base to the head, as of the end where the pull request is not open."""
    base = remote.stream.bases(pull.target, pull.head)[0]
    return remote.open().bare.patch(_hash(remote, base), _hash(remote, pull.head))


def _hash(remote: Remote, commit: str) -> str:
    return remote.open().hashes()[remote.stream.mark(commit)]


def _result(pull: PullRequest) -> PullResult:
    return {
        "number": pull.number,
        "title": pull.title,
        "state": pull.state,
        "author": pull.by,
        "source": pull.source,
        "into": pull.into,
        "opened_at": format_instant(pull.opened),
        "ended_at": None if pull.ended is None else format_instant(pull.ended),
    }
