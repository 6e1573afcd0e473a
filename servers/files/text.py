"""Files as text: whole lines, bytes unchanged, and what is too large or no text refused."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from envs.errors import OperationError

MOST_BYTES = 4 * 1024 * 1024
"""A larger file is not read."""
MOST_CHARACTERS = 100_000
"""Of one result; the rest is on further pages."""


def read_bytes(path: bytes) -> bytes | None:
    """The content of a regular file; None where it is larger than MOST_BYTES or is none."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            return None
        return file.read(MOST_BYTES)


def decoded(content: bytes) -> str | None:
    """The text, None where it is binary: a zero byte, or not UTF-8."""
    if b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def lines_of(text: str) -> list[str]:
    """The lines with their ends. Only a line feed ends one, so that joining them gives the text again."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def window(lines: Sequence[str], offset: int, limit: int) -> Sequence[str]:
    """The lines of one page: at most `limit` from index `offset` on, fewer where MOST_CHARACTERS is reached.

    Raises OperationError: invalid_arguments, invalid_limit, too_large for a line that no page can hold.
    """
    if offset < 0:
        raise OperationError("invalid_arguments", "`offset` must be 0 or more")
    if limit < 1:
        raise OperationError("invalid_limit", "`limit` must be 1 or more")
    size = 0
    chosen: list[str] = []
    for line in lines[offset : offset + limit]:
        size += len(line)
        if size > MOST_CHARACTERS:
            break
        chosen.append(line)
    if not chosen and offset < len(lines):
        raise OperationError(
            "too_large",
            f"line {offset + 1} alone has more than {MOST_CHARACTERS} characters",
            hint="go on after it with a larger offset, or look for a part of it with search_file",
        )
    return chosen
