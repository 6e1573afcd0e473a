"""`envs new`: a commented scenario to start from."""

from __future__ import annotations

import re
import uuid
from pathlib import Path

from envs.errors import ScenarioError
from scenarios.mistake import quoted

TEMPLATE = Path(__file__).with_name("template.yaml")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}", re.ASCII)


def write_new(name: str, folder: Path) -> Path:
    """Writes `NAME.yaml` and gives its path. Raises ScenarioError for a name that no scenario can have, and where the
    file is there already."""
    stem = name.removesuffix(".yaml")
    if _NAME.fullmatch(stem) is None:
        raise ScenarioError(f"{quoted(name)} can't name a scenario; write a small letter, then letters, digits, _ or -")
    path = folder / f"{stem}.yaml"
    text = TEMPLATE.read_text(encoding="utf-8").replace("__NAME__", stem).replace("__GUID__", str(uuid.uuid4()))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ScenarioError(f"{path} is there already; choose another name or remove it") from None
    except OSError as error:
        raise ScenarioError(f"{path}: can't be written: {error.strerror}") from None
    return path
