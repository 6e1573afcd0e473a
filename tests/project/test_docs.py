"""README and docs stay true: commands run or their options are known, links and the tests named exist."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ENVS = Path(sys.executable).parent / "envs"
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]

RUN_BY = {
    "make setup": (".ci/run", "for step in system setup check test demo"),
    "make test": (".ci/run", "for step in system setup check test demo"),
    "make demo": (".ci/run", "for step in system setup check test demo"),
    ".venv/bin/envs list": ("tests/project/test_wheel.py", 'installed / "envs", "list"'),
    "export OPENAI_API_KEY=...": ("agents/models.yaml", "OPENAI_API_KEY"),
}
"""Command -> the file that runs it (or reads what it sets) and the words there that do. `envs` has its own check."""


def commands(page: str) -> list[str]:
    """The commands of a page: in `console` blocks the lines after `$ `, in `sh` blocks all but comments."""
    found = []
    for language, block in re.findall(r"^```(console|sh)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
        if language == "console":
            found += [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        else:
            found += [line for line in lines if line and not line.startswith("#")]
    return found


@cache
def help_of(*subcommand: str) -> str:
    result = subprocess.run([ENVS, *subcommand, "--help"], capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else ""


def problem(command: str) -> str | None:
    """Why a command is not to be trusted; None where it is."""
    program, *arguments = command.split()
    if program == "envs":
        length = 2 if arguments[0] == "setup" else 1
        text = help_of(*arguments[:length])
        options = [argument for argument in arguments if argument.startswith("--")]
        unknown = [option for option in options if not re.search(rf"{option}(?![\w-])", text)]
        return None if text and not unknown else f"`{command}`: envs does not know {unknown or arguments[0]}"
    if command not in RUN_BY:
        return f"`{command}`: no test and no CI step runs it"
    file, words = RUN_BY[command]
    return None if words in (PROJECT / file).read_text(encoding="utf-8") else f"`{command}`: no longer run by {file}"


def broken_links(page: Path, text: str) -> list[str]:
    """The relative links of a page that lead nowhere."""
    links = re.findall(r"\]\(([^)#\s]+)", text)
    return [link for link in links if "://" not in link and not (page.parent / link).exists()]


def missing_tests(text: str) -> list[str]:
    """The test ids (`tests/a/test_b.py::test_c`) in a text that name no test."""
    missing = []
    for file, name in re.findall(r"(tests/[\w/]+\.py)::(\w+)", text):
        path = PROJECT / file
        if not path.exists() or not re.search(rf"def {name}\(", path.read_text(encoding="utf-8")):
            missing.append(f"{file}::{name}")
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_shown_works(page: Path) -> None:
    assert [found for command in commands(page.read_text(encoding="utf-8")) if (found := problem(command))] == []


def test_the_readme_shows_the_commands_that_matter() -> None:
    shown = commands((PROJECT / "README.md").read_text(encoding="utf-8"))
    assert shown[:2] == ["make demo", "make test"]
    assert {command.split()[1] for command in shown if command.startswith("envs ")} >= {"run", "report", "serve"}


def test_agents_and_scenarios_shown_exist() -> None:
    known = subprocess.run([ENVS, "list"], capture_output=True, text=True, check=True).stdout.replace(",", " ").split()
    shown = " ".join(command for page in PAGES for command in commands(page.read_text(encoding="utf-8")))
    named = re.findall(r"--(?:agent|scenario) (\S+)", shown)
    assert named
    assert [name for name in named if name not in known and not name.endswith(".yaml") and "@" not in name] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("command", ["envs run --no-such-option x", "envs no-such-command", "make no-such-target"])
def test_a_planted_command_is_refused(command: str) -> None:
    assert commands(f"Text\n```console\n$ {command}\noutput\n```\n```sh\n# why\n{command}\n```\n") == [command] * 2
    assert problem(command) is not None


def test_a_planted_link_is_found() -> None:
    assert broken_links(PAGES[0], "[a](README.md) [b](no/such.md#x) [c](https://x.invalid)") == ["no/such.md"]


def test_every_invariant_names_tests_that_exist_or_says_what_brings_them() -> None:
    text = (PROJECT / "docs" / "INVARIANTS.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert [section.partition(".")[0] for section in sections] == [str(number) for number in range(1, 9)]
    assert [section for section in sections if "::test_" not in section and "comes with" not in section] == []
    assert missing_tests(text) == []


def test_a_planted_test_id_is_found() -> None:
    text = "`tests/project/test_docs.py::test_a_planted_test_id_is_found`, `tests/project/test_docs.py::test_none`"
    assert missing_tests(text) == ["tests/project/test_docs.py::test_none"]
