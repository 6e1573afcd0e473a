"""The search's patterns: what is refused, so that none can hang it."""

from __future__ import annotations

import pytest

from envs.errors import OperationError
from servers.files.search import matcher


@pytest.mark.parametrize("pattern", ["x{99999}", "x{1,2000}", "(a{100}){100}", "(x{11}){10}{10}", "x{1001,}"])
def test_repetitions_that_take_long_are_refused(pattern: str) -> None:
    with pytest.raises(OperationError, match="the repetitions of `pattern` come to more than 1000") as raised:
        matcher(pattern)
    assert raised.value.code == "invalid_arguments"


TAKEN = [("x{999}", "x" * 1200), ("(a{10}){10}", "a" * 100), (r"a\{5\}", "a{5}")]


@pytest.mark.parametrize(("pattern", "line"), TAKEN)
def test_ordinary_repetitions_are_taken(pattern: str, line: str) -> None:
    assert matcher(pattern)(line)
