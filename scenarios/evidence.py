"""Evidence of a question: the decisive words must stand in the event that is said to hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scenarios.part import Part


def folded(text: str) -> str:
    """`text` without regard to case and white space, for comparing."""
    return " ".join(text.casefold().split())


def states(payload: Part, words: str) -> bool:
    """Whether a value that `payload` gives says `words`."""
    return any(says(value, words) for value in _values(payload))


def says(value: object, words: str) -> bool:
    """Whether a plain value says `words`: a text somewhere, whole words only; another value exactly."""
    wanted = folded(words)
    if not isinstance(value, str):
        return _plain(value) == wanted
    # "23" is not said by "1623": a word of the evidence must not go on at either side.
    pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)" if wanted[0].isalnum() else re.escape(wanted)
    return re.search(pattern, folded(value)) is not None


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, Part):
        for name in value.model_fields_set:
            yield from _values(getattr(value, name))
    elif isinstance(value, dict):
        yield from value  # paths of files
        for inner in value.values():
            yield from _values(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _values(inner)
    else:
        yield value


def _plain(value: object) -> str:
    """A value that isn't text, as an author writes it: `null`, `true`, `3`, `0.5`."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
