"""A mistake in a scenario file, known by its key path; the file's source turns that into line and column."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable

from envs.errors import DriftDeskError

KeyPath = tuple[str | int, ...]
"""Keys and list indexes from the top: `("timeline", 3, "slack.message", "from")`."""

_LISTED = 20


class Mistake(DriftDeskError):
    """What is wrong at `path` and how to mend it. `at_key`: the key itself is wrong, not its value."""

    def __init__(self, path: KeyPath, message: str, *, at_key: bool = False) -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.at_key = at_key


def quoted(value: object, limit: int = 60) -> str:
    """`value` as JSON on one line, cut to `limit` characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else f"{text[: limit - 4]}...{text[-1]}"


def plain(text: str) -> str:
    """`text` on one line, without quotes, cut like `quoted`."""
    return quoted(text)[1:-1]


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """The one of `valid` that `name` most likely means, regardless of case; None where nothing is near."""
    folded: dict[str, str] = {}
    for candidate in sorted(valid):
        folded.setdefault(candidate.casefold(), candidate)
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def suggestion(name: str, valid: Collection[str]) -> str:
    """`; did you mean "x"?`, or else what there is, as the end of a message."""
    close = nearest(name, valid)
    if close is not None:
        return f"; did you mean {quoted(close)}?"
    if not valid:
        return "; there is none"
    if len(valid) > _LISTED:
        return f"; none of the {len(valid)} that there are is like it"
    return f"; there is {', '.join(sorted(valid))}"


def absent(name: str, known: Collection[str], what: str) -> str:
    """The message that `known` has no `name`. `what`: what it should name, as `person`."""
    return f"there is no {what} {quoted(name)}{suggestion(name, known)}"


def require(name: str, known: Collection[str], path: KeyPath, what: str, *, at_key: bool = False) -> None:
    """Raises Mistake at `path` where `known` has no `name`."""
    if name not in known:
        raise Mistake(path, absent(name, known, what), at_key=at_key)


def require_unique(names: Iterable[tuple[str, KeyPath]], what: str) -> None:
    """Raises Mistake at the second of two names that are equal, regardless of case."""
    seen: set[str] = set()
    for name, path in names:
        folded = name.casefold()
        if folded in seen:
            raise Mistake(path, f"the {what} {quoted(name)} is there twice; choose another or remove one")
        seen.add(folded)
