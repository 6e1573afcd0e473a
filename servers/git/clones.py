"""The agent's clones: working copies in its own directory, each as the repository stood when it was last fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from servers.files.home import Home
from servers.git.repository import BareRepository


@dataclass(frozen=True, slots=True)
class Clone:
    """`repository`: its name. `bare`: all that was fetched. `ref`: what is checked out; `sha`: the commit that was,
    None where the repository was empty. `time`: of the fetch."""

    directory: str
    repository: str
    bare: BareRepository
    ref: str
    sha: str | None
    time: datetime


@dataclass(slots=True)
class Clones:
    """The clones in one home, by directory. What git keeps in `.git` isn't there: it is read from the shared bare
    repository, which nothing in the home can change."""

    home: Home
    by_directory: dict[str, Clone] = field(default_factory=dict)

    def put(self, clone: Clone) -> int:
        """Checks the clone's commit out, over the clone that is there now; how many files changed.

        Only files that differ between the two commits are touched, as git does, so that all others keep their time and
        whatever the agent's machine has put beside them.
        """
        earlier = self.by_directory.get(clone.directory)
        before, after = dict(_files(earlier)), dict(_files(clone))
        self.home.make_folder(clone.directory, clone.time)
        gone = [path for path in before if path not in after]
        for path in gone:
            self.home.delete(f"{clone.directory}/{path}", clone.time)
        self.home.prune([f"{clone.directory}/{folder}" for folder in _folders(gone)])
        changed = [path for path in after if after[path] != before.get(path)]
        contents = clone.bare.blobs([after[path][1] for path in changed])
        for path, content in zip(changed, contents, strict=True):
            self.home.write(f"{clone.directory}/{path}", content, after[path][0], clone.time)
        self.by_directory[clone.directory] = clone
        return len(gone) + len(changed)

    def of(self, repository: str) -> list[Clone]:
        return [clone for clone in self.by_directory.values() if clone.repository == repository]

    def fork(self, home: Home) -> Clones:
        """The same clones in another home with the same content."""
        return Clones(home, dict(self.by_directory))


def _files(clone: Clone | None) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path -> mode and hash of each file of the commit that is checked out."""
    if clone is not None and clone.sha is not None:
        for entry in clone.bare.tree(clone.sha, deep=True):
            yield entry.path, (entry.mode, entry.sha)


def _folders(paths: list[str]) -> list[str]:
    """The directories that held the files, innermost first."""
    folders = {path[:end] for path in paths for end in range(len(path)) if path[end] == "/"}
    return sorted(folders, key=lambda folder: (-folder.count("/"), folder))
