"""What a scenario file says of Git: the company's repositories and what happens in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Discriminator, Field, StrictInt, StrictStr, StringConstraints, Tag

from scenarios.git_names import contained_path, legal_ref
from scenarios.part import Part
from scenarios.scalars import REPOSITORY_NAME, Handle, Text

RepositoryName = Annotated[str, StringConstraints(strict=True, pattern=REPOSITORY_NAME)]
Branch = Annotated[StrictStr, AfterValidator(legal_ref)]
"""A legal ref name."""
FilePath = Annotated[StrictStr, AfterValidator(contained_path)]
"""Relative, with slashes; no empty, `.`, `..` or `.git` part."""
Mode = Literal["100644", "100755", "120000"]
"""A file, an executable file, a symbolic link (whose text is its target)."""
ORDINARY: Mode = "100644"
LINK: Mode = "120000"
PullNumber = Annotated[StrictInt, Field(ge=1)]


class Repository(Part):
    name: RepositoryName
    description: str = ""
    default_branch: Branch = "main"


class Git(Part):
    repositories: tuple[Repository, ...] = ()


class FileContent(Part):
    """One file as written: `text` here, or the file `source` beside the scenario (key `from`); exactly one."""

    text: str | None = None
    source: Text | None = Field(default=None, alias="from")
    mode: Mode = ORDINARY


Content = Annotated[
    Annotated[StrictStr, Tag("text")] | Annotated[FileContent, Tag("file")],
    Discriminator(lambda value: "file" if isinstance(value, dict | FileContent) else "text"),
]
"""The whole text of an ordinary file, or a FileContent."""


class GitPart(Part):
    """What every event of Git says: in which repository it happens, and who does it."""

    repo: RepositoryName
    by: Handle


class GitCommit(GitPart):
    """One commit on `branch` (the default branch where it is left out). The first on a new repository is its root.

    `write`: path -> the whole text, or a FileContent. `rename`: old path -> new path, before anything is written.
    """

    message: Text
    branch: Branch | None = None
    write: Mapping[FilePath, Content] = Field(default_factory=dict)
    delete: tuple[FilePath, ...] = ()
    rename: Mapping[FilePath, FilePath] = Field(default_factory=dict)


class GitBranch(GitPart):
    """A new branch at `start`: a branch, or the id of a commit or merge event (the default branch where left out)."""

    branch: Branch
    start: Branch | None = None


class GitDeleteBranch(GitPart):
    branch: Branch


class GitForcePush(GitPart):
    """Moves `branch` to another commit, `to`: a branch, or the id of a commit or merge event."""

    branch: Branch
    to: Branch


class GitMerge(GitPart):
    """Merges `source` into `branch` with a merge commit. Paths that both changed must be in `write` or `delete`."""

    source: Branch
    branch: Branch | None = None
    message: Text | None = None
    write: Mapping[FilePath, Content] = Field(default_factory=dict)
    delete: tuple[FilePath, ...] = ()


class GitTag(GitPart):
    """A tag at `target` (the default branch where left out); annotated where it has a `message`."""

    tag: Branch
    target: Branch | None = None
    message: Text | None = None


class GitPullOpen(GitPart):
    number: PullNumber
    source: Branch
    title: Text
    body: str = ""
    into: Branch | None = None


class GitPullReview(GitPart):
    number: PullNumber
    verdict: Literal["approve", "request_changes", "comment"]
    body: str = ""


class GitPullComment(GitPart):
    number: PullNumber
    body: Text
    path: FilePath | None = None
    line: Annotated[StrictInt, Field(ge=1)] | None = None


class GitPullMerge(GitPart):
    """Merges the pull request's source into its target, as GitMerge does."""

    number: PullNumber
    message: Text | None = None


class GitPullClose(GitPart):
    number: PullNumber


GIT_EVENTS: dict[str, type[Part]] = {
    "git.commit": GitCommit,
    "git.branch": GitBranch,
    "git.delete_branch": GitDeleteBranch,
    "git.force_push": GitForcePush,
    "git.merge": GitMerge,
    "git.tag": GitTag,
    "git.open_pull": GitPullOpen,
    "git.review_pull": GitPullReview,
    "git.comment_pull": GitPullComment,
    "git.merge_pull": GitPullMerge,
    "git.close_pull": GitPullClose,
}
"""Key in a timeline entry -> its payload. After loading, no FileContent has `from`: its text has been read."""
