"""The size check finds what is too long and nothing else."""

from pathlib import Path

import pytest

import sizes


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def function(lines: int) -> str:
    """A function of so many lines, `def` included."""
    return "def long() -> None:\n" + "    pass\n" * (lines - 1)


def test_what_is_within_the_limits_passes(tmp_path: Path) -> None:
    write(tmp_path, "envs/module.py", "x = 1\n" * 399)
    write(tmp_path, "tests/envs/test_module.py", "x = 1\n" * 599)
    write(tmp_path, "agents/function.py", function(60))
    assert list(sizes.offences(tmp_path)) == []


def test_each_offence_is_one_line_that_says_where(tmp_path: Path) -> None:
    write(tmp_path, "servers/slack/store.py", "x = 1\n" * 400)
    write(tmp_path, "tests/test_long.py", "x = 1\n" * 600)
    write(tmp_path, "judges/function.py", "\n" + function(61))
    write(tmp_path, "agents/method.py", "class A:\n" + "".join(f"    {line}\n" for line in function(61).splitlines()))
    write(tmp_path, "benchmarks/coroutine.py", "async " + function(61))
    assert list(sizes.offences(tmp_path)) == [
        "servers/slack/store.py:1: 400 lines; a module here stays under 400",
        "agents/method.py:2: long has 61 lines; a function has at most 60",
        "judges/function.py:2: long has 61 lines; a function has at most 60",
        "benchmarks/coroutine.py:1: long has 61 lines; a function has at most 60",
        "tests/test_long.py:1: 600 lines; a module here stays under 600",
    ]


def test_the_command_fails_on_an_offence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["sizes.py", str(tmp_path)])
    assert sizes.main() == 0
    write(tmp_path, "envs/function.py", function(61))
    assert sizes.main() == 1
