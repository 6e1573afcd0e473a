"""Runs the real command `envs` as a process, against a scripted endpoint that an alias file names."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.canonical import digest
from scripted_endpoint import call, completion

ALIAS = "scripted"
COMMAND = (str(Path(sys.executable).with_name("envs")),)
KILLED = (sys.executable, str(Path(__file__).with_name("killed_run.py")))
"""The command that dies at a place: its first arguments name the place and the count."""


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    code: int
    out: str
    err: str


def environment(folder: Path, url: str, **more: str) -> dict[str, str]:
    """The process's environment: an alias `scripted` for `url`, a home of its own, no key."""
    aliases = folder / "models.yaml"
    fields = f"{{model: scripted, endpoint: '{url}', style: native, context_tokens: 100000, seed: true}}"
    aliases.write_text(f"aliases:\n  {ALIAS}: {fields}\n")
    kept = {name: value for name, value in os.environ.items() if "KEY" not in name and not name.startswith("COV")}
    home = folder / "home"
    home.mkdir(exist_ok=True)
    return {**kept, "DRIFTDESK_MODELS": str(aliases), "HOME": str(home), **more}


async def envs(*arguments: object, env: Mapping[str, str], cwd: Path, command: tuple[str, ...] = COMMAND) -> Ended:
    """Runs `envs` with these arguments to its end."""
    process = await asyncio.create_subprocess_exec(
        *command,
        *map(str, arguments),
        env=dict(env),
        cwd=cwd,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


_READS = (
    ("list_channels", "{}"),
    ("get_channel_messages", '{"channel":"fit-finder","limit":5}'),
    ("list_tickets", '{"team":"FIT","limit":3}'),
    ("get_ticket", '{"ticket_id":"FIT-14"}'),
    ("get_channel_messages", '{"channel":"nowhere"}'),
)


def clerk(body: Mapping[str, Any], number: int) -> dict[str, Any]:
    """A script that depends on the request alone: two reads a question, chosen by seed and history, then an answer."""
    messages = body["messages"]
    asked = max(index for index, message in enumerate(messages) if message["role"] == "user")
    results = len(messages) - asked - 1
    choice = int(digest([body["seed"], len(messages)]), 16)
    if results < 4:
        name, arguments = _READS[choice % len(_READS)]
        return completion({"content": None, "tool_calls": [call(name, arguments)]}, "tool_calls")
    return completion({"content": ("Marit", "14 %", "6 November 2025", "Skarn")[choice % 4]})
