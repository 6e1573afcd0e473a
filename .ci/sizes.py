"""Modules stay under 400 lines (tests under 600) and functions within 60: one line an offence, exit code 1.

Usage: sizes.py [ROOT], by default the project that holds this file.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES = {
    "envs": 400,
    "servers": 400,
    "agents": 400,
    "scenarios": 400,
    "judges": 400,
    "benchmarks": 400,
    ".ci": 400,
    "tests": 600,
}
"""Folder -> the number of lines that a module in it stays under."""

FUNCTION_LINES = 60
"""The most lines of a function, from its `def` to its end."""


def offences(root: Path) -> Iterator[str]:
    """`file:line: what is too long` for every offence below `root`, in path order.

    Raises SyntaxError for a module that doesn't parse.
    """
    for folder, limit in MODULE_LINES.items():
        for path in sorted((root / folder).rglob("*.py")):
            yield from _module_offences(path, path.relative_to(root).as_posix(), limit)


def _module_offences(path: Path, name: str, limit: int) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if lines >= limit:
        yield f"{name}:1: {lines} lines; a module here stays under {limit}"
    for node in ast.walk(ast.parse(text, filename=name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{name}:{node.lineno}: {node.name} has {length} lines; a function has at most {FUNCTION_LINES}"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    found = list(offences(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
