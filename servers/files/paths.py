"""Where a path leads within the agent's directory, links included, without ever looking outside of it.

Paths are bytes on the disk: their names are UTF-8 there whatever the host's locale says.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from typing import NamedTuple

from envs.errors import OperationError
from servers.entities import folded, not_found, shown

_MOST_LINKS = 40
HIDDEN = b".git"
"""A directory that the tools neither list nor enter."""


class Place(NamedTuple):
    """A path that exists: its bytes on the disk, its canonical parts within the directory, what it is."""

    path: bytes
    parts: tuple[bytes, ...]
    status: os.stat_result

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.status.st_mode)

    @property
    def name(self) -> str:
        """How results show it: relative, `.` for the directory itself."""
        return display(self.parts)


def display(parts: tuple[bytes, ...]) -> str:
    """The parts as a path with slashes; what is not UTF-8 is shown as a replacement character."""
    return b"/".join(parts).decode("utf-8", "replace") or "."


def find(root: bytes, path: str) -> Place:
    """The place that `path` names below `root`; a link is followed at any part, the last one too.

    Raises OperationError: path_not_found, access_denied for what leads out (`..`, a link, an absolute path).
    """
    place, missing = _walk(root, path)
    if missing:
        raise _missing(root, place, path)
    return place


def find_new(root: bytes, path: str) -> tuple[bytes, ...]:
    """The parts at which `path` stands or would stand. Raises OperationError: access_denied, and path_not_found where
    a part on the way is no directory."""
    place, missing = _walk(root, path)
    if missing and not place.is_directory:
        raise _missing(root, place, path)
    if b".." in missing:
        raise _denied(path, "`..` after a part that is not there")
    return (*place.parts, *missing)


def _walk(root: bytes, path: str) -> tuple[Place, tuple[bytes, ...]]:
    """The last place on the way that exists, and the parts after it that don't."""
    parts: list[bytes] = []
    waiting = deque(_parts(path))
    status = os.lstat(root)
    links = 0
    while waiting:
        part = waiting.popleft()
        if part == b"..":
            if not parts:
                raise _denied(path, "it leads out of your directory")
            parts.pop()
            status = os.lstat(os.path.join(root, *parts))
            continue
        if part == HIDDEN:
            raise _denied(path, "git's own files are not for reading")
        here = os.path.join(root, *parts, part)
        try:
            found = os.lstat(here) if stat.S_ISDIR(status.st_mode) else None
        except (OSError, ValueError):
            found = None
        if found is None:
            return Place(os.path.join(root, *parts), tuple(parts), status), (part, *waiting)
        if not stat.S_ISLNK(found.st_mode):
            parts.append(part)
            status = found
            continue
        links += 1
        target = os.readlink(here)
        if links > _MOST_LINKS:
            raise _denied(path, "its links go round in circles")
        if target.startswith(b"/"):
            raise _denied(path, "a link in it leads out of your directory")
        waiting.extendleft(reversed(_split(target)))
    return Place(os.path.join(root, *parts), tuple(parts), status), ()


def _parts(path: str) -> list[bytes]:
    if path.startswith("/"):
        raise _denied(path, "paths are relative to your own directory")
    # Only alone or before a slash is a tilde the directory; `~notes` is a name.
    if path == "~" or path.startswith("~/"):
        path = path[1:]
    return _split(path.encode())


def _split(path: bytes) -> list[bytes]:
    return [part for part in path.split(b"/") if part not in (b"", b".")]


def _denied(path: str, reason: str) -> OperationError:
    return OperationError(
        "access_denied", f"{shown(path)!r} can't be used: {reason}", hint="list_directory shows what there is"
    )


def _missing(root: bytes, place: Place, path: str) -> OperationError:
    beside = sorted(os.listdir(place.path)) if place.is_directory else ()
    names = [display((*place.parts, name)) for name in beside if name != HIDDEN]
    return not_found("path", path, {folded(name): name for name in names})
