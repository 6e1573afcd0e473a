"""What the Git tools work on, and finding what a caller names in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from envs.errors import OperationError
from scenarios.git_history import RepositoryState
from scenarios.git_names import contained_path
from scenarios.git_schema import Repository
from servers.entities import folded, nearest, not_found, shown
from servers.files.paths import display, find_new
from servers.git.building import Built
from servers.git.clones import Clone, Clones
from servers.git.repository import BareRepository
from servers.git.stream import HistoryStream


@dataclass(frozen=True, slots=True)
class Remote:
    """One repository of the company as of a time. `state`: None before its first event. `open` builds it where nobody
    has yet."""

    repository: Repository
    url: str
    state: RepositoryState | None
    stream: HistoryStream
    open: Callable[[], Built]

    @property
    def name(self) -> str:
        return self.repository.name


@dataclass(frozen=True, slots=True)
class GitView:
    """`remotes` by name as of `now`; the agent's clones, whose home has been brought up to `now`."""

    remotes: Mapping[str, Remote]
    clones: Clones
    now: datetime


def find_remote(view: GitView, text: str) -> Remote:
    """The repository named by its name or clone URL. Raises OperationError: repo_not_found."""
    name = folded(text)
    for remote in view.remotes.values():
        if name in (remote.name, f"{remote.name}.git", remote.url):
            return remote
    raise not_found("repo", text, {known: known for known in view.remotes})


def find_clone(view: GitView, text: str) -> Clone:
    """The clone named by its directory, or by its repository where that is cloned once.

    Raises OperationError: repo_not_found, not_cloned, ambiguous_name.
    """
    clone = view.clones.by_directory.get(text.strip().removeprefix("./").rstrip("/"))
    if clone is not None:
        return clone
    remote = find_remote(view, text)
    clones = view.clones.of(remote.name)
    if not clones:
        raise OperationError(
            "not_cloned", f"{remote.name} is not cloned yet", hint=f"call clone_repository with {remote.name} first"
        )
    if len(clones) > 1:
        directories = tuple(clone.directory for clone in clones)
        message = f"{shown(text)!r} is cloned more than once"
        raise OperationError("ambiguous_name", message, hint="name the directory", candidates=directories)
    return clones[0]


def find_commit(bare: BareRepository, ref: str) -> str:
    """The hash of the commit that `ref` names. Raises OperationError: ref_not_found, invalid_arguments."""
    name = ref.strip()
    if name.startswith("-"):
        raise OperationError("invalid_arguments", "a ref can't begin with a dash; it would be an option")
    sha = bare.resolve(name)
    if sha is None:
        names = {folded(known): known for known in (*bare.branches(), *bare.tags())}
        raise OperationError(
            "ref_not_found",
            f"there is no branch, tag or commit {shown(ref)!r} here",
            hint="name a branch, a tag or a commit's hash, with ~1 for the one before it; what came after the clone "
            "was made is fetched by clone_repository",
            candidates=nearest(name, names),
        )
    return sha


def checked_path(path: str) -> str:
    """A path inside a repository, from its top. Raises OperationError: invalid_arguments."""
    try:
        return contained_path(path.removeprefix("./").rstrip("/"))
    except ValueError:
        message = f"{shown(path)!r} is no path inside a repository"
        raise OperationError("invalid_arguments", message, hint="write it from the top, as in src/main.py") from None


def new_directory(view: GitView, directory: str) -> str:
    """Where a clone can be put, as its canonical path. Raises OperationError: access_denied, path_not_found,
    invalid_arguments."""
    parts = find_new(view.clones.home.root, directory)
    try:
        return contained_path(display(parts))
    except ValueError:
        message = f"{shown(directory)!r} can't hold a clone"
        raise OperationError("invalid_arguments", message, hint="name a directory below your own") from None
