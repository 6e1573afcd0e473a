"""Temporary directories of this program: private, removed when nobody needs them, swept up after a crash."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import weakref
from functools import cache

_PREFIX = "driftdesk-home-"


class TemporaryHome:
    """An empty directory of mode 0700 that is removed by `close`, else when the object or the process ends.

    A lock on it tells that its process lives. The system drops it however that process ends, so that a later one
    knows which directories a crash left behind.
    """

    def __init__(self) -> None:
        _sweep()
        self.path, handle = _locked()
        self._remove = weakref.finalize(self, _removed, self.path, handle)

    def close(self) -> None:
        """Removes it with all that is in it; a second time does nothing."""
        self._remove()


def _locked() -> tuple[bytes, int]:
    while True:
        path = os.fsencode(tempfile.mkdtemp(prefix=_PREFIX))
        handle = _lock(path)
        # A sweep of another process may have come between the making and the lock.
        if handle is not None and os.path.isdir(path):
            return path, handle
        if handle is not None:
            os.close(handle)


def _lock(path: bytes) -> int | None:
    """A handle that holds the directory's lock; None where somebody else does, or where it isn't ours to open."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _removed(path: bytes, handle: int) -> None:
    shutil.rmtree(path, ignore_errors=True)
    os.close(handle)


@cache
def _sweep() -> None:
    """Removes, once in a process, what processes that are gone left behind."""
    parent = os.fsencode(tempfile.gettempdir())
    for name in os.listdir(parent):
        if name.startswith(_PREFIX.encode()):
            path = os.path.join(parent, name)
            handle = _lock(path)
            if handle is not None:
                _removed(path, handle)
