"""One mistake put into a scenario that loads, and the one-line error that must come of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from envs.errors import ScenarioError

MARK = "¦"
"""Stands in a replacement where the error must point."""

Broken = dict[str, tuple[str, str, str]]
"""Name -> what is replaced (it stands once in the file), by what, and a pattern of the error's message."""


def check_refusal(text: str, broken: tuple[str, str, str], load_text: Callable[[str], object]) -> None:
    """Asserts that the broken file is refused in one line, with the place and the message."""
    old, new, message = broken
    assert text.count(old) == 1, "the replacement must be unambiguous"
    marked = text.replace(old, new)
    before, mark, _ = marked.partition(MARK)
    with pytest.raises(ScenarioError) as caught:
        load_text(marked.replace(MARK, ""))
    line = str(caught.value)
    assert "\n" not in line
    found = re.search(r"scenario\.yaml:(\d+):(\d+): (.+)$", line)
    assert found is not None, line
    assert re.search(message, found[3]), line
    if mark:
        lines = before.split("\n")
        assert (int(found[1]), int(found[2])) == (len(lines), len(lines[-1]) + 1), line
