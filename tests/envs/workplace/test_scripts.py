"""A scenario's script is bounded in time and output, and what it started ends with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from envs.workplace import scripts


async def run(folder: Path, code: str) -> tuple[str | None, str]:
    script = folder / "count.py"
    script.write_text(code, encoding="utf-8")
    return await scripts.computed(script, {"repo": {"a/b.txt": "one\ntwo\n"}})


async def test_it_is_given_the_code_and_its_output_is_the_answer(tmp_path: Path) -> None:
    code = "import sys, pathlib\nprint(len(pathlib.Path(sys.argv[1], 'repo', 'a', 'b.txt').read_text().split()))"
    assert await run(tmp_path, code) == ("2", "")


async def test_its_failure_is_one_line(tmp_path: Path) -> None:
    assert await run(tmp_path, "raise ValueError('no such column')") == (
        None,
        "count.py ended with 1: ValueError: no such column",
    )


async def test_endless_output_ends_it(tmp_path: Path) -> None:
    printed, why = await run(tmp_path, "while True: print('x' * 1000)")
    assert printed is None
    assert why.startswith("count.py ended with ")


async def test_what_it_started_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "_SECONDS", 1)
    code = (
        "import subprocess, sys, time, pathlib\n"
        "child = subprocess.Popen(['sleep', '300'])\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(child.pid))\n"
        "time.sleep(300)"
    )
    assert await run(tmp_path, code) == (None, "count.py took more than 1 s")
    pid = int((tmp_path / "pid").read_text())
    stat = Path(f"/proc/{pid}/stat")
    assert not stat.exists() or stat.read_text().rpartition(") ")[2].startswith("Z"), os.listdir("/proc")
