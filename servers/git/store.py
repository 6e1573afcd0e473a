"""Where built repositories lie: a folder of the user's cache, shared by all runs and processes; no run changes one.

A repository's folder is named after a digest of all that goes into it, so that two runs share it exactly where they
see the same, and nothing later can be in it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from envs.errors import UserError

_DONE: Final = "driftdesk-complete"
"""Stands in a repository's folder that was made to its end."""
_KEPT = 512
_BUILT = ".repository"
_UNFINISHED = "unfinished-"


class RepositoryStore:
    """The repositories below `folder`.

    While it is in use, its folder is locked in shared mode; who gets it alone removes what is old and unfinished.
    """

    def __init__(self, folder: Path) -> None:
        """Raises UserError where the folder can't be made or written to."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UserError(
                f"{folder}: can't keep repositories there ({error.strerror}); name a folder with XDG_CACHE_HOME"
            ) from None
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            self._tidy()
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def close(self) -> None:
        """Gives the lock back."""
        os.close(self._handle)

    def repository(self, key: str, build: Callable[[Path], None]) -> Path:
        """The folder of that key's repository; `build` makes it where there is none, at a path where nothing is.

        Two that build it at once get the same; a build that was cut off counts for nothing.
        """
        place = self._folder / (key + _BUILT)
        if (place / _DONE).is_file():
            return place
        with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=self._folder) as folder:
            built = Path(folder) / "built"
            build(built)
            (built / _DONE).touch()
            try:
                built.rename(place)
            except OSError:
                if not (place / _DONE).is_file():
                    _discard(place)
                    built.rename(place)
        return place

    def _tidy(self) -> None:
        for path in self._folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(path, ignore_errors=True)
        built = sorted(self._folder.glob(f"*{_BUILT}"), key=lambda path: path.stat().st_mtime_ns)
        for path in built[:-_KEPT]:
            _discard(path)


def _discard(repository: Path) -> None:
    # The mark goes first, so that a removal that is cut off leaves nothing that looks whole.
    (repository / _DONE).unlink(missing_ok=True)
    shutil.rmtree(repository, ignore_errors=True)


@cache
def user_store() -> RepositoryStore:
    """The store in `$XDG_CACHE_HOME/driftdesk/git`, by default `~/.cache/driftdesk/git`. Raises UserError.

    A relative value is ignored, as the XDG specification says.
    """
    home = os.environ.get("XDG_CACHE_HOME", "")
    return RepositoryStore(Path(home if os.path.isabs(home) else os.path.expanduser("~/.cache")) / "driftdesk" / "git")
