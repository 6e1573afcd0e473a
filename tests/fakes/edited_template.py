"""The scenario that `envs new` writes, with passages replaced: a planted fault, or a step on the way to a good one."""

from __future__ import annotations

from pathlib import Path

from envs.new import write_new

NAME = "demo"


def template(folder: Path) -> Path:
    """The template as a new author gets it."""
    return write_new(NAME, folder)


def edited(folder: Path, *passages: tuple[str, str]) -> Path:
    """The template with each first text replaced by the second, which must be there exactly once."""
    path = template(folder)
    text = path.read_text()
    for old, new in passages:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    path.write_text(text)
    return path
