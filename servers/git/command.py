"""Running the host's git so that nothing of the host, its user or its settings has a part in what comes out."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from envs.errors import Fault, UserError

_SECONDS = 120
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.attributesFile=/dev/null",
    "log.mailmap=false",
    "gc.auto=0",
    # A pack whatever the number of objects, so that a repository is a few files.
    "fastimport.unpackLimit=0",
)


def check_git() -> None:
    """Raises UserError where there is no git to run."""
    if shutil.which("git", path=_path()) is None:
        raise UserError("git: the program is not on PATH; install it (Debian: apt-get install git)")


def git(repository: str, *arguments: str, given: bytes = b"") -> bytes:
    """What a git command prints, run on the bare repository at that path. Raises Fault where it fails."""
    done = _run(repository, arguments, given)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise Fault("internal", f"git {arguments[0]} ended with {done.returncode}: {said}")
    return done.stdout


def git_or_none(repository: str, *arguments: str) -> bytes | None:
    """The same for a command whose failure is an answer: None."""
    done = _run(repository, arguments, b"")
    return None if done.returncode else done.stdout


def _run(repository: str, arguments: Sequence[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "--no-pager", f"--git-dir={repository}", *_settings(), *arguments]
    try:
        return subprocess.run(
            command, input=given, capture_output=True, env=_environment(), cwd="/", timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Fault("internal", f"git {arguments[0]} could not be run: {error}") from None


def _settings() -> Sequence[str]:
    """The configuration of every command, which no file adds to."""
    return [part for setting in _SETTINGS for part in ("-c", setting)]


def _environment() -> dict[str, str]:
    """All of the environment that git gets: made here, but for where programs are found."""
    return {
        "PATH": _path(),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        # No transport at all: whatever a repository says, git reaches for nothing.
        "GIT_ALLOW_PROTOCOL": "none",
    }


def _path() -> str:
    return os.environ.get("PATH", os.defpath)
