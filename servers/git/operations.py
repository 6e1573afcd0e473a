"""Git's tools: what the company's repositories are, and the pack that clones and reads them without a shell.

git_log, git_show and git_diff read the agent's clone and nothing newer, as git itself does: to see what happened since,
one clones into the same place again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field

from envs.clock import format_instant
from envs.errors import OperationError
from servers.entities import folded, shown
from servers.files.text import MOST_BYTES, decoded, lines_of, window
from servers.git.clones import Clone
from servers.git.repository import EMPTY_TREE, BareRepository, Commit
from servers.git.results import CloneResult, Difference, Log, Repositories, Shown, brief, detail, tag_result
from servers.git.view import GitView, checked_path, find_clone, find_commit, find_remote, new_directory
from servers.instants import instant_bound
from servers.operation import Operation
from servers.paging import Limit, page

_MOST_CLONES = 32
_MOST_LINES = 2000

Cloned = Annotated[str, Field(description="a repository that you have cloned, or the clone's directory")]
Ref = Annotated[str, Field(description="a branch, a tag or a commit's hash; HEAD is the default branch")]
Offset = Annotated[int, Field(description="how many lines to leave out at the beginning")]
Lines = Annotated[int, Field(description="how many lines at most")]


def list_remote_git_repositories(view: GitView) -> Repositories:
    """Every Git repository of the company with clone URL, branches and the default branch's head."""
    result: Repositories = {"repositories": []}
    for remote in view.remotes.values():
        bare = remote.open().bare
        default = remote.repository.default_branch
        head = bare.resolve(f"refs/heads/{default}")
        result["repositories"].append(
            {
                "name": remote.name,
                "description": remote.repository.description,
                "clone_url": remote.url,
                "default_branch": default,
                "head": None if head is None else brief(bare.commit(head)),
                "commit_count": 0 if head is None else bare.count(head),
                "branches": bare.branches(),
            }
        )
    if not view.remotes:
        result["note"] = f"no repositories as of {format_instant(view.now)}"
    return result


def clone_repository(
    view: GitView,
    repository: Annotated[str, Field(description="name or clone URL")],
    directory: Annotated[str | None, Field(description="where to put it in your own directory; default: name")] = None,
    ref: Annotated[str | None, Field(description="what to check out; the default branch where left out")] = None,
) -> CloneResult:
    """Clones a repository into your own directory, where its files can be listed, read and searched.

    A clone stays as it is. To bring one up to date, clone the same repository into the same place again.
    """
    remote = find_remote(view, repository)
    place = new_directory(view, remote.name if directory is None else directory)
    earlier = view.clones.by_directory.get(place)
    _check_place(view, place, earlier, remote.name)
    bare = remote.open().bare
    chosen = remote.repository.default_branch if ref is None else ref
    sha = bare.resolve(f"refs/heads/{chosen}") if ref is None else find_commit(bare, chosen)
    changed = view.clones.put(Clone(place, remote.name, bare, chosen, sha, view.now))
    done = "cloned" if earlier is None else f"fetched over the clone of {format_instant(earlier.time)}"
    return {
        "repository": remote.name,
        "directory": place,
        "ref": chosen,
        "head": None if sha is None else brief(bare.commit(sha)),
        "fetched": earlier is not None,
        "previous": None if earlier is None else earlier.sha,
        "changed_files": changed,
        "branches": bare.branches(),
        "tags": bare.tags(),
        "note": f"{done} as of {format_instant(view.now)}; clone into the same place again for what comes later",
    }


def git_log(
    view: GitView,
    repository: Cloned,
    ref: Ref = "HEAD",
    path: Annotated[str | None, Field(description="only commits that changed this file or directory")] = None,
    author: Annotated[str | None, Field(description="a part of the author's name or e-mail")] = None,
    since: Annotated[str | None, Field(description="made at or after this day or instant, UTC")] = None,
    until: Annotated[str | None, Field(description="made before this day or instant, UTC")] = None,
    limit: Limit = 50,
    after_id: Annotated[
        str | None, Field(description="hash of a commit: go on after it; pass the last result's next_after_id")
    ] = None,
) -> Log:
    """The commits of your clone that lead to a ref, newest first.

    While has_more is true, call again with the same arguments and after_id set to next_after_id.
    """
    clone = find_clone(view, repository)
    sha = _commit_of(clone, ref)
    limited = None if path is None else checked_path(path)
    commits = _chosen(clone.bare.log(sha, limited) if sha is not None else (), author, since, until)
    start = 0 if after_id is None else _index(commits, after_id) + 1
    chosen, more, limit_applied = page(commits, start, limit)
    result: Log = {
        "directory": clone.directory,
        "as_of": format_instant(clone.time),
        "commits": [brief(commit) for commit in chosen],
        "has_more": more,
        "next_after_id": chosen[-1].sha if more else None,
    }
    if limit_applied is not None:
        result["limit_applied"] = limit_applied
    if not chosen:
        result["note"] = f"no such commit in the clone, which is as of {format_instant(clone.time)}"
    return result


