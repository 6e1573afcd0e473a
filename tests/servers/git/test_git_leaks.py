"""No repository on the disk holds anything later, by any surface; and the look into it finds what is planted."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from git_company import built, commit, stream_of
from servers.git.building import Built
from servers.git.command import git
from small_company import small_company

EVENTS = [event for event in small_company().events if event.platform == "git"]
MARK = re.compile(r"c\d\d[a-z]")
DATE = re.compile(r"^(?:author|committer|tagger) .*> (\d+) [+-]\d{4}$", re.MULTILINE)


def everything(repository: Built) -> str:
    """All that the folder holds: objects of every kind, packed or loose, reached or not, lent by another store; refs;
    and every file that is no object."""
    told = git(repository.bare.path, "cat-file", "--batch-all-objects", "--batch", "--unordered").decode(
        "utf-8", "replace"
    )
    refs = git(repository.bare.path, "for-each-ref").decode()
    files = [path for path in repository.folder.rglob("*") if path.is_file() and "objects" not in path.parts]
    return "\n".join((told, refs, *(f"{path.name}\n{path.read_bytes().decode('utf-8', 'replace')}" for path in files)))


def marks(count: int) -> set[str]:
    return {mark for event in EVENTS[:count] for mark in MARK.findall(event.payload.model_dump_json())}


def later_in(repository: Built, count: int) -> set[str]:
    """What is in the repository and only in later events; the words `date` for one that lies later."""
    text = everything(repository)
    found = set(MARK.findall(text)) & (marks(len(EVENTS)) - marks(count))
    latest = int(EVENTS[count - 1].time.timestamp())
    return found | ({"date"} if any(int(second) > latest for second in DATE.findall(text)) else set())


def test_nothing_later_is_in_any_repository(tmp_path: Path) -> None:
    stream = stream_of(EVENTS)
    earlier: Built | None = None
    for count in range(1, len(EVENTS) + 1):
        earlier = built(tmp_path / f"{count}", stream, count, earlier)
        assert later_in(earlier, count) == set(), count


def test_no_host_time_log_or_other_store_is_in_it(tmp_path: Path) -> None:
    repository = built(tmp_path / "r", stream_of(EVENTS), len(EVENTS))
    names = {path.relative_to(repository.folder).parts for path in repository.folder.rglob("*") if path.is_file()}
    kinds = {parts[:3] if parts[1:2] == ("objects",) else parts for parts in names}
    assert {"/".join(parts) for parts in kinds} == {
        "marks", "repository.git/HEAD", "repository.git/config", "repository.git/packed-refs",
        "repository.git/info/attributes", "repository.git/objects/pack",
        *(f"repository.git/objects/{parts[2]}" for parts in kinds if len(parts) == 3 and len(parts[2]) == 2),
    }  # fmt: skip
    assert str(tmp_path) not in everything(repository)


def object_in(repository: Built, text: str) -> None:
    git(repository.bare.path, "hash-object", "-w", "--stdin", "-t", "blob", given=text.encode())


def _ref(repository: Built, tmp_path: Path) -> None:
    head = repository.bare.resolve("main") or ""
    git(repository.bare.path, "update-ref", "refs/heads/c29x-wip", head)


def _reflog(repository: Built, tmp_path: Path) -> None:
    log = Path(repository.bare.path, "logs", "HEAD")
    log.parent.mkdir()
    log.write_text(f"{'0' * 40} {'1' * 40} Kim <k@x> 1 +0000\tcommit: c31x Again\n")


def _unreachable(repository: Built, tmp_path: Path) -> None:
    object_in(repository, "c31s\n")


def _packed(repository: Built, tmp_path: Path) -> None:
    object_in(repository, "c31s\n")
    told = git(repository.bare.path, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    git(repository.bare.path, "pack-objects", "-q", f"{repository.bare.path}/objects/pack/pack", given=told)
    git(repository.bare.path, "prune-packed")


def _alternate(repository: Built, tmp_path: Path) -> None:
    other = built(tmp_path / "other", stream_of(EVENTS), len(EVENTS))
    info = Path(repository.bare.path, "objects", "info")
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text(f"{other.bare.path}/objects\n")


def _dated(repository: Built, tmp_path: Path) -> None:
    late = built(tmp_path / "late", stream_of([commit("late", "2030-01-01T00:00", write={"f": ""})]), 1)
    objects = Path(repository.bare.path, "objects", "pack")
    for file in Path(late.bare.path, "objects", "pack").iterdir():
        shutil.copy(file, objects / f"x{file.name}" if not file.name.startswith("pack-") else objects / file.name)


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_ref, {"c29x"}),
        (_reflog, {"c31x"}),
        (_unreachable, {"c31s"}),
        (_packed, {"c31s"}),
        (_alternate, {"c30x", "c31x", "date"}),
        (_dated, {"date"}),
    ],
)
def test_the_look_finds_what_is_planted(tmp_path: Path, plant: Callable[[Built, Path], None], found: set[str]) -> None:
    count = 5
    repository = built(tmp_path / "r", stream_of(EVENTS), count)
    assert later_in(repository, count) == set()
    plant(repository, tmp_path)
    assert later_in(repository, count) >= found


def test_a_hash_that_is_made_later_names_nothing_now(tmp_path: Path) -> None:
    stream = stream_of(EVENTS)
    early, late = built(tmp_path / "early", stream, 5), built(tmp_path / "late", stream, len(EVENTS))
    known = set(early.hashes().values())
    future = [sha for sha in late.hashes().values() if sha not in known]
    assert len(future) > 3
    for sha in future:
        assert early.bare.resolve(sha) is None
        done = subprocess.run(["git", f"--git-dir={early.bare.path}", "cat-file", "-e", sha], capture_output=True)
        assert done.returncode
