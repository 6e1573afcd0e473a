"""docs/authoring.md is true: its commands and its YAML lead from `envs new` to a scenario that is clean when strict."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command import Ended, envs

PAGE = Path(__file__).parents[2] / "docs" / "authoring.md"
STEP = re.compile(r"^(In place of|Add to) `(\w+):`\n\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sections(text: str) -> dict[str, str]:
    """Top-level key -> its part of the file, with what comes before the first under a blank key."""
    parts = re.split(r"^(\w+):", text, flags=re.MULTILINE)
    found = {"": parts[0]}
    found |= {key: f"{key}:{body}" for key, body in zip(parts[1::2], parts[2::2], strict=True)}
    return found


def carry_out(file: Path, how: str, key: str, block: str) -> None:
    """Does to the file what the page says."""
    found = sections(file.read_text())
    assert block.startswith(f"{key}:\n")
    added = block.removeprefix(f"{key}:\n")
    found[key] = block + "\n" if how == "In place of" else f"{found[key].rstrip()}\n\n{added}\n"
    file.write_text("".join(found.values()))


def steps() -> list[tuple[str, tuple[str, ...]]]:
    """The console blocks and the edits of the page, in its order."""
    text = PAGE.read_text()
    found: list[tuple[int, str, tuple[str, ...]]] = []
    found += [(match.start(), "console", (match[1],)) for match in CONSOLE.finditer(text)]
    found += [(match.start(), "edit", (match[1], match[2], match[3])) for match in STEP.finditer(text)]
    return [(kind, given) for _, kind, given in sorted(found)]


async def run(block: str, folder: Path) -> list[tuple[str, Ended, list[str]]]:
    """Each command of a console block: how it ended, and the lines that the page shows below it."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    ended = []
    for command in block.split("$ ")[1:]:
        line, *shown = command.rstrip().splitlines()
        ended.append((line, await envs(*line.split()[1:], env=env, cwd=folder), shown))
    return ended


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("author")


async def test_the_page_leads_to_a_scenario_that_is_clean_when_strict(folder: Path) -> None:
    commands = []
    for kind, given in steps():
        if kind == "edit":
            how, key, block = given
            carry_out(folder / "demo.yaml", how, key, block)
            continue
        for line, ended, shown in await run(given[0], folder):
            commands.append(line)
            assert ended.code == 0, (line, ended.out, ended.err)
            missing = [each for each in shown if not any(told.startswith(each) for told in ended.out.splitlines())]
            assert missing == [], (line, ended.out)
    assert [line.split()[1] for line in commands] == ["new", "validate", "show", "show", "show", "validate", "harden"]
    assert [kind for kind, _ in steps()].count("edit") == 3
    assert "--strict" in commands[5]


def test_a_step_that_the_page_leaves_out_would_be_missed(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("# note\nid: a\norg:\n  x: 1\ntimeline:\n  - a\nquestions:\n  - q\n")
    carry_out(file, "Add to", "timeline", "timeline:\n  - b\n")
    carry_out(file, "In place of", "org", "org:\n  y: 2\n")
    lines = [line.strip() for line in file.read_text().splitlines() if line.strip()]
    assert lines == ["# note", "id: a", "org:", "y: 2", "timeline:", "- a", "- b", "questions:", "- q"]
    with pytest.raises(KeyError):
        carry_out(file, "Add to", "nothing", "nothing:\n  - b\n")