def git_show(
    view: GitView,
    repository: Cloned,
    ref: Ref = "HEAD",
    path: Annotated[str | None, Field(description="show this file or directory as it is there, not the patch")] = None,
    offset: Offset = 0,
    limit: Lines = _MOST_LINES,
) -> Shown:
    """A commit of your clone with message and patch against its first parent; or a file at that commit.

    While truncated is true, call again with offset set to next_offset.
    """
    clone = find_clone(view, repository)
    commit = clone.bare.commit(_existing(clone, ref))
    if path is None:
        text = clone.bare.patch(commit.parents[0] if commit.parents else EMPTY_TREE, commit.sha)
    else:
        path = checked_path(path)
        text = _content(clone.bare, commit, path)
    lines = lines_of(text)
    chosen = window(lines, offset, limit)
    after = offset + len(chosen)
    result: Shown = {
        "directory": clone.directory,
        "as_of": format_instant(clone.time),
        "tag": tag_result(clone.bare.tag(ref.strip())),
        "commit": detail(commit),
        "path": path,
        "content": "".join(chosen),
        "start_line": offset + 1,
        "total_lines": len(lines),
        "truncated": after < len(lines),
        "next_offset": after if after < len(lines) else None,
    }
    if not lines:
        result["note"] = "the commit changes nothing" if path is None else "it is empty"
    return result


def git_diff(
    view: GitView,
    repository: Cloned,
    base: Ref,
    target: Ref,
    path: Annotated[str | None, Field(description="only this file or directory")] = None,
    offset: Offset = 0,
    limit: Lines = _MOST_LINES,
) -> Difference:
    """How one ref of your clone differs from another: a summary line for each file, then the patch.

    While truncated is true, call again with offset set to next_offset.
    """
    clone = find_clone(view, repository)
    first, second = _existing(clone, base), _existing(clone, target)
    lines = lines_of(clone.bare.patch(first, second, None if path is None else checked_path(path)))
    chosen = window(lines, offset, limit)
    after = offset + len(chosen)
    result: Difference = {
        "directory": clone.directory,
        "as_of": format_instant(clone.time),
        "base": brief(clone.bare.commit(first)),
        "target": brief(clone.bare.commit(second)),
        "content": "".join(chosen),
        "start_line": offset + 1,
        "total_lines": len(lines),
        "truncated": after < len(lines),
        "next_offset": after if after < len(lines) else None,
    }
    if not lines:
        result["note"] = "no difference"
    return result


OPERATIONS: Sequence[Operation[GitView]] = (
    Operation("git.list_remote_git_repositories", list_remote_git_repositories, reads=True),
)

_READING: Sequence[Callable[..., Log | Shown | Difference]] = (git_log, git_show, git_diff)
READ_PACK: Sequence[Operation[GitView]] = (
    Operation("git.clone_repository", clone_repository, reads=True, writes=True),
    *(Operation(f"git.{function.__name__}", function, reads=True) for function in _READING),
)
"""The pack `git-read`."""


def _check_place(view: GitView, place: str, earlier: Clone | None, repository: str) -> None:
    """Raises OperationError: name_taken for what isn't this repository's clone nor empty, too_large."""
    if earlier is None and len(view.clones.by_directory) >= _MOST_CLONES:
        message = f"there are {_MOST_CLONES} clones already, which is the most"
        raise OperationError("too_large", message, hint="clone into a directory that you have cloned into before")
    path = os.path.join(view.clones.home.root, place.encode())
    taken = os.path.lexists(path) and not (os.path.isdir(path) and not os.listdir(path))
    if (earlier is None and taken) or (earlier is not None and earlier.repository != repository):
        raise OperationError(
            "name_taken", f"{shown(place)!r} is there already and is not empty", hint="name another directory"
        )


def _commit_of(clone: Clone, ref: str) -> str | None:
    """The commit named; None for the HEAD of a repository that has no commit."""
    if folded(ref) in ("head", "@"):
        return clone.sha
    return find_commit(clone.bare, ref)


def _existing(clone: Clone, ref: str) -> str:
    sha = _commit_of(clone, ref)
    return find_commit(clone.bare, ref) if sha is None else sha


def _chosen(commits: Sequence[Commit], author: str | None, since: str | None, until: str | None) -> Sequence[Commit]:
    earliest = "" if since is None else instant_bound("since", since)
    end = None if until is None else instant_bound("until", until)
    wanted = folded(author or "")
    return [
        commit
        for commit in commits
        if wanted in folded(commit.author) and commit.time >= earliest and (end is None or commit.time < end)
    ]


def _index(commits: Sequence[Commit], sha: str) -> int:
    for index, commit in enumerate(commits):
        if commit.sha == folded(sha):
            return index
    message = f"{shown(sha)!r} is none of these commits"
    raise OperationError("ref_not_found", message, hint="leave after_id out to begin at the newest")


def _content(bare: BareRepository, commit: Commit, path: str) -> str:
    """The text of a file, the names in a directory (one a line, directories with a slash).

    Raises OperationError: path_not_found, invalid_arguments for a binary file, too_large.
    """
    entry = bare.entry(commit.sha, path)
    if entry is None:
        raise OperationError("path_not_found", f"there is no {shown(path)!r} in {commit.sha[:12]}")
    if entry.kind == "tree":
        inside = bare.tree(entry.sha, deep=False)
        return "".join(f"{each.path}{'/' if each.kind == 'tree' else ''}\n" for each in inside)
    (content,) = bare.blobs([entry.sha])
    if len(content) > MOST_BYTES:
        raise OperationError("too_large", f"{shown(path)!r} has more than {MOST_BYTES} bytes")
    text = decoded(content)
    if text is None:
        raise OperationError("invalid_arguments", f"{shown(path)!r} is a binary file and can't be read as text")
    return text
