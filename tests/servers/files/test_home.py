"""The life of the agent's directory: made late, its own, copied whole, gone at the end and after a crash."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from servers.files import temporary
from servers.files.home import Home
from servers.files.temporary import TemporaryHome
from small_company import event, instant

NOW = instant("2025-05-02T00:00")
FIRST = event("a", "2025-05-01T09:00", "files.write", path="d/a", text="one")
SECOND = event("b", "2025-05-01T10:00", "files.write", path="d/a", text="two")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def path_of(home: Home, name: str = "") -> Path:
    return Path(os.fsdecode(home.root)) / name


def test_nothing_is_made_before_it_is_needed_and_nothing_left_after(folder: Path) -> None:
    home = Home((FIRST,))
    assert list(folder.iterdir()) == []
    home.advance(NOW)
    assert len(list(folder.iterdir())) == 1
    home.close()
    home.close()
    assert list(folder.iterdir()) == []


def test_a_home_that_nobody_holds_any_more_is_removed(folder: Path) -> None:
    home = Home((FIRST,))
    home.advance(NOW)
    del home
    assert list(folder.iterdir()) == []


def test_time_does_not_run_backwards() -> None:
    home = Home((FIRST, SECOND))
    home.advance(NOW)
    with pytest.raises(ValueError, match="can't go back"):
        home.advance(FIRST.time)
    home.close()


def test_a_fork_has_the_same_content_and_shares_nothing() -> None:
    home = Home((FIRST, SECOND))
    home.advance(FIRST.time)
    home.write("l", b"d/a", "120000", FIRST.time)
    fork = home.fork()
    assert path_of(fork, "l").read_text() == "one"
    assert path_of(fork, "l").is_symlink()
    assert path_of(fork, "d/a").stat().st_mtime == FIRST.time.timestamp()
    fork.advance(NOW)
    fork.write("new", b"", "100644", NOW)
    assert (path_of(fork, "d/a").read_text(), path_of(home, "d/a").read_text()) == ("two", "one")
    assert not path_of(home, "new").exists()
    fork.close()
    assert path_of(home, "d/a").exists()
    home.close()


def test_fifty_homes_come_and_go(folder: Path) -> None:
    homes = [Home((FIRST,)) for _ in range(50)]
    for home in homes:
        home.advance(NOW)
    assert len({home.root for home in homes}) == 50
    for home in homes:
        home.close()
    assert list(folder.iterdir()) == []


KILLED = """
import os, sys, tempfile
tempfile.tempdir = sys.argv[1]
from servers.files.temporary import TemporaryHome
home = TemporaryHome()
open(os.path.join(home.path, b"left"), "w").close()
print(os.fsdecode(home.path), flush=True)
{end}
"""


def run(end: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", KILLED.format(end=end), str(folder)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def test_what_a_killed_process_left_is_swept_up_and_what_a_living_one_has_is_kept(folder: Path) -> None:
    with run("os._exit(9)", folder) as killed, run("sys.stdin.read()", folder) as living:
        assert killed.stdout is not None
        assert living.stdout is not None
        left, kept = Path(killed.stdout.readline().strip()), Path(living.stdout.readline().strip())
        killed.wait()
        foreign = folder / "driftdesk-home-link"
        foreign.symlink_to(kept)
        temporary._sweep.cache_clear()
        home = TemporaryHome()
        assert not left.exists()
        assert (kept / "left").exists()
        home.close()
        living.communicate("")
    assert not kept.exists()
