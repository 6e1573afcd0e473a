"""Reading one bare repository that never changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from envs.clock import format_instant
from servers.git.command import git, git_or_none
from servers.git.remembered import Remembered

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_REMOTE = "origin/"
_REMEMBERED = Remembered(32 * 1024 * 1024)
# `-` first: an option; `^` first: all but that. `@{`: a reflog. `:`: a path or a search. `^{`: a search or a type.
# `..`: a range. Git's own rules keep the rest out of names.
_NO_REVISION = re.compile(r"\A[-^]|@\{|:|\^\{|\.\.|[\x00-\x20\x7f*?\[\\]")
_TAG_FORMAT = (
    "--format=%(refname)%00%(objecttype)%00%(taggername)%00%(taggeremail)%00%(taggerdate:unix)%00%(contents)%00"
)
_FORMAT = "--format=%H%x00%P%x00%an <%ae>%x00%at%x00%s%x00%B"


class Commit(NamedTuple):
    """`author` as `Name <email>`, `time` in the form in which results show it, `message` whole."""

    sha: str
    parents: tuple[str, ...]
    author: str
    time: str
    subject: str
    message: str


class TagNote(NamedTuple):
    """What an annotated tag says; `author` and `time` as in Commit."""

    name: str
    author: str
    time: str
    message: str


class Entry(NamedTuple):
    """One entry of a tree; `kind` is blob or tree, `path` from the top."""

    mode: str
    kind: str
    sha: str
    path: str


@dataclass(frozen=True, slots=True)
class BareRepository:
    """`path` on the host, which no result may hold."""

    path: str

    def resolve(self, ref: str) -> str | None:
        """The commit that a branch, a tag, `origin/` and a branch, or (the beginning of) a hash names, with `~` and
        `^`; None where there is none, or where no branch and no tag leads to it, since a clone would not have it."""
        if _NO_REVISION.search(ref):
            return None
        for name in dict.fromkeys((ref, ref.removeprefix(_REMOTE))):
            asked = (self.path, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
            told = _REMEMBERED.get(asked, partial(git_or_none, *asked))
            if told is not None:
                sha = told.decode().strip()
                return sha if self._read("for-each-ref", "--count=1", "--contains", sha) else None
        return None

    def branches(self) -> list[str]:
        return self._names("refs/heads/")

    def tags(self) -> list[str]:
        return self._names("refs/tags/")

    def _names(self, prefix: str) -> list[str]:
        told = self._read("for-each-ref", "--format=%(refname)", prefix).decode()
        return [line.removeprefix(prefix) for line in told.splitlines()]

    def tag(self, name: str) -> TagNote | None:
        """The annotated tag of that name, None: there is none, or one without a message."""
        ref = f"refs/tags/{name}"
        if _NO_REVISION.search(name):
            return None
        for record in self._read("for-each-ref", _TAG_FORMAT, ref).decode("utf-8", "replace").split("\0\n"):
            fields = record.split("\0")
            if fields[0] == ref and fields[1] == "tag":
                _, _, author, email, second, message = fields
                return TagNote(name, f"{author} {email}", _time(second), message.rstrip("\n"))
        return None

    def commit(self, sha: str) -> Commit:
        return self._commits("--no-walk", sha)[0]

    def log(self, sha: str, path: str | None = None) -> Sequence[Commit]:
        """The commits that lead to `sha`, it first; only those that changed `path`, where it is given."""
        return self._commits(sha, *(() if path is None else ("--", path)))

    def count(self, sha: str) -> int:
        """How many commits lead to `sha`, itself included."""
        return int(self._read("rev-list", "--count", sha))

    def _commits(self, *arguments: str) -> Sequence[Commit]:
        told = self._read("log", "-z", "--encoding=UTF-8", "--no-show-signature", _FORMAT, *arguments)
        fields = told.decode("utf-8", "replace").split("\0")
        return [_commit(fields[start : start + 6]) for start in range(0, len(fields) - 5, 6)]

    def entry(self, sha: str, path: str) -> Entry | None:
        """What stands at a path in a commit's tree, None: nothing."""
        return next(iter(self._entries("ls-tree", "-z", "--full-tree", sha, "--", path)), None)

    def tree(self, sha: str, *, deep: bool) -> list[Entry]:
        """The entries of a commit or a tree; `deep`: all files below it, and no trees."""
        return list(self._entries("ls-tree", "-z", "--full-tree", *(("-r",) if deep else ()), sha))

    def _entries(self, *arguments: str) -> Iterator[Entry]:
        for record in self._read(*arguments).split(b"\0")[:-1]:
            about, _, path = record.partition(b"\t")
            mode, kind, sha = about.decode().split()
            yield Entry(mode, kind, sha, path.decode("utf-8", "replace"))

    def blobs(self, hashes: Sequence[str]) -> list[bytes]:
        """The contents of blobs, in their order."""
        told = git(self.path, "cat-file", "--batch", given="".join(f"{sha}\n" for sha in hashes).encode())
        contents = []
        place = 0
        for _ in hashes:
            end = told.index(b"\n", place)
            size = int(told[place:end].split()[2])
            contents.append(told[end + 1 : end + 1 + size])
            place = end + 1 + size + 1
        return contents

    def patch(self, base: str, target: str, path: str | None = None) -> str:
        """How `target` differs from `base` (both commits, or EMPTY_TREE): a summary line a file, then the patch."""
        limited = () if path is None else ("--", path)
        told = self._read("diff-tree", "-r", "-M", *_PATCH, "--end-of-options", base, target, *limited)
        return told.decode("utf-8", "replace")

    def _read(self, *arguments: str) -> bytes:
        asked = (self.path, *arguments)
        return _REMEMBERED.get(asked, partial(git, *asked)) or b""


_PATCH = (
    "--patch-with-stat",
    "--stat=200,160",
    "--abbrev=12",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)


def _commit(fields: Sequence[str]) -> Commit:
    sha, parents, author, second, subject, message = fields
    return Commit(sha.strip(), tuple(parents.split()), author, _time(second), subject, message.rstrip("\n"))


def _time(second: str) -> str:
    return format_instant(datetime.fromtimestamp(int(second), UTC))
