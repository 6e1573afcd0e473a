"""What the Git tools answer: the result types, keys in the order in which they are sent."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from servers.git.repository import Commit, TagNote


class CommitBrief(TypedDict):
    """`author` as `Name <email>`; `subject`: the first paragraph of the message on one line."""

    sha: str
    author: str
    time: str
    subject: str


class CommitDetail(TypedDict):
    sha: str
    author: str
    time: str
    parents: list[str]
    message: str


class TagResult(TypedDict):
    name: str
    author: str
    time: str
    message: str


class RepositoryResult(TypedDict):
    """`head`: the default branch's last commit, null before the first; `commit_count`: how many lead to it."""

    name: str
    description: str
    clone_url: str
    default_branch: str
    head: CommitBrief | None
    commit_count: int
    branches: list[str]


class Repositories(TypedDict):
    repositories: list[RepositoryResult]
    note: NotRequired[str]


class CloneResult(TypedDict):
    """`fetched`: a clone was there before, of the commit `previous`. `changed_files`: written or removed."""

    repository: str
    directory: str
    ref: str
    head: CommitBrief | None
    fetched: bool
    previous: str | None
    changed_files: int
    branches: list[str]
    tags: list[str]
    note: str


class Log(TypedDict):
    """`as_of`: when the clone was fetched, which is what is told. `note` says what was looked for in vain."""

    directory: str
    as_of: str
    commits: list[CommitBrief]
    has_more: bool
    next_after_id: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class Shown(TypedDict):
    """`tag`: what the ref says, where it is an annotated tag. `content`: the commit's patch, or what stands at `path`;
    a page of its lines."""

    directory: str
    as_of: str
    tag: TagResult | None
    commit: CommitDetail
    path: str | None
    content: str
    start_line: int
    total_lines: int
    truncated: bool
    next_offset: int | None
    note: NotRequired[str]


class Difference(TypedDict):
    """`base`, `target`: the commits compared. `content`: the patch from one to the other; a page of its lines."""

    directory: str
    as_of: str
    base: CommitBrief
    target: CommitBrief
    content: str
    start_line: int
    total_lines: int
    truncated: bool
    next_offset: int | None
    note: NotRequired[str]


def brief(commit: Commit) -> CommitBrief:
    return {"sha": commit.sha, "author": commit.author, "time": commit.time, "subject": commit.subject}


def detail(commit: Commit) -> CommitDetail:
    return {
        "sha": commit.sha,
        "author": commit.author,
        "time": commit.time,
        "parents": list(commit.parents),
        "message": commit.message,
    }


def tag_result(tag: TagNote | None) -> TagResult | None:
    if tag is None:
        return None
    return {"name": tag.name, "author": tag.author, "time": tag.time, "message": tag.message}
