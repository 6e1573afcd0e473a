"""The file tools: reading the agent's own directory."""

from __future__ import annotations

import os
import stat
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from envs.clock import format_instant
from envs.errors import OperationError
from servers.files.home import Home
from servers.files.paths import HIDDEN, Place, display, find
from servers.files.results import EntryResult, FileText, Listing, Matches
from servers.files.search import matcher, search
from servers.files.text import MOST_BYTES, decoded, lines_of, read_bytes, window
from servers.operation import Operation
from servers.paging import MOST, Limit, page

_MOST_LINES = 2000

Offset = Annotated[int, Field(description="how many lines to leave out at the beginning")]


@dataclass(frozen=True, slots=True)
class FilesView:
    """What the file tools work on: the directory, brought up to `now`."""

    home: Home
    now: datetime


def list_directory(
    view: FilesView,
    path: Annotated[str, Field(description="relative to your own directory, which is .")] = ".",
    limit: Limit = MOST,
    after_name: Annotated[
        str | None, Field(description="only entries after this name; pass the last result's next_after_name to go on")
    ] = None,
) -> Listing:
    """The entries of a directory of your own machine: files with size in bytes, directories, links."""
    place = find(view.home.root, path)
    if not place.is_directory:
        raise OperationError("invalid_arguments", f"{place.name!r} is no directory", hint="read_file reads a file")
    names = sorted(name for name in os.listdir(place.path) if name != HIDDEN)
    start = 0 if after_name is None else bisect_right(names, after_name.encode())
    chosen, more, limit_applied = page(names, start, limit)
    entries = [_entry(place, name) for name in chosen]
    result: Listing = {
        "path": place.name,
        "entries": entries,
        "has_more": more,
        "next_after_name": entries[-1]["name"] if more else None,
    }
    if limit_applied is not None:
        result["limit_applied"] = limit_applied
    if not entries:
        result["note"] = f"nothing there as of {format_instant(view.now)}"
    return result


def read_file(
    view: FilesView,
    path: Annotated[str, Field(description="relative to your own directory")],
    offset: Offset = 0,
    limit: Annotated[int, Field(description="how many lines at most")] = _MOST_LINES,
) -> FileText:
    """The text of a file of your own machine, unchanged, by lines.

    While truncated is true, call again with offset set to next_offset.
    """
    place = find(view.home.root, path)
    if not place.is_file:
        raise OperationError("invalid_arguments", f"{place.name!r} is no file", hint="list_directory lists a directory")
    content = read_bytes(place.path)
    if content is None:
        raise OperationError("too_large", f"{place.name!r} has more than {MOST_BYTES} bytes")
    text = decoded(content)
    if text is None:
        raise OperationError("invalid_arguments", f"{place.name!r} is a binary file and can't be read as text")
    lines = lines_of(text)
    chosen = window(lines, offset, limit)
    after = offset + len(chosen)
    return {
        "path": place.name,
        "content": "".join(chosen),
        "start_line": offset + 1,
        "total_lines": len(lines),
        "truncated": after < len(lines),
        "next_offset": after if after < len(lines) else None,
    }


def search_file(
    view: FilesView,
    pattern: Annotated[str, Field(description="a regular expression that a line must hold; (?i) ignores case")],
    path: Annotated[str, Field(description="the directory or file to search")] = ".",
    include: Annotated[
        str | None, Field(description="a glob for the files, such as *.py; with a slash it is for the path")
    ] = None,
    max_results: Limit = MOST,
) -> Matches:
    """The lines of your own machine's files that match a regular expression, with path and line number.

    Binary files and links are left out. Where truncated is true, narrow the path or the pattern.
    """
    place = find(view.home.root, path)
    matches = matcher(pattern)
    if max_results < 1:
        raise OperationError("invalid_limit", f"`max_results` must be between 1 and {MOST}")
    hits = search(view.home.root, place, matches, include, min(max_results, MOST))
    result: Matches = {
        "matches": [{"path": path, "line": line, "text": text} for path, line, text in hits.found],
        "truncated": hits.more or hits.exhausted,
    }
    if max_results > MOST:
        result["limit_applied"] = MOST
    notes = []
    if not hits.found:
        notes.append(f"no line of the files searched matches as of {format_instant(view.now)}")
    if hits.exhausted:
        notes.append("not all files were searched, since they are too large together; narrow the path")
    if hits.unread:
        notes.append(f"{hits.unread} files were left out, since each is too large")
    if notes:
        result["note"] = "; ".join(notes)
    return result


OPERATIONS: Sequence[Operation[FilesView]] = tuple(
    Operation(f"files.{function.__name__}", function, reads=False)
    for function in (list_directory, read_file, search_file)
)
"""Reads of the agent's own machine: they are no calls to the timeline in efficiency."""


def _entry(folder: Place, name: bytes) -> EntryResult:
    status = os.lstat(os.path.join(folder.path, name))
    mode = status.st_mode
    return {
        "name": display((name,)),
        "type": "link" if stat.S_ISLNK(mode) else "directory" if stat.S_ISDIR(mode) else "file",
        "size": status.st_size if stat.S_ISREG(mode) else None,
        "modified": format_instant(datetime.fromtimestamp(status.st_mtime, UTC)),
    }
