"""Append-only JSON-lines files of one folder, with group commit: who asks while a sync is under way shares the next.

Each file begins with a header line that names its schema. A line is whole or ignored: a crash can tear only the last.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from envs.errors import RunError


@dataclass(frozen=True, slots=True)
class Line:
    """One whole line: its parsed row and where its bytes lie in the file."""

    row: dict[str, Any]
    offset: int
    length: int


def encode(row: Any) -> bytes:
    """One row as a JSON line. Lone surrogates, which a model can send and UTF-8 can't hold, become ?."""
    try:
        return orjson.dumps(row) + b"\n"
    except TypeError:
        return orjson.dumps(_whole(row)) + b"\n"


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63:
        return str(value)
    return value


def lines(path: Path, schema: str) -> Iterator[Line]:
    """The whole lines after the header; a torn last line is left out, a missing file has none.

    Raises RunError, with the line's number, for damage anywhere else and for another schema.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        offset = 0
        for number, raw in enumerate(file, 1):
            if not raw.endswith(b"\n"):
                return
            row = _parse(path, number, raw)
            if number == 1:
                _check_header(path, row, schema)
            else:
                yield Line(row, offset, len(raw))
            offset += len(raw)


def _parse(path: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        row = orjson.loads(raw)
    except orjson.JSONDecodeError:
        row = None
    if not isinstance(row, dict):
        raise RunError(f"{path}:{number}: damaged line; the run can't be read, start a new one with another --out")
    return row


def _check_header(path: Path, row: dict[str, Any], schema: str) -> None:
    if row != {"schema": schema}:
        raise RunError(f"{path}: is {row.get('schema')!r}, this envs reads {schema!r}; use the version that wrote it")


def rewrite(path: Path, schema: str, raw_lines: Iterable[bytes]) -> None:
    """Replaces the file in one step by its header and these lines: a crash leaves the old file or the new one."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(encode({"schema": schema}))
        file.writelines(raw_lines)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes names in the folder durable (a file's own sync does not)."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Journal:
    """The folder's single writer. `order` names the files in the order in which one commit makes them durable.

    Earlier files may hold lines whose partner in a later file a crash has cut off, never the other way round.
    """

    def __init__(self, folder: Path, order: Sequence[tuple[str, str]], *, unsynced: frozenset[str]) -> None:
        """`order`: (file name, schema). Files in `unsynced` are written with the others but not waited for.

        Raises RunError for a damaged file.
        """
        self._folder = folder
        self._order = tuple(name for name, _ in order)
        self._unsynced = unsynced
        self._files: dict[str, int] = {}
        try:
            for name, schema in order:
                self._files[name] = _open(folder / name, schema)
            sync_folder(folder)
        except BaseException:
            self._close_files()
            raise
        self._broken: Exception | None = None
        self._pending: dict[str, list[bytes]] = {name: [] for name in self._order}
        self._waiting: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    def append(self, name: str, line: bytes) -> None:
        """Queues a line for the next commit."""
        self._pending[name].append(line)

    async def commit(self) -> None:
        """Returns when everything queued before the call is on disk.

        Raises RunError if it can't be written, then and ever after: a line may stand half in the file, which only the
        next opening mends. Raises RuntimeError after `close`.
        """
        if self._broken is not None:
            raise self._broken
        if self._waiting is None:
            self._waiting = asyncio.get_running_loop().create_future()
        waiting = self._waiting
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_batches())
        # Shielded: a cancelled caller must not cancel the sync that others wait for.
        await asyncio.shield(waiting)

    async def _write_batches(self) -> None:
        while self._waiting is not None:
            await asyncio.sleep(0)  # one turn of the loop, so that all who are ready now share this sync
            waiting, self._waiting = self._waiting, None
            batch = {name: b"".join(held) for name, held in self._pending.items() if held}
            self._pending = {name: [] for name in self._order}
            try:
                if self._broken is not None:
                    raise self._broken
                await asyncio.get_running_loop().run_in_executor(self._thread, self._write, batch)
            except Exception as error:
                self._broken = self._told(error)
                waiting.set_exception(self._broken)
            else:
                waiting.set_result(None)

    def _told(self, error: Exception) -> Exception:
        if not isinstance(error, OSError):
            return error
        return RunError(f"{self._folder}: can't be written ({error.strerror}); make room, then go on with --resume")

    def _write(self, batch: dict[str, bytes]) -> None:
        for name in self._order:
            if name in batch:
                handle = self._files[name]
                _write_all(handle, batch[name])
                if name not in self._unsynced:
                    os.fdatasync(handle)

    async def close(self) -> None:
        """Commits what is queued, unless a write has failed before, and closes the files."""
        try:
            if self._broken is None:
                await self.commit()
        finally:
            self._broken = self._broken or RuntimeError("the journal is closed")
            self._thread.shutdown()
            self._close_files()

    def _close_files(self) -> None:
        for handle in self._files.values():
            os.close(handle)
        self._files.clear()


def _open(path: Path, schema: str) -> int:
    whole = sum(line.length for line in lines(path, schema))
    header = encode({"schema": schema})
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    size = os.fstat(handle).st_size
    if size < len(header):  # new, or torn within the header
        os.ftruncate(handle, 0)
        _write_all(handle, header)
    else:
        os.ftruncate(handle, len(header) + whole)
    return handle


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
