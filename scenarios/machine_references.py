"""The files that come and go on the agent's machine, followed in time order."""

from __future__ import annotations

from scenarios.git_tree import EMPTY, Blob, changed, check_link
from scenarios.machine_schema import FilesDelete, FilesWrite
from scenarios.mistake import Mistake
from scenarios.timeline import Entry


class FilesReferences:
    """The tree that the events checked so far have left."""

    def __init__(self) -> None:
        self._tree = EMPTY

    def check(self, entry: Entry) -> None:
        """Takes one event of files. Raises Mistake for a path that isn't there or is taken by a folder or file."""
        old, where = self._tree, (*entry.path, "path")
        delete: tuple[str, ...] = ()
        write: dict[str, Blob] = {}
        match entry.event.payload:
            case FilesWrite(path=path, text=str(text), mode=mode):
                write = {path: Blob(text, mode)}
                check_link(write[path], (*entry.path, "text"))
            case FilesDelete(path=path):
                delete = (path,)
            case payload:
                raise AssertionError(f"an event of files without a check: {type(payload).__name__}")
        try:
            self._tree = changed(old, delete=delete, write=write)
        except Mistake as mistake:
            raise Mistake(where, mistake.message) from None
        if self._tree == old:
            raise Mistake(entry.path, "this leaves the file as it is; remove the event or change the text")
