"""The agent's own directory in one episode: the scenario's files as of now, and what the agent's tools put beside."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from datetime import datetime

from scenarios.machine_schema import FilesDelete, FilesWrite
from scenarios.scenario import Event
from servers.files.temporary import TemporaryHome

LINK_MODE = "120000"
_MODES = {"100644": 0o644, "100755": 0o755}
_FOLDER_MODE = 0o755


class Home:
    """A directory that is made when first needed and removed by `close`.

    Nothing in it comes from the host: modes don't follow the umask, times are simulated, names are UTF-8.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        """`events`: what happens to files, in order."""
        self._events = tuple(events)
        self._applied = 0
        self._temporary: TemporaryHome | None = None

    @property
    def root(self) -> bytes:
        """Its path on the host, for tools only: no result may hold it."""
        if self._temporary is None:
            self._temporary = TemporaryHome()
        return self._temporary.path

    def advance(self, now: datetime) -> None:
        """Lets happen what was to happen by `now`. Raises ValueError when that lies before an earlier call's."""
        if self._applied and self._events[self._applied - 1].time > now:
            raise ValueError(f"the agent's directory can't go back to {now}")
        for event in self._events[self._applied :]:
            if event.time > now:
                break
            self._apply(event)
            self._applied += 1

    def _apply(self, event: Event) -> None:
        payload = event.payload
        if isinstance(payload, FilesWrite):
            self.write(payload.path, (payload.text or "").encode(), payload.mode, event.time)
        elif isinstance(payload, FilesDelete):
            self.delete(payload.path, event.time)
        else:
            raise TypeError(f"{event.kind} says nothing of files")

    def write(self, path: str, content: bytes, mode: str, time: datetime) -> None:
        """Puts a file at a checked relative path, whatever is there now; links on the way are replaced, not followed.

        `mode` as Git writes it; the content of a link is its target. `time` becomes the file's and its directory's.
        """
        *folders, name = path.encode().split(b"/")
        parent = self._folder(folders, time)
        target = os.path.join(parent, name)
        _clear(target)
        if mode == LINK_MODE:
            os.symlink(content, target)
        else:
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _MODES[mode])
            with os.fdopen(handle, "wb") as file:
                os.fchmod(handle, _MODES[mode])
                file.write(content)
        _stamp(target, time)
        _stamp(parent, time)

    def make_folder(self, path: str, time: datetime) -> None:
        """A directory at a checked relative path; those that are there stay as they are."""
        self._folder(path.encode().split(b"/"), time)

    def _folder(self, parts: Sequence[bytes], time: datetime) -> bytes:
        path = self.root
        for part in parts:
            above, path = path, os.path.join(path, part)
            if _is_folder(path):
                continue
            _clear(path)
            os.mkdir(path)
            os.chmod(path, _FOLDER_MODE)
            _stamp(path, time)
            _stamp(above, time)
        return path

    def delete(self, path: str, time: datetime) -> None:
        """Removes the file or link at a checked relative path; nothing where a link or nothing leads there."""
        *folders, name = path.encode().split(b"/")
        parent = self.root
        for part in folders:
            parent = os.path.join(parent, part)
            if not _is_folder(parent):
                return
        target = os.path.join(parent, name)
        if os.path.lexists(target) and not _is_folder(target):
            os.unlink(target)
            _stamp(parent, time)

    def prune(self, folders: Sequence[str]) -> None:
        """Removes those of the directories that are empty; given innermost first."""
        for folder in folders:
            path = os.path.join(self.root, folder.encode())
            if _is_folder(path) and not os.listdir(path):
                os.rmdir(path)

    def fork(self) -> Home:
        """A home of its own with the same content."""
        fork = Home(self._events)
        if self._temporary is not None:
            shutil.copytree(
                os.fsdecode(self._temporary.path), os.fsdecode(fork.root), symlinks=True, dirs_exist_ok=True
            )
            fork._applied = self._applied
        return fork

    def close(self) -> None:
        """Removes the directory, if there is one."""
        if self._temporary is not None:
            self._temporary.close()


def _is_folder(path: bytes) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _clear(path: bytes) -> None:
    """Makes way at `path`, whatever is there."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def _stamp(path: bytes, time: datetime) -> None:
    second = int(time.timestamp())
    os.utime(path, (second, second), follow_symlinks=False)
