"""The version of the bundled suite: what a record must say so that figures of two suites are never mixed.

The rule: the version is a digest of every bundled file, so that it changes with any scenario and needs nobody's care.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


def suite_of(path: Path) -> str | None:
    """The version of the suite that the scenario file `path` belongs to, None for a file of one's own."""
    return _bundled_version() if path.resolve().parent == _FOLDER.resolve() else None


@cache
def _bundled_version() -> str:
    return version_of(_FOLDER)


def version_of(folder: Path) -> str:
    """8 hex digits, of the names and bytes of the scenarios in `folder` and of the files in the folders beside them."""
    beside = (path for path in folder.glob("*/**/*") if path.is_file() and "__pycache__" not in path.parts)
    total = hashlib.sha256()
    for path in sorted((*folder.glob("*.yaml"), *beside)):
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        total.update(f"{len(name)} {len(data)} {name}".encode() + data)
    return total.hexdigest()[:8]
