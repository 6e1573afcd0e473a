"""Whatever path is sent, only the agent's own directory is read and written; odd but legal names work."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from envs.errors import OperationError
from scenarios.scenario import Event
from servers.files.home import Home
from servers.files.paths import Place, find, find_new
from small_company import answer, event, instant, refusal, tools_at, with_events

NOW = instant("2025-05-02T00:00")
SECRET = "a secret of the host"

ODD = (
    "with space.txt", " leading", 'quo"te.md', "apo'strophe", "-rf", "--help", "line\nbreak", "tab\there", "Grüße.txt",
    "日本語/ファイル", "*.py", "~notes", "~", "a/~/b", "...", "..a", "a..", ".hidden", "$HOME", "%2e%2e", "x;rm -rf",
    "a\u202eb", "emoji \U0001f600", "n\u0303", "d/-x", "d/ /f",
)  # fmt: skip


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """A file of the host outside every home."""
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    return secret


@pytest.fixture
def home() -> Iterator[Home]:
    home = Home(())
    yield home
    home.close()


def link(path: str, target: str) -> Event:
    return event(f"l-{path}", "2025-05-01T09:00", "files.write", path=path, text=target, mode="120000")


def text(path: str) -> Event:
    return event(f"t-{path}", "2025-05-01T09:00", "files.write", path=path, text="mine\n")


@pytest.mark.parametrize("name", ODD)
async def test_odd_but_legal_names_work(name: str) -> None:
    path = f"./{name}" if name == "~" else name
    tools = tools_at(NOW, with_events(text(name)))
    assert (await answer(tools, "read_file", path=path))["content"] == "mine\n"
    assert (await answer(tools, "read_file", path=f"~/{name}"))["path"] == name
    folder, _, last = name.rpartition("/")
    assert (await answer(tools, "list_directory", path=folder or "."))["entries"][0]["name"] == last
    assert (await answer(tools, "search_file", pattern="^mine$"))["matches"][0]["path"] == name


@pytest.mark.parametrize(
    "path",
    [
        "..", "../", "../../etc/passwd", "d/../..", "d/../../x", "/", "/etc/passwd", "//etc/passwd", "~/../x", "./../.",
        "d/..//../x", "d/./../../x", ".git", ".git/config", "d/.git/HEAD", "out", "out/passwd", "up", "up/x", "far",
        "d/hop", "d/hop/x", "loop", "d/../up", "chain",
    ],
)  # fmt: skip
async def test_what_leads_out_is_refused_without_a_look(path: str) -> None:
    events = [
        text("d/f"), link("out", "/etc"), link("up", ".."), link("far", "/nonexistent/of/the/host"),
        link("d/hop", "../../.."), link("loop", "loop"), link("chain", "d/hop"),
    ]  # fmt: skip
    tools = tools_at(NOW, with_events(*events))
    for tool, arguments in (
        ("list_directory", {}),
        ("read_file", {}),
        ("search_file", {"pattern": "x"}),
        ("clone_repository", {"repository": "app"}),
    ):
        key = "directory" if tool == "clone_repository" else "path"
        error = await refusal(tools, tool, **{key: path}, **arguments)
        assert error["error"] == "access_denied", (tool, error)


async def test_the_host_is_told_from_no_error(host: Path) -> None:
    """A link to a file that the host has and one to a file that it hasn't are refused alike."""
    errors = []
    for target in (str(host), f"{host}-not"):
        tools = tools_at(NOW, with_events(link("l", target)))
        errors.append([await refusal(tools, "read_file", path=path) for path in ("l", "l/x", target)])
    assert str(errors[0]) == str(errors[1]).replace(f"{host}-not", str(host))


@pytest.mark.parametrize("path", ["x" * 300, "a/" + "y" * 256, "nul\0byte", "d/f/g", "d//nothing", "nothing/../d/f"])
async def test_what_no_file_system_takes_is_not_found(path: str) -> None:
    tools = tools_at(NOW, with_events(text("d/f")))
    assert (await refusal(tools, "read_file", path=path))["error"] == "path_not_found"


async def test_links_inside_are_followed_and_named_by_where_they_lead() -> None:
    tools = tools_at(NOW, with_events(text("d/e/f"), link("l", "d/e"), link("d/e/up", "../../l/f")))
    for path in ("l/f", "d/e/up", "l/up", "l/../e/f", "d/./e//f", "./l/f"):
        assert (await answer(tools, "read_file", path=path))["path"] == "d/e/f"
    assert (await answer(tools, "list_directory", path="l"))["path"] == "d/e"
    assert [match["path"] for match in (await answer(tools, "search_file", pattern="mine"))["matches"]] == ["d/e/f"]


def test_a_new_place_is_found_through_the_links_on_its_way(home: Home) -> None:
    home.write("d/f", b"", "100644", NOW)
    home.write("l", b"d", "120000", NOW)
    home.write("out", b"/tmp", "120000", NOW)
    assert find_new(home.root, "l/new/place") == (b"d", b"new", b"place")
    assert find_new(home.root, "l") == (b"d",)
    for path, code in (("out/new", "access_denied"), ("l/../../new", "access_denied"), ("d/f/new", "path_not_found"),
                       ("new/../../x", "access_denied")):  # fmt: skip
        with pytest.raises(OperationError) as refused:
            find_new(home.root, path)
        assert refused.value.code == code, path


@pytest.mark.parametrize("target", ["absolute", "relative"])
def test_writing_replaces_links_and_never_follows_them(home: Home, tmp_path: Path, target: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text(SECRET)
    root = Path(os.fsdecode(home.root))
    aim = str(outside) if target == "absolute" else os.path.relpath(outside, root)
    os.symlink(aim, root / "folder")
    os.symlink(f"{aim}/kept", root / "file")
    home.write("folder/kept", b"mine", "100644", NOW)
    home.write("file", b"mine", "100644", NOW)
    os.symlink(aim, root / "again")
    home.delete("again/kept", NOW)
    home.make_folder("again/below", NOW)
    assert sorted(path.name for path in outside.iterdir()) == ["kept"]
    assert (outside / "kept").read_text() == SECRET
    assert (root / "file").read_text() == (root / "folder/kept").read_text() == "mine"


def test_modes_and_times_come_from_the_scenario_whatever_the_umask(home: Home) -> None:
    before = os.umask(0o177)
    try:
        home.write("d/run", b"", "100755", NOW)
        home.write("d/plain", b"", "100644", NOW)
    finally:
        os.umask(before)
    root = Path(os.fsdecode(home.root))
    assert [oct((root / path).stat().st_mode & 0o7777) for path in ("d", "d/run", "d/plain")] == [
        "0o755", "0o755", "0o644",
    ]  # fmt: skip
    assert {(root / path).stat().st_mtime for path in ("", "d", "d/run")} == {NOW.timestamp()}
    assert root.stat().st_mode & 0o077 == 0


def test_a_careless_lookup_would_be_caught(home: Home, host: Path) -> None:
    """Planted: a lookup that joins and compares text, the way in which such tools were broken before."""

    def careless(root: bytes, path: str) -> bytes:
        joined = os.path.normpath(os.path.join(root, path.encode()))
        assert joined.startswith(root)
        return joined

    home.write("l", str(host).encode(), "120000", NOW)
    assert Path(os.fsdecode(careless(home.root, "l"))).read_text() == SECRET
    with pytest.raises(OperationError):
        find(home.root, "l")
    assert isinstance(find(home.root, "."), Place)
