"""Trees of files as Git has them: folders of text files, that never change and share what is equal.

A changed tree holds the untouched folders of the one it came from, so that a long history costs little more than its
changes, and comparing two of them is cheap where they are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scenarios.git_schema import LINK, Mode
from scenarios.mistake import KeyPath, Mistake, quoted


@dataclass(frozen=True, slots=True)
class Blob:
    """A file: its whole text (of a symbolic link, the target) and its mode."""

    text: str
    mode: Mode


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder by names. Only the top one may be empty."""

    entries: Mapping[str, Blob | Tree] = field(default_factory=dict)

    def get(self, path: str) -> Blob | Tree | None:
        """The file or folder at `path`, None where there is none."""
        found: Blob | Tree | None = self
        for part in path.split("/"):
            found = found.entries.get(part) if isinstance(found, Tree) else None
        return found

    def files(self, folder: str = "") -> Iterator[tuple[str, Blob]]:
        """Every file with its path, `folder` before it, in the order of the names."""
        for name in sorted(self.entries):
            entry = self.entries[name]
            if isinstance(entry, Blob):
                yield folder + name, entry
            else:
                yield from entry.files(f"{folder}{name}/")


EMPTY = Tree()
_LONGEST_TARGET = 1000


def check_link(blob: Blob, where: KeyPath) -> None:
    """Raises Mistake at `where` for a symbolic link whose target can't be one."""
    if blob.mode != LINK:
        return
    if not blob.text or "\n" in blob.text or len(blob.text.encode()) > _LONGEST_TARGET:
        message = f"the text of a link is its target, one line of 1 to {_LONGEST_TARGET} bytes without a line end"
        raise Mistake(where, f"{message}; write it in quotes")


def changed(
    tree: Tree, *, delete: Sequence[str] = (), rename: Mapping[str, str] | None = None, write: Mapping[str, Blob]
) -> Tree:
    """`tree` after the deletions, then the renames, all at once, then the writes. Files or folders go and move.

    Raises Mistake, its path relative (`("write", "src/a.py")`), for what isn't there and for what is in the way.
    """
    for index, path in enumerate(delete):
        if tree.get(path) is None:
            raise Mistake(("delete", index), f"there is no {quoted(path)} to delete then; name a path that is there")
        tree = _without(tree, path)
    moved: list[tuple[str, str, Blob | Tree]] = []
    for old, new in (rename or {}).items():
        found = tree.get(old)
        if found is None:
            raise Mistake(
                ("rename", old), f"there is no {quoted(old)} to rename then; name a path that is there", at_key=True
            )
        moved.append((old, new, found))
    for old, _, _ in moved:
        if tree.get(old) is None:
            raise Mistake(("rename", old), f"{quoted(old)} lies in what is renamed too; remove one", at_key=True)
        tree = _without(tree, old)
    for old, new, found in moved:
        if tree.get(new) is not None:
            raise Mistake(("rename", old), f"{quoted(new)} is there already; delete it too or choose another name")
        tree = _with(tree, new, found, ("rename", old))
    for path, blob in write.items():
        tree = _with(tree, path, blob, ("write", path))
    return tree


def _with(tree: Tree, path: str, new: Blob | Tree, where: KeyPath, above: str = "") -> Tree:
    name, _, rest = path.partition("/")
    old = tree.entries.get(name)
    if rest:
        if isinstance(old, Blob):
            message = f"{quoted(above + name)} is a file, so nothing can lie under it; delete it or choose another path"
            raise Mistake(where, message, at_key=True)
        new = _with(old or EMPTY, rest, new, where, f"{above}{name}/")
    elif isinstance(old, Tree) and isinstance(new, Blob):
        raise Mistake(where, f"{quoted(above + name)} is a folder; delete it or choose another path", at_key=True)
    return Tree({**tree.entries, name: new})


def _without(tree: Tree, path: str) -> Tree:
    """`tree` without what is at `path`, nor any folder that is empty then."""
    name, _, rest = path.partition("/")
    left = dict(tree.entries)
    folder = left.pop(name)
    if rest and isinstance(folder, Tree):
        inner = _without(folder, rest)
        if inner.entries:
            left[name] = inner
    return Tree(left)


def merged(base: Tree, ours: Tree, theirs: Tree) -> tuple[Tree, tuple[str, ...]]:
    """The three-way merge by path, and the paths that both sides changed differently.

    At those the merge holds what `ours` has, or what `theirs` has where that is nothing.
    """
    conflicts: list[str] = []
    result = _merged(base, ours, theirs, "", conflicts)
    return result if isinstance(result, Tree) else EMPTY, tuple(conflicts)


def _merged(
    base: Blob | Tree | None, ours: Blob | Tree | None, theirs: Blob | Tree | None, path: str, conflicts: list[str]
) -> Blob | Tree | None:
    if ours == theirs or base == theirs:
        return ours
    if base == ours:
        return theirs
    sides = (base, ours, theirs)
    if any(isinstance(side, Blob) for side in sides):
        conflicts.append(path)
        return theirs if ours is None else ours
    folders = [side.entries if isinstance(side, Tree) else {} for side in sides]
    above = f"{path}/" if path else ""
    entries: dict[str, Blob | Tree] = {}
    for name in sorted({name for folder in folders for name in folder}):
        first, second, third = (folder.get(name) for folder in folders)
        kept = _merged(first, second, third, above + name, conflicts)
        if kept is not None:
            entries[name] = kept
    return Tree(entries) if entries else None
