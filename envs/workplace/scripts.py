"""Answers that a script computes from code: the files as the tools give them, and the script run over them.

A script is called as `python SCRIPT FOLDER`. FOLDER holds one folder for each repository that the question's evidence
names, with the files of the commit that the last of that evidence made or names. What it prints is the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from envs.workplace.enquiry import Enquiry
from envs.workplace.git_showings import commit_of, paged_text
from envs.workplace.showing import Search

_SECONDS = 20
_MOST_BYTES = 65_536
"""Of what a script may write; an answer is a line."""
_RUN = f"""
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({_MOST_BYTES}, {_MOST_BYTES}))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Sets the limit in the process itself: a hook between fork and exec isn't safe where there are threads."""

Files = Mapping[str, str]
"""Path -> text."""


async def code_of(searches: list[Search]) -> dict[str, Files]:
    """Repository -> its files, at the commit of the last Git evidence in each; text files only, fetched by tools."""
    found: dict[str, Files] = {}
    for search in sorted(searches, key=lambda search: search.event.time):
        if search.event.platform == "git" and (sha := await commit_of(search)) is not None:
            repository = getattr(search.event.payload, "repo", "")
            found[repository] = await _checked_out(search.enquiry, repository, sha)
    return found


async def _checked_out(enquiry: Enquiry, repository: str, sha: str) -> Files:
    folder = f"code/{repository}-{sha}"
    files: dict[str, str] = {}
    if await enquiry.ask("git.clone_repository", repository=repository, directory=folder, ref=sha) is None:
        return files
    folders = [folder]
    while folders:
        place = folders.pop()
        for entry in await _entries(enquiry, place):
            path = f"{place}/{entry['name']}"
            if entry["type"] == "directory":
                folders.append(path)
            elif entry["type"] == "file":
                files[path.removeprefix(f"{folder}/")] = await paged_text(enquiry, "files.read_file", path=path)
    return files


async def _entries(enquiry: Enquiry, path: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    after: str | None = None
    while True:
        page = await enquiry.ask("files.list_directory", path=path, after_name=after)
        if page is None:
            return found
        found += page["entries"]
        if not page["has_more"]:
            return found
        after = page["next_after_name"]


async def computed(script: Path, code: Mapping[str, Files]) -> tuple[str | None, str]:
    """What the script prints, None where it fails; and why it failed, in one line."""
    return await asyncio.to_thread(_run, script, code)


def _run(script: Path, code: Mapping[str, Files]) -> tuple[str | None, str]:
    with tempfile.TemporaryDirectory() as folder:
        for repository, files in code.items():
            for path, text in files.items():
                place = Path(folder, repository, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8", newline="")
        return _ended(script, Path(folder))


def _ended(script: Path, folder: Path) -> tuple[str | None, str]:
    """Runs the script in a session of its own, so that what it started ends with it; its output is bounded."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", _RUN, str(script.resolve()), str(folder)],
            cwd=folder,
            env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            code = process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            return None, f"{script.name} took more than {_SECONDS} s"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        printed, said = (_start(file) for file in (out, err))
    if code:
        lines = said.splitlines()
        return None, f"{script.name} ended with {code}{': ' + lines[-1] if lines else ''}"
    return printed, ""


def _start(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(_MOST_BYTES).decode("utf-8", "replace").strip()
