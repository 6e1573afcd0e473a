"""Refs, paths and URLs that try to be something else: refused, nothing written, nothing run; the legal ones work."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from git_company import built, commit, git_company, git_event, stream_of
from servers.gateway import Gateway
from servers.git.command import git
from small_company import answer, refusal, tools_at

END = "2025-05-03T00:00"
BRANCHES = (
    "feature/x",
    "Grüße",
    "日本",
    "a=b",
    "v1.0",
    "-".join("abc"),
    "x{1}",
    "quo'te",
    'dou"ble',
    "a;b",
    "$x",
    "deadbeef",
)
EVENTS = (
    commit(
        "begin", "2025-05-01T09:00", message="Begin", write={"f": "1\n", "-o": "dash\n", "sp ace": "s\n", ":x": "c\n"}
    ),
    *(git_event("branch", "2025-05-01T10:00", branch=branch) for branch in BRANCHES),
    git_event("tag", "2025-05-01T11:00", tag="rel-1", message="One"),
    commit("late", "2025-05-01T12:00", message="Late", write={"f": "2\n"}),
)

NO_REFS = (
    "--output={file}", "-o{file}", "--exec=touch {file}", "--upload-pack=touch {file}", "-", "--", "--all", "--stdin",
    "--end-of-options", "--git-dir=/etc", "-c core.pager=touch", "HEAD --output={file}", "HEAD\n--output={file}",
    "main..rel-1", "main...rel-1", "^main", "HEAD@{0}", "HEAD@{yesterday}", "@{-1}", "@{u}", ":/Begin", "HEAD:f", ":f",
    "HEAD^{/Begin}", "HEAD^{tree}", "HEAD^{blob}", "refs/heads/*", "main^@", "main^!", "main^-", "", " ", "nothing",
    "ffffffff", "../../etc/passwd", "refs/../HEAD", "HEAD\\x00", "main\x7f", "0" * 40, "x" * 5000, "rel-1^{}",
)  # fmt: skip


async def clone(**arguments: Any) -> Gateway:
    gateway = tools_at(END, git_company(*EVENTS))
    await answer(gateway, "clone_repository", repository="app", **arguments)
    return gateway


@pytest.mark.parametrize("ref", NO_REFS)
async def test_what_is_no_ref_of_the_clone_is_refused_and_writes_nothing(ref: str, tmp_path: Path) -> None:
    file = tmp_path / "made"
    name = ref.format(file=file) if "{file}" in ref else ref
    gateway = await clone()
    for tool, arguments in (
        ("git_log", {"ref": name}),
        ("git_show", {"ref": name}),
        ("git_show", {"ref": name, "path": "f"}),
        ("git_diff", {"base": name, "target": "main"}),
        ("git_diff", {"base": "main", "target": name}),
        ("clone_repository", {"ref": name, "directory": "other"}),
    ):
        error = await refusal(gateway, tool, repository="app", **arguments)
        assert error["error"] in ("ref_not_found", "invalid_arguments"), (tool, error)
    assert list(tmp_path.iterdir()) == []


def test_the_attack_is_real(tmp_path: Path) -> None:
    """Planted: text of a model in a place where options stand writes a file; behind the end of options it doesn't."""
    repository = built(tmp_path / "r", stream_of(EVENTS), len(EVENTS)).bare.path
    file = tmp_path / "made"
    git(repository, "log", f"--output={file}")
    assert file.exists()
    file.unlink()
    done = subprocess.run(
        ["git", f"--git-dir={repository}", "log", "--end-of-options", f"--output={file}"], capture_output=True
    )
    assert done.returncode
    assert not file.exists()


@pytest.mark.parametrize(
    "ref", [*BRANCHES, *(f"origin/{branch}" for branch in BRANCHES), "refs/heads/main", "HEAD~1", "rel-1"]
)
async def test_odd_but_legal_refs_work(ref: str) -> None:
    gateway = await clone()
    log = await answer(gateway, "git_log", repository="app", ref=ref)
    assert log["commits"][-1]["subject"] == "Begin"
    sha = log["commits"][0]["sha"]
    for short in (sha, sha[:8], sha.upper(), f" {sha} "):
        assert (await answer(gateway, "git_show", repository="app", ref=short))["commit"]["sha"] == sha


@pytest.mark.parametrize("path", ["-o", "sp ace", ":x"])
async def test_odd_but_legal_paths_work(path: str) -> None:
    gateway = await clone()
    assert (await answer(gateway, "git_show", repository="app", path=path))["total_lines"] == 1
    assert len((await answer(gateway, "git_log", repository="app", path=path))["commits"]) == 1
    assert (await answer(gateway, "read_file", path=f"app/{path}"))["total_lines"] == 1
    assert "+" in (await answer(gateway, "git_diff", repository="app", base="HEAD~1", target="HEAD"))["content"]


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../f", "a/../../f", "..", ".", "", "/", ".git/config", "a//b", ".GIT/x", "nul\0", "x" * 500],
)
async def test_paths_that_lead_out_of_a_repository_are_refused(path: str) -> None:
    gateway = await clone()
    for tool, arguments in (("git_show", {}), ("git_log", {}), ("git_diff", {"base": "HEAD~1", "target": "HEAD"})):
        assert (await refusal(gateway, tool, repository="app", path=path, **arguments))["error"] == "invalid_arguments"


@pytest.mark.parametrize("path", ["*", ":(glob)**", ":/", ":!f", "f?", "[f]"])
async def test_a_path_is_a_name_and_no_pattern(path: str) -> None:
    gateway = await clone()
    assert (await answer(gateway, "git_log", repository="app", path=path))["commits"] == []


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% {file}", "file:///etc", "/etc", "--upload-pack=touch {file}", "-uapp", "../app", ".",
        "app/../app",
        "https://git.birch-sons.example/other.git", "git@github.com:a/b.git",
        "https://git.birch-sons.example.evil.example/app.git",
        "fd::7", "app\n", "app --mirror",
    ],
)  # fmt: skip
async def test_only_the_companys_repositories_are_cloned(url: str, tmp_path: Path) -> None:
    gateway = tools_at(END, git_company(*EVENTS))
    name = url.format(file=tmp_path / "made")
    if name.strip() == "app":
        assert (await answer(gateway, "clone_repository", repository=name))["repository"] == "app"
    else:
        assert (await refusal(gateway, "clone_repository", repository=name))["error"] == "repo_not_found"
    assert list(tmp_path.iterdir()) == []


async def test_what_a_repository_says_of_itself_runs_and_changes_nothing() -> None:
    """Attributes, a mail map and hooks are files like others."""
    files = {
        ".gitattributes": "* diff=evil\n*.txt binary\nf export-subst ident\n",
        ".mailmap": "Other Name <other@x.example> <kim@birch.example>\n",
        "hooks/post-checkout": {"text": "#!/bin/sh\ntouch /tmp/driftdesk-hooked\n", "mode": "100755"},
        "a.txt": "$Id$\r\n",
    }
    events = (
        commit("begin", "2025-05-01T09:00", write=files),
        commit("more", "2025-05-01T10:00", write={"a.txt": "b\n"}),
    )
    gateway = tools_at(END, git_company(*events))
    made = await answer(gateway, "clone_repository", repository="app")
    assert made["head"]["author"] == "Kim Roe <kim@birch.example>"
    assert (await answer(gateway, "git_show", repository="app", ref="HEAD~1", path="a.txt"))["content"] == "$Id$\r\n"
    assert "-$Id$\r\n+b\n" in (await answer(gateway, "git_show", repository="app"))["content"]
    assert not Path("/tmp/driftdesk-hooked").exists()
