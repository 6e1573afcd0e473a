"""Searching in files by a regular expression, in time linear in what is searched, whatever the expression.

The engine is the Rust one behind pydantic's patterns: it does not backtrack, and refuses what it can't match in linear
time (look-around, back references) or in bounded memory. Python's own engine can hang on a line of thirty characters.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from pydantic_core import SchemaError, SchemaValidator, core_schema

from envs.errors import OperationError
from servers.files.paths import HIDDEN, Place, display
from servers.files.text import decoded, lines_of, read_bytes

_MOST_PATTERN = 500
_MOST_REPEATS = 1_000
"""Of all the counts of a pattern multiplied: `x{99999}` is small to write and slow to run on every character."""
_REPEATS = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_MOST_BYTES = 16 * 1024 * 1024
"""Of all the files of one search."""
_MOST_TEXT = 500
_CUT = " ... (truncated)"


@dataclass(slots=True)
class Hits:
    """Places found, as (path, line from 1, text), in order. `more`: there are others; `unread`: files too large."""

    found: list[tuple[str, int, str]] = field(default_factory=list)
    more: bool = False
    exhausted: bool = False
    unread: int = 0


def matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a line holds a match. Raises OperationError: invalid_arguments."""
    if not pattern or len(pattern) > _MOST_PATTERN:
        raise OperationError("invalid_arguments", f"`pattern` must have 1 to {_MOST_PATTERN} characters")
    repeats = math.prod(max(int(most or least), 1) for least, most in _REPEATS.findall(pattern))
    if repeats > _MOST_REPEATS:
        raise OperationError(
            "invalid_arguments",
            f"the repetitions of `pattern` come to more than {_MOST_REPEATS}",
            hint="write a smaller count, or * or + for any number",
        )
    try:
        validator = SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        raise OperationError(
            "invalid_arguments",
            "`pattern` is no regular expression that this search takes",
            hint="to find ( [ { . * + ? | \\ as such, put a \\ before them; there is no look-around and no back "
            "reference; (?i) in front ignores case",
        ) from None
    return validator.isinstance_python


def search(root: bytes, start: Place, matches: Callable[[str], bool], include: str | None, most: int) -> Hits:
    """The first `most` matching lines at or below `start`, by path and line; links are not followed.

    `include`: a glob for the file's name or, with a slash in it, for its path from `start` on.
    """
    hits = Hits()
    budget = _MOST_BYTES
    for parts in _files(root, start):
        relative = parts[len(start.parts) :] or parts[-1:]
        if include is not None and not _included(relative, include):
            continue
        content = read_bytes(os.path.join(root, *parts))
        if content is None:
            hits.unread += 1
            continue
        budget -= len(content)
        if budget < 0:
            hits.exhausted = True
            return hits
        text = decoded(content)
        for number, line in enumerate(lines_of(text or ""), 1):
            line = line.rstrip("\r\n")
            if matches(line):
                if len(hits.found) == most:
                    hits.more = True
                    return hits
                hits.found.append((display(parts), number, _cut(line)))
    return hits


def _cut(line: str) -> str:
    return line if len(line) <= _MOST_TEXT else line[:_MOST_TEXT] + _CUT


def _included(parts: tuple[bytes, ...], include: str) -> bool:
    return fnmatchcase(display(parts if "/" in include else parts[-1:]), include)


def _files(root: bytes, start: Place) -> Iterator[tuple[bytes, ...]]:
    """The regular files at or below `start`, by their bytes within each directory, directories in their place."""
    if start.is_file:
        yield start.parts
        return
    waiting = [start.parts]
    while waiting:
        parts = waiting.pop()
        path = os.path.join(root, *parts)
        if os.path.islink(path):
            continue
        if os.path.isdir(path):
            names = sorted((name for name in os.listdir(path) if name != HIDDEN), reverse=True)
            waiting += [(*parts, name) for name in names]
        elif os.path.isfile(path):
            yield parts
