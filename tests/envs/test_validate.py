"""`envs validate`: the template passes, and a planted fault is found by the check for it, in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from agents.baselines import Silent
from command import envs
from edited_template import NAME, edited, template
from envs.checks import evidence, replaying, solving
from envs.checks.diversity import PAPER, diversity
from envs.checks.suite import CHECKS, FIRST
from envs.protocol import Answer, Question
from envs.validate import Report, render, report_json, validate
from scenarios.library import find
from scenarios.loader import load

ENV = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_CACHE_HOME": "/tmp"}

MOVED = "the demo is on 21 October, same room."
AGREED = "text: What Jon wrote on the ticket holds, I have told everybody who has to know."
END = "    hops: 2\n"
LATER = """
  - at: 2025-10-07T17:00
    {event}

questions:
"""


def later(event: str) -> tuple[str, str]:
    return "\nquestions:\n", LATER.format(event=event)


async def findings(path: Path) -> list[tuple[str, str]]:
    """(check, what stands at the finding's place in the file)."""
    report = await validate(path, lambda text: None)
    lines = path.read_text().splitlines()
    return [(each.check, lines[each.line - 1][each.column - 1 :]) for each in report.findings]


async def test_the_template_has_warnings_only(tmp_path: Path) -> None:
    report = await validate(template(tmp_path), lambda text: None)
    assert {(each.check, each.severity) for each in report.findings} == {
        (name, "warning") for name in ("hops", "switches", "platforms", "time", "distractor")
    }
    assert not report.failed(strict=False)
    assert report.failed(strict=True)


FAULTS: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = [
    ("answer", "{date: 2025-10-22}", [("answer: {date: 2025-10-21}", "answer: {date: 2025-10-22}")]),
    ("oracle", "evidence:", [("answer: {date: 2025-10-21}", "answer: {date: 2025-10-22}")]),
    (
        "overturned",
        "agreed: What Jon",
        [later('slack.edit: {message: agreed, text: "Please wait, I have to ask again"}')],
    ),
    ("overturned", "moved: the demo", [later("linear.delete: {issue: PLAN-1, by: ida}")]),
    (
        "giveaway",
        ">-",
        [("ask: I want to book", "ask: >-\n      Not the 14th but 21 October, isn't it? I want to book")],
    ),
    ("giveaway", "I want", [("keep track of its plans.", "keep track of its plans, such as 21 October.")]),
    (
        "oracle",
        "evidence:",
        [
            ("- {name: lunch, members: [sam, ida, jon]}", "- {name: lunch, members: [ida, jon]}"),
            ("text: Soup or the other soup?}", "text: Soup or the other soup?}\n    id: soup"),
            ("      agreed: What", "      soup: the other soup\n      agreed: What"),
        ],
    ),
    (
        "mutation",
        "agreed: What Jon",
        [later("slack.message: {from: ida, channel: product, text: What Jon wrote on the ticket holds}")],
    ),
    ("contested", "{date: 2025-10-21}", [later("linear.comment: {issue: PLAN-1, by: ida, body: Or 23 October?}")]),
    ("platform", "evidence:", [("      agreed: What Jon wrote on the ticket holds\n", "")]),
    ("spread", "evidence:", [("      agreed: What Jon wrote on the ticket holds\n", "")]),
    (
        "scan",
        "questions:",
        [("ask: I want to book the big screen", "ask: When did Jon talk to the board's office, away all of that week")],
    ),
    (
        "guess",
        "{date: 2025-10-21}",
        [
            (
                END,
                "    hops: 2\n  - id: again\n    ask: And for when is the board invited?\n"
                "    answer: {date: 2025-10-21}\n    evidence: {moved: 21 October, agreed: What Jon}\n",
            )
        ],
    ),
    ("revision", "questions:", [('    was: ["2025-10-14"]', "    tags: [x]")]),
    ("unnamed", "I want", [("presentation to the board", "presentation of PLAN-1")]),
    ("unnamed", "I want", [("presentation to the board", "board, as discussed in product")]),
]


@pytest.mark.parametrize(("check", "place", "passages"), FAULTS, ids=lambda value: value if len(value) < 20 else "")
async def test_a_planted_fault_is_found_in_its_place(
    check: str, place: str, passages: Sequence[tuple[str, str]], tmp_path: Path
) -> None:
    found = await findings(edited(tmp_path, *passages))
    assert [at for name, at in found if name == check and at.startswith(place)], found


def test_every_check_has_a_planted_fault() -> None:
    planted = {check for check, _, _ in FAULTS}
    # Those that no file can fail that loads, or that the template fails, have tests of their own below and elsewhere.
    others = {"replay", "git", "evidence", "silent", "leak", "hops", "switches", "platforms", "time", "distractor"}
    assert planted | others == {check.name for check in (*FIRST, *CHECKS)}
    assert len({check.name for check in (*FIRST, *CHECKS)}) == len(FIRST) + len(CHECKS)


async def test_what_no_file_can_hold_is_found_in_memory(tmp_path: Path) -> None:
    demo = load(template(tmp_path))
    unordered = replace(demo, events=(*demo.events[1:], demo.events[0]))
    (note,) = await replaying.replays(unordered)
    assert "agreed" in note.message
    question = demo.questions[0]
    for wrong, said in (
        ({"nowhere": "x"}, "there is no event"),
        ({"moved": "the demo is on 22 October"}, "doesn't say"),
    ):
        (note,) = await evidence.presence(replace(demo, questions=(replace(question, evidence=wrong),)))
        assert said in note.message
    early = replace(question, time=demo.events[0].time)
    assert len(await evidence.presence(replace(demo, questions=(early,)))) == 2


async def test_a_silence_that_scores_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = load(template(tmp_path))
    assert await solving.silence(demo) == []

    class Lucky(Silent):
        async def answer(self, question: Question, *_: object) -> Answer:
            return Answer(question.id, "2025-10-21", "answer")

    monkeypatch.setattr(solving, "Silent", Lucky)
    assert len(await solving.silence(demo)) == 1


async def test_the_report_says_where_and_how_in_one_line_each(tmp_path: Path) -> None:
    path = edited(tmp_path, ("answer: {date: 2025-10-21}", "answer: {date: 2025-10-22}"))
    report = await validate(path, lambda text: None)
    text = render([report], strict=False)
    found = text.partition("\n\n")[0].splitlines()
    assert len(found) == len(report.findings)
    assert all(re.fullmatch(rf"{re.escape(str(path))}:\d+:\d+: (error|warning)\[\w+\]: .+; .+", line) for line in found)
    assert re.search(
        rf"^{NAME} failed: 2 errors, 5 warnings \(load [\d.]+ s, replay .+ git .+ checks .+\)$", text, re.M
    )
    told = report_json([report], ["other.yaml:1:1: no"], strict=False)
    assert orjson.loads(orjson.dumps(told)) == told
    assert (told["ok"], told["scenarios"][0]["ok"], told["unloaded"]) == (False, False, ["other.yaml:1:1: no"])
    assert {each["check"] for each in told["scenarios"][0]["findings"]} >= {"answer", "oracle"}
    assert told["scenarios"][0]["seconds"].keys() == {"load", "replay", "git", "checks"}


def test_measures_are_printed_with_mean_and_maximum_beside_the_papers(tmp_path: Path) -> None:
    first, second = (diversity(load(path)) for path in (template(tmp_path), find("s12")))
    reports = [Report(name, "f", (), each, {}) for name, each in (("a", first), ("b", second))]
    told = report_json(reports, [], strict=True)
    assert told["ok"] is True
    assert told["diversity"]["events"] == {"mean": (first.events + second.events) / 2, "max": second.events}
    assert PAPER.keys() <= told["diversity"].keys()
    rows = [line.split() for line in render(reports, strict=True).splitlines()[:6]]
    assert [row[0] for row in rows if row] == ["scenario", "a", "b", "mean", "max", "paper"]


async def test_the_command_ends_with_0_1_or_2(tmp_path: Path) -> None:
    env = {**ENV, "XDG_CACHE_HOME": str(tmp_path)}
    path = template(tmp_path)
    assert (await envs("validate", path.name, env=env, cwd=tmp_path)).code == 0
    strict = await envs("validate", path.name, "--strict", "--json", env=env, cwd=tmp_path)
    assert strict.code == 1
    assert orjson.loads(strict.out)["ok"] is False
    (tmp_path / "broken.yaml").write_text("id: broken\n")
    ended = await envs("validate", path.name, "broken.yaml", env=env, cwd=tmp_path)
    assert ended.code == 2
    assert f"{NAME} passed" in ended.out
    assert re.fullmatch(r"envs: broken\.yaml:1:1: .+\n", ended.err)
