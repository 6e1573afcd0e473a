"""Names of branches and paths: Git says which refs are legal; paths that lead out are refused, odd ones taken."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.git_names import contained_path, legal_ref

LEGAL = [
    "main",
    "fix/rounding",
    "ünï-code",
    "a.b",
    "a-",
    "x@y",
    "@x",
    "{x}",
    "1.2",
    "v1.0-rc.1",
    "a./b",
    "feature#7",
    "'",
    "$(x)",
]
"""The second last ones are odd, and legal."""
ILLEGAL = [
    "",
    "@",
    "a b",
    "a..b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[b",
    "a\\b",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a.",
    "a@{b",
    "a\tb",
    "a\x7f",
]
OURS = ["-a", "--upload-pack=x", "HEAD", "a1" * 20, "b" * 64, "x" * 121]
"""Refused here though Git's own check takes them."""


def git_takes(name: str) -> bool:
    return subprocess.run(["git", "check-ref-format", f"refs/heads/{name}"], check=False).returncode == 0


def taken(name: str) -> bool:
    try:
        return legal_ref(name) == name
    except ValueError:
        return False


@pytest.mark.parametrize("name", [*LEGAL, *ILLEGAL])
def test_refs_are_those_that_git_takes(name: str) -> None:
    assert taken(name) == (name in LEGAL)
    assert name == "@" or git_takes(name) == (name in LEGAL)


@pytest.mark.parametrize("name", OURS)
def test_refs_that_could_be_taken_for_something_else_are_refused(name: str) -> None:
    assert not taken(name)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet=st.sampled_from("ab./-@{}~^:?*[\\ \x01lock"), min_size=1, max_size=8))
def test_no_ref_is_taken_that_git_refuses(name: str) -> None:
    if taken(name):
        assert git_takes(name)


ODD = [
    "-rf",
    "--help",
    "a b",
    " ",
    "a\nb",
    "ünï/文件.txt",
    "*",
    "$(id)",
    "'",
    '"',
    "~",
    ".gitignore",
    ".github/x.yml",
    "git",
    "a.git",
    "...",
    "con",
    "%2e%2e/x",
    "a:b",
    "#x",
]
OUT = [
    "",
    "/",
    "/etc/passwd",
    "..",
    "../x",
    "a/../b",
    "a/..",
    ".",
    "./a",
    "a//b",
    "a/",
    ".git",
    ".git/config",
    "a/.GIT/b",
    ".git.",
    ".git /x",
    "git~1",
    "GIT~1/x",
    ".git::$INDEX_ALLOCATION/x",
    ".g\u200dit/x",
    ".gitmodules",
    "a\\b",
    "a\0b",
    "x" * 256,
    "a/" * 200 + "a",
]


@pytest.mark.parametrize("path", ODD)
def test_odd_paths_are_taken_as_they_are(path: str) -> None:
    assert contained_path(path) == path


@pytest.mark.parametrize("path", OUT)
def test_paths_that_lead_out_are_refused_in_one_line(path: str) -> None:
    with pytest.raises(ValueError, match="; ") as caught:
        contained_path(path)
    assert "\n" not in str(caught.value)
