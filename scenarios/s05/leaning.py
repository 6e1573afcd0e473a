"""How many recipes of a checkout read a file without naming its encoding: `python leaning.py FOLDER`.

FOLDER has the repository `renglon` in it. Recipes are the files directly in `recipes`. An encoding is named by keyword,
as the second argument, or in a dictionary of the module that is spread into the call.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def leans(recipe: ast.Module) -> bool:
    """Whether a call of `read` in the recipe names no encoding."""
    naming = {
        target.id
        for statement in recipe.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict)
        for target in statement.targets
        if isinstance(target, ast.Name) and "encoding" in map(_literal, statement.value.keys)
    }
    return any(not _names_encoding(node, naming) for node in ast.walk(recipe) if _is_read(node))


def _is_read(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "read"


def _names_encoding(call: ast.AST, naming: set[str]) -> bool:
    assert isinstance(call, ast.Call)
    spread = {each.value.id for each in call.keywords if each.arg is None and isinstance(each.value, ast.Name)}
    return len(call.args) > 1 or any(each.arg == "encoding" for each in call.keywords) or bool(spread & naming)


def _literal(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def main(folder: str) -> None:
    recipes = sorted(Path(folder, "renglon", "recipes").glob("*.py"))
    count = sum(leans(ast.parse(path.read_text(encoding="utf-8"))) for path in recipes)
    sys.stdout.write(f"{count}\n")


if __name__ == "__main__":
    main(sys.argv[1])
