"""Repositories built from a history: the same everywhere, sound, and however many steps it took."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from envs.errors import Fault
from git_company import built, commit, git_event, stream_of
from scenarios.scenario import Event
from servers.git.building import Built
from servers.git.command import git
from servers.git.stream import HistoryStream
from small_company import small_company

EVENTS = [event for event in small_company().events if event.platform == "git"]

ODD: tuple[Event, ...] = (
    commit(
        "first", "2025-05-01T09:00", write={"a": "1\n", "d/x": "x\n", 'sp ace/q"uo te': "", "Grüße\nzeile": "é\r\n"}
    ),
    commit("second", "2025-05-01T10:00", delete=["a", "d"], write={"a/b": "a folder now\n", "d": "a file now\n"}),
    git_event("branch", "2025-05-01T11:00", branch="topic"),
    commit(
        "third", "2025-05-01T12:00", branch="topic", by="bo.lin", message="\nSubject\n\n\nbody <b>\n\n", delete=["d"]
    ),
    git_event("delete_branch", "2025-05-01T13:00", branch="topic"),
    git_event("branch", "2025-05-01T14:00", branch="topic/below"),
    commit("empty", "2025-05-01T15:00", branch="topic/below"),
    git_event("tag", "2025-05-01T16:00", tag="rel/1", message="One\n\nwith a body"),
    git_event("force_push", "2025-05-01T17:00", branch="main", to="first"),
)
"""File to folder and back, odd names, an empty commit, refs that stand where folders of refs stood."""


def refs(repository: Built) -> str:
    told = git(repository.bare.path, "for-each-ref", "--format=%(refname) %(objectname) %(*objectname)")
    return told.decode() + Path(repository.bare.path, "HEAD").read_text()


def objects(repository: Built) -> set[str]:
    """Every object of the store, reached by a ref or not."""
    told = git(repository.bare.path, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    return set(told.decode().splitlines())


def sound(repository: Built) -> bool:
    """What the strict check of git says is nothing but unreachable objects, which history leaves behind."""
    told = git(repository.bare.path, "fsck", "--strict", "--full", "--no-dangling", "--no-progress").decode()
    return told == ""


def leaps(folder: Path, stream: HistoryStream, count: int, steps: list[Built]) -> list[Built]:
    """Now and then one that adds many events at once."""
    return [] if count % 4 else [built(folder / f"leap-{count}", stream, count, earlier=steps[count // 2])]


@pytest.mark.parametrize("events", [EVENTS, ODD], ids=["every-kind", "odd"])
def test_built_in_one_go_and_by_every_way_of_adding_is_the_same(tmp_path: Path, events: list[Event]) -> None:
    stream = stream_of(events)
    steps = [direct := built(tmp_path / "step-0", stream, 0)]
    for count in range(1, len(events) + 1):
        direct = built(tmp_path / f"direct-{count}", stream, count)
        steps.append(built(tmp_path / f"step-{count}", stream, count, earlier=steps[-1]))
        for other in (steps[-1], *leaps(tmp_path, stream, count, steps)):
            assert (refs(other), objects(other), dict(other.hashes())) == (
                refs(direct),
                objects(direct),
                direct.hashes(),
            )
    assert sound(direct)
    assert sound(steps[-1])


def test_adding_changes_nothing_of_what_stood_before(tmp_path: Path) -> None:
    stream = stream_of(EVENTS)
    early = built(tmp_path / "early", stream, 4)
    before = {path: path.read_bytes() for path in early.folder.rglob("*") if path.is_file()}
    built(tmp_path / "late", stream, len(EVENTS), earlier=early)
    assert {path: path.read_bytes() for path in early.folder.rglob("*") if path.is_file()} == before


def test_a_history_is_blind_to_what_comes_later(tmp_path: Path) -> None:
    """The key, which names all that goes in, and the objects and refs themselves."""
    whole = stream_of(EVENTS)
    for count in range(len(EVENTS) + 1):
        part = stream_of(EVENTS[:count])
        assert part.key(count) == whole.key(count)
    assert len({whole.key(count) for count in range(len(EVENTS) + 1)}) == 1 + sum(
        each.kind.partition(".")[2] not in ("open_pull", "review_pull", "comment_pull", "close_pull") for each in EVENTS
    )
    one, other = built(tmp_path / "whole", whole, 5), built(tmp_path / "part", stream_of(EVENTS[:5]), 5)
    assert (refs(one), objects(one)) == (refs(other), objects(other))


@pytest.mark.parametrize(
    "changed",
    [
        {"message": "First!"}, {"by": "bo.lin"}, {"write": {"a": "2\n"}}, {"write": {"b": "1\n"}},
        {"write": {"a": {"text": "1\n", "mode": "100755"}}},
    ],
)  # fmt: skip
def test_another_history_has_another_key(changed: dict[str, object]) -> None:
    plain = commit("first", "2025-05-01T09:00", write={"a": "1\n"})
    other = commit("first", "2025-05-01T09:00", **{"write": {"a": "1\n"}, **changed})
    later = commit("first", "2025-05-01T09:00:01", write={"a": "1\n"})
    keys = [stream_of([each]).key(1) for each in (plain, other, later)]
    assert len(set(keys)) == 3


def test_commits_are_signed_by_people_in_their_own_zones(tmp_path: Path) -> None:
    events = [
        commit("tokyo", "2025-05-01T09:00", write={"a": ""}),
        commit("berlin", "2025-05-01T10:00", by="bo.lin", write={"b": ""}),
        commit("winter", "2025-12-01T10:00", by="bo.lin", write={"c": ""}),
        git_event("tag", "2025-12-01T11:00", tag="v1", message="Done"),
    ]
    repository = built(tmp_path / "r", stream_of(events), 4)
    hashes = list(repository.hashes().values())
    told = [git(repository.bare.path, "cat-file", "-p", sha).decode() for sha in hashes]
    assert "author Kim Roe <kim@birch.example> 1746090000 +0900\ncommitter Kim Roe" in told[0]
    assert "author Bo Lin <bo@birch.example> 1746093600 +0200\n" in told[1]
    assert "author Bo Lin <bo@birch.example> 1764583200 +0100\n" in told[2]
    assert "tagger Kim Roe <kim@birch.example> 1764586800 +0900\n\nDone\n" in told[3]


BUILD = """
import sys
from pathlib import Path
from git_company import built, stream_of
from small_company import small_company
events = [event for event in small_company().events if event.platform == "git"]
repository = built(Path(sys.argv[1]), stream_of(events), len(events))
print(repository.bare.resolve("main"), repository.bare.resolve("v2"), stream_of(events).key(len(events)))
"""

HOSTILE = {
    "TZ": "Pacific/Auckland",
    "LANG": "de_DE.ISO-8859-1",
    "LC_ALL": "tr_TR.UTF-8",
    "LANGUAGE": "de",
    "EMAIL": "x@y.example",
    "GIT_AUTHOR_NAME": "Somebody",
    "GIT_COMMITTER_EMAIL": "some@body.example",
    "GIT_AUTHOR_DATE": "2001-01-01T00:00:00",
    "GIT_COMMITTER_DATE": "2001-01-01T00:00:00",
    "GIT_DIR": "/nonexistent",
    "GIT_WORK_TREE": "/tmp",
    "GIT_INDEX_FILE": "/tmp/i",
    "GIT_OBJECT_DIRECTORY": "/tmp/o",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.abbrev",
    "GIT_CONFIG_VALUE_0": "5",
    "GIT_TRACE": "1",
    "GIT_DEFAULT_HASH": "sha256",
}
CONFIG = """
[user]
name = Host
email = host@host.example
[commit]
gpgsign = true
[core]
autocrlf = true
hooksPath = /tmp/hooks
[init]
defaultBranch = other
[i18n]
commitEncoding = latin1
[fastimport]
unpackLimit = 100000
"""


def test_the_host_has_no_part_in_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(CONFIG)
    root = Path(__file__).parents[3]
    paths = os.pathsep.join((str(root), str(root / "tests" / "fakes")))
    told = []
    for umask, settings in ((0o022, {"HOME": "/nonexistent"}), (0o077, {"HOME": str(home), **HOSTILE})):
        command = [sys.executable, "-c", f"import os; os.umask({umask}){BUILD}", str(tmp_path / f"r{umask}")]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": paths, **settings}
        told.append(subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False))
    assert [done.stderr for done in told] == ["", ""]
    assert told[0].stdout == told[1].stdout != ""


def test_the_hashes_are_these(tmp_path: Path) -> None:
    """Of one small history, worked out once: another machine, or another version of git, must find the same."""
    files = {"a.txt": "1\r\n", "run": {"text": "#!\n", "mode": "100755"}}
    events = [
        commit("first", "2025-05-01T09:00", message="First", write=files),
        git_event("tag", "2025-05-01T10:00", tag="v1", message="One"),
    ]
    repository = built(tmp_path / "r", stream_of(events), 2)
    assert list(repository.hashes().values()) == [
        "293a34d9eae0680fcd9f79ff4ac7126cf63f3a31",
        "50d22dd74f738903a418329db3ad296655f3f079",
    ]


def test_a_long_history_is_built_too(tmp_path: Path) -> None:
    events = [
        commit(
            f"c{number}",
            f"2025-05-{1 + number // 24:02}T{number % 24:02}:00",
            write={f"src/{number % 20}": f"{number}\n"},
        )
        for number in range(600)
    ]
    repository = built(tmp_path / "long", stream_of(events), 600)
    head = repository.bare.resolve("main")
    assert head is not None
    assert repository.bare.count(head) == 600
    assert len(repository.bare.tree(head, deep=True)) == 20
    assert len(list(Path(repository.bare.path).rglob("*.pack"))) == 1


def test_a_stream_that_git_refuses_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HistoryStream, "segment", lambda self, index: iter([b"nonsense\n"]))
    with pytest.raises(Fault, match="git fast-import ended with"):
        built(tmp_path / "broken", stream_of(EVENTS), 1)
