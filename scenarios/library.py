"""The bundled scenarios by name. Light: it reads file names only, for `envs list` and completion."""

from __future__ import annotations

from pathlib import Path

from envs.errors import ScenarioError
from scenarios.mistake import quoted, suggestion

_FOLDER = Path(__file__).parent


def bundled() -> list[str]:
    """The ids of the bundled scenarios, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def find(name: str) -> Path:
    """The file of a bundled scenario's id, or the YAML file that `name` is the path of.

    Raises ScenarioError, with the nearest name, where there is neither.
    """
    ids = bundled()
    if name in ids:
        return _FOLDER / f"{name}.yaml"
    path = Path(name)
    if path.suffix not in {".yaml", ".yml"}:
        message = f"there is no scenario {quoted(name)}{suggestion(name, ids)}; a file's name ends in .yaml"
        raise ScenarioError(message)
    if path.exists() and not path.is_file():
        raise ScenarioError(f"{quoted(name, 500)} is no file; name a scenario file")
    if not path.is_file():
        siblings = [other.name for other in path.parent.glob("*.y*ml")] if path.parent.is_dir() else []
        raise ScenarioError(f"there is no file {quoted(name, 500)}{suggestion(path.name, siblings)}")
    return path
