"""All that a bare repository holds on disk, served or not: what a client could get by any protocol, and more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from servers.git.command import git


def everything_in(repository: Path) -> Iterator[tuple[str, str]]:
    """(surface, text) of each ref, log and other file, and of each object, packed or loose, reached by a ref or not."""
    yield "refs", git(str(repository), "for-each-ref").decode("utf-8", "replace")
    objects = git(str(repository), "cat-file", "--batch-all-objects", "--batch")
    yield "objects", objects.decode("utf-8", "replace")
    for file in sorted(path for path in repository.rglob("*") if path.is_file()):
        name = file.relative_to(repository).as_posix()
        if not name.startswith("objects/pack/"):
            yield f"file {name}", file.read_bytes().decode("utf-8", "replace")
