"""The leak check: silent on the tools as they are, and each part of it finds what it is there for."""

import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envs.checks import leaks
from envs.checks.leaks import instants, later_shows, repository_leaks, told_answers, unfound_marks, workplace
from envs.checks.marks import MARK, marked
from envs.checks.repositories import everything_in
from envs.checks.sweep import names_of, sweep
from envs.clock import FrozenClock
from envs.protocol import ToolPack
from envs.workplace.instance import WorkplaceInstance
from planted_leaks import PLANTS, leaking, nothing
from scenarios.library import find
from scenarios.loader import load
from scenarios.scenario import Scenario
from servers.gateway import Gateway
from servers.git.command import git
from small_company import small_company

S12 = load(find("s12"))


def company(*platforms: str) -> Scenario:
    """The small company with what happens on these platforms only, so that a sweep is short."""
    whole = small_company()
    return replace(whole, events=tuple(event for event in whole.events if event.platform in platforms))


TALK = company("slack", "linear")
CODE = company("git", "files")


async def test_the_tools_as_they_are_leak_nothing() -> None:
    """Over every event kind; over the bundled scenarios where all of `envs validate` is run."""
    assert await leaks.leaks(small_company()) == []


@pytest.mark.parametrize("surface", PLANTS)
async def test_a_planted_leak_is_found_whatever_its_surface(surface: str) -> None:
    scenario = CODE if surface in ("git ref", "file time") else TALK
    found = await later_shows(scenario, leaking(PLANTS[surface]))
    assert [note for note in found if "depends on what happens later" in note.message], found
    assert all("\n" not in note.message for note in found)


async def test_the_wrapping_of_the_plants_is_harmless() -> None:
    assert await later_shows(TALK, leaking(nothing)) == []


@pytest.mark.parametrize("surface", ["search", "error text"])
async def test_a_leaked_text_is_found_by_its_mark(surface: str) -> None:
    found = await later_shows(TALK, leaking(PLANTS[surface]))
    assert [note for note in found if "holds what" in note.message]


async def test_a_store_that_shows_nothing_fails_the_second_part() -> None:
    @asynccontextmanager
    async def empty(scenario: Scenario) -> AsyncIterator[Sequence[ToolPack]]:
        yield []

    missing = await unfound_marks(TALK, empty)
    assert len(missing) == len(marked(TALK).events) > 15
    assert await unfound_marks(small_company(), workplace) == []


async def test_an_answer_that_can_be_read_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await told_answers(TALK) == []

    def telling(scenario: Scenario) -> Any:
        """Planted: the briefing has the gold of every question."""
        told = " ".join(str(question.gold) for question in scenario.questions)
        return WorkplaceInstance(replace(scenario, agent=scenario.agent.model_copy(update={"briefing": told})))

    monkeypatch.setattr(leaks, "WorkplaceInstance", telling)
    assert {note.path for note in await told_answers(TALK)} == {("questions", 0), ("questions", 1)}


# ---- what lies in a repository, served or not


def loose_object(bare: str, later: str) -> None:
    git(bare, "hash-object", "-w", "--stdin", given=later.encode())


def packed_object(bare: str, later: str) -> None:
    made = git(bare, "hash-object", "-w", "--stdin", given=later.encode())
    name = git(bare, "pack-objects", f"{bare}/objects/pack/pack", given=made).decode().strip()
    assert Path(bare, "objects", "pack", f"pack-{name}.pack").is_file()
    Path(bare, "objects", made.decode()[:2], made.decode().strip()[2:]).unlink()


def reflog(bare: str, later: str) -> None:
    Path(bare, "logs").mkdir()
    Path(bare, "logs", "HEAD").write_text(f"{'0' * 40} {'1' * 40} A <a@b> 0 +0000\tcommit: {later}\n")


def ref_name(bare: str, later: str) -> None:
    head = git(bare, "for-each-ref", "--count=1", "--format=%(objectname)").decode().strip()
    git(bare, "update-ref", f"refs/heads/{later}", head)


@pytest.mark.parametrize(
    ("plant", "surface"),
    [(loose_object, "objects"), (packed_object, "objects"), (reflog, "file logs/HEAD"), (ref_name, "refs")],
)
async def test_what_a_repository_holds_of_later_is_found(
    plant: Callable[[str, str], None], surface: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await repository_leaks(CODE) == []
    mark = max(marked(CODE).events)

    def planted(bare: Path) -> Any:
        copy = tmp_path / "planted.git"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(bare, copy, copy_function=os.link)
        if git(str(copy), "for-each-ref"):
            plant(str(copy), mark)
        return everything_in(copy)

    monkeypatch.setattr(leaks, "everything_in", planted)
    (found,) = await repository_leaks(CODE)
    assert f"the {surface} of the repository" in found.message


# ---- its means


def test_instants_lie_before_everything_at_the_questions_and_spread() -> None:
    times = instants(S12)
    assert times == sorted(set(times))
    assert times[0] < S12.events[0].time
    assert {question.time for question in S12.questions} < set(times)
    assert len(times) >= 12


async def test_a_sweep_calls_every_tool_rightly_and_wrongly() -> None:
    async with workplace(small_company()) as packs:
        tools = Gateway(packs, FrozenClock(small_company().events[-1].time), lambda: (), charging=True)
        reads = [read async for read in sweep(tools, names_of(small_company()), thorough=True)]
    assert {call.tool for call in tools.calls} == {spec.name for spec in tools.specs()} | {"no_such_tool"}
    assert {call.tool for call in tools.calls if call.error is None} == {spec.name for spec in tools.specs()}
    codes = {call.error for call in tools.calls}
    assert {"channel_not_found", "ticket_not_found", "repo_not_found", "path_not_found", "unknown_argument"} <= codes
    assert "c16x I disagree" in "\n".join(read.text for read in reads)


def test_marks_are_in_every_text_and_change_nothing_else() -> None:
    copy = marked(small_company())
    for before, after in zip(small_company().events, copy.scenario.events, strict=True):
        found = set(MARK.findall(after.payload.model_dump_json()))
        assert (before.id, before.time, before.kind) == (after.id, after.time, after.kind)
        assert found <= copy.events.keys()
        assert bool(found) == (after.id in copy.events.values())
        assert bool(found) or before == after
    assert not set(MARK.findall(repr(small_company())))
