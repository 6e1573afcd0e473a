"""What git told of repositories that never change: runs at the same instant ask the same, at 8 ms a question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

Asked = tuple[str, ...]
_OVERHEAD = 500
"""Bytes that an entry counts for beside its text."""


class Remembered:
    """Texts by what was asked, up to `most` bytes in all; what was not used for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._texts: OrderedDict[Asked, bytes | None] = OrderedDict()
        self._lock = Lock()

    def get(self, asked: Asked, ask: Callable[[], bytes | None]) -> bytes | None:
        """The text remembered, else what `ask` gives. Two threads may both ask; they are told the same."""
        with self._lock:
            if asked in self._texts:
                self._texts.move_to_end(asked)
                return self._texts[asked]
        text = ask()
        with self._lock:
            if asked not in self._texts:
                self._texts[asked] = text
                self._size += _size(text)
            while self._size > self._most:
                _, gone = self._texts.popitem(last=False)
                self._size -= _size(gone)
        return text


def _size(text: bytes | None) -> int:
    return len(text or b"") + _OVERHEAD
