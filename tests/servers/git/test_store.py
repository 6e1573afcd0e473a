"""Where repositories are kept: whole or not at all, shared by processes, never growing without end."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest

from envs.errors import UserError
from servers.git import store as module
from servers.git.store import RepositoryStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RepositoryStore]:
    store = RepositoryStore(tmp_path / "git")
    yield store
    store.close()


def make(text: str = "whole") -> "Maker":
    return Maker(text)


class Maker:
    """A build that writes one file and counts how often it was asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.times = 0

    def __call__(self, folder: Path) -> None:
        self.times += 1
        folder.mkdir()
        (folder / "content").write_text(self.text)


def names(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "git").iterdir())


def test_a_repository_is_built_once_and_found_again(tmp_path: Path, store: RepositoryStore) -> None:
    build = make()
    place = store.repository("k", build)
    assert store.repository("k", build) == place
    assert (build.times, (place / "content").read_text()) == (1, "whole")
    again = RepositoryStore(tmp_path / "git")
    assert again.repository("k", build) == place
    again.close()
    assert build.times == 1


def test_a_build_that_fails_leaves_nothing(tmp_path: Path, store: RepositoryStore) -> None:
    def failing(folder: Path) -> None:
        make("half")(folder)
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        store.repository("k", failing)
    assert names(tmp_path) == ["lock"]
    assert (store.repository("k", make()) / "content").read_text() == "whole"


def test_what_is_there_without_its_mark_counts_for_nothing(tmp_path: Path, store: RepositoryStore) -> None:
    (tmp_path / "git" / "k.repository").mkdir()
    (tmp_path / "git" / "k.repository" / "content").write_text("half")
    assert (store.repository("k", make()) / "content").read_text() == "whole"


def test_two_that_build_at_once_get_the_same(store: RepositoryStore) -> None:
    barrier = Barrier(2)
    places: list[Path] = []

    def slow(folder: Path) -> None:
        make()(folder)
        barrier.wait(timeout=30)

    def ask() -> None:
        places.append(store.repository("k", slow))

    threads = [Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(places) == 2
    assert places[0] == places[1]
    assert (places[0] / "content").read_text() == "whole"


def test_the_first_one_in_tidies_up_and_a_second_one_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 2)
    first = RepositoryStore(tmp_path / "git")
    for key in ("a", "b", "c", "d"):
        first.repository(key, make())
    (tmp_path / "git" / "unfinished-x").mkdir()
    second = RepositoryStore(tmp_path / "git")
    assert len(names(tmp_path)) == 6, "the first one is still there"
    second.close()
    first.close()
    third = RepositoryStore(tmp_path / "git")
    assert len([name for name in names(tmp_path) if name.endswith(".repository")]) == 2
    assert "unfinished-x" not in names(tmp_path)
    third.close()


KILLED = """
import os, sys
from pathlib import Path
from servers.git.store import RepositoryStore
def build(folder):
    folder.mkdir()
    (folder / "content").write_text("half")
    os._exit(9)
RepositoryStore(Path(sys.argv[1])).repository("k", build)
"""


def test_a_process_killed_while_it_builds_leaves_nothing_that_harms(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "git")]
    assert subprocess.run(command, cwd=Path(__file__).parents[3], check=False).returncode == 9
    assert any(name.startswith("unfinished-") for name in names(tmp_path))
    store = RepositoryStore(tmp_path / "git")
    assert names(tmp_path) == ["lock"]
    assert (store.repository("k", make()) / "content").read_text() == "whole"
    store.close()


def test_a_place_that_cannot_be_used_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"can't keep repositories there .*; name a folder with XDG_CACHE_HOME"):
        RepositoryStore(tmp_path / "file" / "git")
