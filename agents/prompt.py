"""The prompt texts in `prompts/`, and their digests for the record."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from envs import canonical

_FOLDER = Path(__file__).with_name("prompts")


@cache
def prompt(name: str) -> str:
    """The text of `prompts/NAME.txt`, without its last line break."""
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")


@cache
def digests() -> dict[str, str]:
    """Digest of every prompt file, by name."""
    return {path.stem: canonical.digest(prompt(path.stem)) for path in sorted(_FOLDER.glob("*.txt"))}
