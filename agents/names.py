"""The alias files and the names in them, read without what an agent needs, so that completion answers at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import ryaml

from envs.errors import ModelConfigError

BUILT_IN = Path(__file__).with_name("models.yaml")
BASELINES = ("scan", "silent")
"""Agents without a model."""

ORACLE = "oracle"
"""Knows the gold, so that the runner makes it, from what it ran on: no agent that is made here sees any."""

_MAX_BYTES = 262_144


def known_agents() -> list[str]:
    """Every agent that can be named without an address, aliases first, in the order of their files.

    Raises ModelConfigError for an alias file that can't be read.
    """
    path = user_file()
    aliases = {**entries(BUILT_IN), **(entries(path) if path is not None else {})}
    return [*aliases, ORACLE, *BASELINES]


def user_file() -> Path | None:
    """The user's alias file, if there is one. Raises ModelConfigError where DRIFTDESK_MODELS names none."""
    named = os.environ.get("DRIFTDESK_MODELS")
    if named:
        path = Path(named)
        if not path.is_file():
            raise ModelConfigError(f"{path}: no such file; DRIFTDESK_MODELS names it: correct or unset the variable")
        return path
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = Path(home) / "driftdesk" / "models.yaml"
    return path if path.is_file() else None


def entries(path: Path) -> dict[str, Any]:
    """Alias name -> what the file says of it, unchecked. Raises ModelConfigError for a file of another shape."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ModelConfigError(f"{path}: can't be read: {error.strerror}") from None
    if len(raw) > _MAX_BYTES:
        raise ModelConfigError(f"{path}: larger than {_MAX_BYTES} bytes; it should hold aliases only")
    try:
        content = ryaml.loads(raw.decode())  # type: ignore[attr-defined]  # its exports aren't declared
    except ValueError as error:  # of the parser and of UTF-8
        raise ModelConfigError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict) or not isinstance(content.get("aliases"), dict):
        raise ModelConfigError(f"{path}: it needs one key `aliases:` with the aliases, by name, under it")
    for key in content:
        if key != "aliases":
            raise ModelConfigError(f"{path}: unknown key {key!r}; the only one here is 'aliases'")
    return {str(name): entry for name, entry in content["aliases"].items()}
