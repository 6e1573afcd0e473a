"""Nothing leaves the machine: whole commands run under a guard that sees every name looked up and every connection."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ENVS = Path(sys.executable).parent / "envs"

GUARD = """
import os, sys

def audit(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in (None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0"):
        with open(os.environ["GUARD_LOG"], "a") as log:
            log.write(f"{event} {host}\\n")
        raise OSError("this test has no network")

sys.addaudithook(audit)
"""


def outward(command: list[str | Path], folder: Path) -> tuple[int, list[str]]:
    """Exit code of the command, and what it tried to reach beyond this machine; children are guarded too."""
    guard = folder / "guard"
    guard.mkdir()
    (guard / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    log = folder / "outward.log"
    log.touch()
    # No switch of any library's telemetry comes from outside: it must be off by our own doing.
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "XDG_CACHE_HOME", "LANG"}}
    result = subprocess.run(
        command,
        cwd=folder,
        env=kept | {"PYTHONPATH": str(guard), "GUARD_LOG": str(log)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=50,
        check=False,
    )
    return result.returncode, log.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["run", "--scenario", "s12", "--agent", "silent"],
        ["serve", "--scenario", "s12", "--transport", "stdio"],
    ],
    ids=["list", "run", "serve"],
)
def test_commands_reach_for_nothing_outside(arguments: list[str], tmp_path: Path) -> None:
    assert outward([ENVS, *arguments], tmp_path) == (0, [])


def test_the_guard_sees_a_lookup_and_a_connection(tmp_path: Path) -> None:
    code = (
        "import socket\n"
        "for reach in (lambda: socket.getaddrinfo('telemetry.invalid', 443),\n"
        "              lambda: socket.create_connection(('192.0.2.1', 443), 1)):\n"
        "    try:\n"
        "        reach()\n"
        "    except OSError:\n"
        "        pass\n"
    )
    assert outward([sys.executable, "-c", code], tmp_path) == (
        0,
        ["socket.getaddrinfo telemetry.invalid", "socket.getaddrinfo 192.0.2.1"],
    )
