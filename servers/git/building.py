"""Building a bare repository from a history: in one go, or from one that was built for fewer of its events.

Both ways give the same objects, those that no ref reaches any more included, and the same refs; what they differ in is
how the objects are packed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from servers.git.command import git
from servers.git.repository import BareRepository
from servers.git.stream import SCRATCH, HistoryStream, TagObject

_NOTHING = b"0" * 40
_ATTRIBUTES = "* !diff !text !eol !ident !filter !working-tree-encoding\n"
"""Whatever a repository's own `.gitattributes` says, patches are made alike by every version of git."""


@dataclass(frozen=True, slots=True)
class Built:
    """A folder with the repository and the hashes of what its events made, as of `count` events."""

    folder: Path
    count: int

    @property
    def bare(self) -> BareRepository:
        return BareRepository(str(self.folder / "repository.git"))

    def hashes(self) -> Mapping[int, str]:
        """Mark -> hash of each commit and annotated tag."""
        lines = (self.folder / "marks").read_text(encoding="ascii").splitlines()
        return {int(mark[1:]): sha for mark, _, sha in (line.partition(" ") for line in lines)}


def build(folder: Path, stream: HistoryStream, count: int, branch: str, earlier: Built | None = None) -> None:
    """Makes `folder` with the repository as of `count` events. `branch`: the default one. Raises Fault.

    `earlier`: what was built for fewer events of the same history, whose objects are taken over.
    """
    folder.mkdir()
    made = Built(folder, count)
    bare, marks = made.bare.path, folder / "marks"
    git(bare, "init", "--quiet", "--bare", "--template=", "--object-format=sha1", f"--initial-branch={branch}")
    info = Path(bare, "info")
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text(_ATTRIBUTES, encoding="ascii")
    marks.touch()
    if earlier is not None:
        shutil.copyfile(earlier.folder / "marks", marks)
        _take_objects(Path(earlier.bare.path, "objects"), Path(bare, "objects"))
    added = range(earlier.count if earlier is not None else 0, count)
    segments = [part for index in added for part in stream.segment(index)]
    if segments:
        given = b"".join((*segments, b"reset %s\nfrom %s\n\ndone\n" % (SCRATCH, _NOTHING)))
        options = (f"--import-marks={marks}", f"--export-marks={marks}")
        git(bare, "fast-import", "--quiet", "--done", "--date-format=raw", *options, given=given)
    _add_tags(made, [tag for tag in map(stream.tag, added) if tag is not None])
    _set_refs(made, stream.refs(count))


def _take_objects(source: Path, target: Path) -> None:
    """Every object file of one store into another, which has none of them; shared on the disk where it allows that."""
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        place = target / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file, place)
        except OSError:
            shutil.copyfile(file, place)


def _add_tags(built: Built, tags: Sequence[TagObject]) -> None:
    hashes = built.hashes() if tags else {}
    with (built.folder / "marks").open("a", encoding="ascii") as marks:
        for tag in tags:
            text = b"object %s\ntype commit\n%s" % (hashes[tag.commit].encode(), tag.text)
            marks.write(f":{tag.mark} {git(built.bare.path, 'mktag', given=text).decode().strip()}\n")


def _set_refs(built: Built, wanted: Mapping[str, int]) -> None:
    """Exactly the refs that are wanted, in one step; those that the import left go."""
    hashes = built.hashes()
    refs = {name: hashes[mark] for name, mark in wanted.items()}
    left = git(built.bare.path, "for-each-ref", "--format=%(refname)").decode().splitlines()
    gone = [f"delete {name}\n" for name in left if name not in refs]
    commands = ["start\n", *gone, *(f"update {name} {sha}\n" for name, sha in refs.items()), "commit\n"]
    git(built.bare.path, "update-ref", "--no-deref", "--stdin", given="".join(commands).encode())
    if refs:
        git(built.bare.path, "pack-refs", "--all", "--prune")
