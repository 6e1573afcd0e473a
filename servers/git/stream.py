"""A repository's history as input of `git fast-import`: one segment an event, that adds to what came before it.

Nothing but the scenario decides a byte of it: who, when and in which zone stands in every commit and tag.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from envs.clock import zone
from scenarios.git_graph import Commit
from scenarios.git_history import RepositoryHistory, RepositoryState, Tag
from scenarios.git_schema import Repository
from scenarios.git_tree import EMPTY, Blob, Tree
from scenarios.scenario import Event
from scenarios.schema import Person

SCRATCH = b"refs/driftdesk/import"
"""Where commits are made before the real refs are set; gone again at the end of each stream."""
_FIRST_TAG = 1_000_000_000
"""Marks from here on are annotated tags, those below are commits."""
_FORM = "1"
"""Another one makes other keys, so that repositories that were built differently are not taken for these."""


@dataclass(frozen=True, slots=True)
class Authors:
    """The company's people as Git writes them."""

    people: Mapping[str, Person]
    zone: ZoneInfo

    def ident(self, handle: str, time: datetime) -> bytes:
        """`Name <email> epoch offset`, in the person's own zone."""
        person = self.people[handle]
        there = time.astimezone(zone(person.zone) if person.zone else self.zone)
        offset = there.utcoffset()
        minutes = 0 if offset is None else round(offset.total_seconds() / 60)
        sign = "-" if minutes < 0 else "+"
        hours, rest = divmod(abs(minutes), 60)
        # Angle brackets would end the name; a commit's reader takes them for the e-mail's.
        name = " ".join(person.name.translate({ord("<"): " ", ord(">"): " "}).split())
        return f"{name} <{person.email}> {int(time.timestamp())} {sign}{hours:02}{rest:02}".encode()


class TagObject(NamedTuple):
    """An annotated tag by its mark, the mark of its commit, and its text from the second part on.

    Not in the stream, since a stream takes no two tags of one name.
    """

    mark: int
    commit: int
    text: bytes


class HistoryStream:
    """The segments, refs and keys of one repository, by the number of its events; `apply` takes these in order."""

    def __init__(self, repository: Repository, authors: Authors) -> None:
        self._history = RepositoryHistory(repository)
        self._states: list[RepositoryState] = []
        self._authors = authors
        self._tags: dict[Tag, int] = {}
        about = (_FORM, repository.name, repository.default_branch)
        self._keys = [hashlib.sha256("\0".join(about).encode()).hexdigest()]

    def apply(self, event: Event) -> None:
        """Takes the repository's next event."""
        self._history.apply(event)
        self._states += self._history.states[len(self._states) :]
        tag = self._made(len(self._states) - 1)
        if tag is not None and tag.message is not None:
            self._tags.setdefault(tag, _FIRST_TAG + len(self._states) - 1)

    def count_at(self, now: datetime) -> int:
        """How many of the events are not later than `now`."""
        return bisect_right(self._states, now, key=lambda state: state.time)

    def state(self, count: int) -> RepositoryState | None:
        """Branches, tags and pull requests after `count` events."""
        return self._states[count - 1] if count else None

    def key(self, count: int) -> str:
        """Names what is in the repository after `count` events: equal keys, equal objects and refs."""
        while len(self._keys) <= count:
            index = len(self._keys) - 1
            segment = b"".join(self.segment(index))
            refs = self.refs(index + 1)
            if not segment and refs == self.refs(index):
                self._keys.append(self._keys[-1])
                continue
            told = hashlib.sha256()
            about = repr((self.tag(index), sorted(refs.items()))).encode()
            for part in (self._keys[-1].encode(), segment, about):
                told.update(b"%d\0" % len(part) + part)
            self._keys.append(told.hexdigest())
        return self._keys[count]

    def refs(self, count: int) -> dict[str, int]:
        """Full name of each ref after `count` events -> the mark of what it is at."""
        state = self.state(count)
        if state is None:
            return {}
        refs = {f"refs/heads/{name}": self.mark(commit) for name, commit in state.branches.items()}
        for tag in state.tags.values():
            refs[f"refs/tags/{tag.name}"] = self.mark(tag.commit) if tag.message is None else self._tags[tag]
        return refs

    def mark(self, commit: str) -> int:
        """The mark of the commit that an event made."""
        return self._history.commits[commit].place + 1

    def bases(self, one: str, other: str) -> tuple[str, ...]:
        """The merge bases of two commits, the latest first."""
        return self._history.bases(one, other)

    def segment(self, index: int) -> Iterator[bytes]:
        """What event `index` (from 0) adds; nothing, where it only moves refs, tags or is about a pull request."""
        commit = self._history.commits.get(self._states[index].event)
        if commit is not None:
            yield from self._commit(commit)

    def tag(self, index: int) -> TagObject | None:
        """The annotated tag that event `index` (from 0) adds, be it replaced later."""
        tag = self._made(index)
        if tag is None or tag.message is None or self._tags[tag] != _FIRST_TAG + index:
            return None
        tagger = self._authors.ident(tag.by, tag.time)
        text = b"tag %s\ntagger %s\n\n%s" % (tag.name.encode(), tagger, _message(tag.message))
        return TagObject(_FIRST_TAG + index, self.mark(tag.commit), text)

    def _commit(self, commit: Commit) -> Iterator[bytes]:
        who = self._authors.ident(commit.by, commit.time)
        yield b"reset %s\n\ncommit %s\nmark :%d\n" % (SCRATCH, SCRATCH, commit.place + 1)
        yield b"author %s\ncommitter %s\n" % (who, who) + _data(_message(commit.message))
        for word, parent in zip((b"from", *(b"merge",) * len(commit.parents)), commit.parents, strict=False):
            yield b"%s :%d\n" % (word, self.mark(parent))
        before = self._history.commits[commit.parents[0]].tree if commit.parents else EMPTY
        gone, written = _changes(before, commit.tree)
        for path in gone:
            yield b"D " + _quoted(path) + b"\n"
        for path, blob in written:
            yield b"M %s inline %s\n" % (blob.mode.encode(), _quoted(path)) + _data(blob.text.encode())
        yield b"\n"

    def _made(self, index: int) -> Tag | None:
        """The tag that event `index` made."""
        before = self._states[index - 1].tags if index else {}
        now = self._states[index].tags
        return None if now is before else next((tag for name, tag in now.items() if before.get(name) is not tag), None)


def _changes(old: Tree, new: Tree, above: str = "") -> tuple[list[str], list[tuple[str, Blob]]]:
    """The paths to delete, files or folders, and the files to write after that. Shared folders are passed over."""
    gone: list[str] = []
    written: list[tuple[str, Blob]] = []
    for name in sorted(old.entries.keys() | new.entries.keys()):
        before, after = old.entries.get(name), new.entries.get(name)
        path = above + name
        if before is after:
            continue
        if isinstance(before, Tree) and isinstance(after, Tree):
            inner_gone, inner_written = _changes(before, after, f"{path}/")
            gone += inner_gone
            written += inner_written
            continue
        if before is not None and type(before) is not type(after):
            gone.append(path)
        if isinstance(after, Tree):
            written += after.files(f"{path}/")
        elif after is not None and before != after:
            written.append((path, after))
    return gone, written


def _quoted(path: str) -> bytes:
    r"""Always in quotes, C style: so spaces, quotes, newlines and a leading quote mean themselves."""
    plain = path.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + plain + b'"'


def _message(text: str) -> bytes:
    return text.rstrip("\n").encode() + b"\n"


def _data(content: bytes) -> bytes:
    return b"data %d\n" % len(content) + content + b"\n"
