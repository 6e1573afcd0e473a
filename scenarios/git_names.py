"""Names that Git takes: those of branches and tags, and paths that stay inside their repository or folder."""

from __future__ import annotations

import re

from scenarios.mistake import quoted

_REF_BAD = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//")
_HEX_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# What Git takes for `.git` on some file system: other case, the short name, trailing dots or spaces, a stream. And
# `.gitmodules`, which would name repositories elsewhere.
_DOT_GIT = re.compile(r"(?:\.git(?:modules)?|git~1)[ .]*(?::.*)?", re.IGNORECASE | re.DOTALL)
_IGNORED_BY_HFS = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))

_LONGEST_REF = 120
_LONGEST_PATH = 400
_LONGEST_PART = 255
"""Bytes of one part of a path, as file systems have it."""


def legal_ref(name: str) -> str:
    """`name` unchanged, where Git takes it for a branch or a tag (the rules of git-check-ref-format).

    Raises ValueError also for names that a command could take for something else: a dash first, HEAD, an object's id.
    """
    if not name or len(name) > _LONGEST_REF:
        raise ValueError(f"a branch or tag name has 1 to {_LONGEST_REF} characters; write another")
    if name.startswith("-"):
        raise ValueError(f"{quoted(name)} begins with a dash, which commands take for an option; choose another name")
    if name in ("@", "HEAD") or _HEX_ID.fullmatch(name):
        raise ValueError(f"{quoted(name)} means something else to Git; choose another name")
    found = _REF_BAD.search(name)
    if found is not None:
        raise ValueError(f"{quoted(found[0])} can't stand in a branch or tag name; choose another")
    for part in name.split("/"):
        if not part or part.startswith(".") or part.endswith(".lock"):
            raise ValueError(f"Git takes no branch or tag name with the part {quoted(part)}; choose another name")
    if name.endswith("."):
        raise ValueError(f"{quoted(name)} ends in a dot, which Git doesn't take; choose another name")
    return name


def contained_path(path: str) -> str:
    """`path` unchanged, where it is relative, with slashes, and leads nowhere out of its folder nor into `.git`.

    Raises ValueError. Odd but legal names (spaces, a dash first, any letters) are taken.
    """
    if not path or len(path) > _LONGEST_PATH:
        raise ValueError(f"a path has 1 to {_LONGEST_PATH} characters; write another")
    if path.startswith("/"):
        raise ValueError(f"{quoted(path)} is absolute; write it relative to the top, as in src/main.py")
    if "\\" in path or "\x00" in path:
        raise ValueError(f"{quoted(path)} has a character that no path here has; separate folders by /")
    for part in path.split("/"):
        if part in ("", ".", ".."):
            raise ValueError(f"{quoted(path)} has the part {quoted(part)}; write the plain path from the top")
        if _DOT_GIT.fullmatch(part.translate(_IGNORED_BY_HFS)):
            raise ValueError(f"{quoted(path)} has the part {quoted(part)}, which is Git's own; choose another name")
        if len(part.encode()) > _LONGEST_PART:
            raise ValueError(f"a part of the path is longer than {_LONGEST_PART} bytes; choose a shorter name")
    return path
