"""The oracle: right where the tools show all of the evidence, silent where a piece of it is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from envs.answers import (
    AbstainGold,
    ChoiceGold,
    DateGold,
    Gold,
    ListGold,
    NumberGold,
    SetGold,
    TextGold,
    YesNoGold,
)
from envs.checks.playing import play, score
from envs.checks.worlds import altered, without
from envs.protocol import Case, Key
from envs.workplace.instance import OPTIONAL_PACKS, WorkplaceInstance
from envs.workplace.oracle import Oracle, wording
from judges.match import compare
from judges.mentions import unmentioned
from scenarios.library import find
from scenarios.loader import load
from scenarios.scenario import Event, Scenario, ScenarioQuestion
from small_company import event, small_company, with_events

DECISIVE = {
    "slack.message": "text",
    "slack.edit": "text",
    "slack.offline_message": "text",
    "slack.react": "emoji",
    "slack.create_channel": "topic",
    "slack.archive_channel": "channel",
    "slack.rename_channel": "name",
    "slack.set_topic": "topic",
    "linear.create": "title",
    "linear.comment": "body",
    "linear.delete": "issue",
    "linear.milestone": "description",
    "linear.progress": "rate",
    "linear.add_member": "person",
    "linear.remove_member": "person",
    "linear.project_update": "body",
    "git.commit": "message",
    "git.merge": "message",
    "git.branch": "branch",
    "git.delete_branch": "branch",
    "git.tag": "tag",
    "git.open_pull": "title",
    "git.review_pull": "verdict",
    "git.comment_pull": "body",
    "git.merge_pull": "message",
    "git.close_pull": "number",
    "files.write": "text",
    "files.delete": "path",
    "notify.reminder": "text",
    "notify.notice": "text",
}
"""Event kind -> the key whose value a question may hang on."""
UNREADABLE = {"slack.delete", "slack.join", "slack.leave", "git.force_push"}
"""Kinds of whose own words no tool shows anything to somebody else."""


def question(evidence: Mapping[str, str], time: Event, gold: Gold | None = None, **more: str) -> ScenarioQuestion:
    return ScenarioQuestion(
        "q", time.time, "What?", gold or YesNoGold(True), (), (), evidence, 1, (), False, False, **more
    )


def asking(scenario: Scenario, asked: ScenarioQuestion) -> Scenario:
    return replace(scenario, questions=(asked,))


async def case(known: Scenario, world: Scenario, platforms: Sequence[str] | None = None) -> Case:
    """What an oracle that knows one scenario makes of another's only question."""
    instance = WorkplaceInstance(replace(world, questions=known.questions), frozenset(OPTIONAL_PACKS))
    (answered,) = await play(instance, Oracle(known, unmentioned, platforms))
    return answered


def readable(each: Event) -> bool:
    return each.kind not in UNREADABLE and "hidden" not in repr(each.payload)


def words_of(each: Event) -> str:
    if each.kind == "linear.update":
        given = each.payload.model_dump(exclude_unset=True)
        return next(str(given[key]) for key in ("status", "title", "lead") if key in given)
    return str(getattr(each.payload, DECISIVE[each.kind]) or getattr(each.payload, "number", ""))


@pytest.mark.parametrize("each", [e for e in small_company().events if readable(e)], ids=lambda each: each.id)
async def test_what_an_event_says_is_found_at_its_time_and_not_without_it(each: Event) -> None:
    company = small_company()
    known = asking(company, question({each.id: words_of(each)}, each))
    assert (await case(known, company)).answer.text == "yes"
    # Two people gave one emoji, and the tools don't tell who: the other one's goes too.
    world = with_events(*(e for e in company.events if e.kind != "slack.react")) if each.kind == "slack.react" else None
    missed = await case(known, world or without(company, each.id))
    assert missed.answer.text is None
    assert each.id in (missed.answer.detail or "")


def test_every_kind_is_tried() -> None:
    kinds = {each.kind for each in small_company().events}
    assert kinds == {*DECISIVE, "linear.update", *UNREADABLE}


@pytest.mark.parametrize("each", [e for e in small_company().events if not readable(e)], ids=lambda each: each.id)
async def test_what_nobody_shows_the_agent_is_not_found(each: Event) -> None:
    words = next(str(value) for value in each.payload.model_dump(exclude_unset=True).values())
    known = asking(small_company(), question({each.id: words}, each))
    assert (await case(known, small_company())).answer.text is None


async def test_it_solves_s12_and_one_platform_alone_does_not() -> None:
    s12 = load(find("s12"))
    cases = await play(WorkplaceInstance(s12), Oracle(s12, unmentioned))
    assert [await score(each) for each in cases] == [1.0] * len(s12.questions)
    for platform in ("slack", "linear"):
        alone = await play(WorkplaceInstance(s12), Oracle(s12, unmentioned, platforms=[platform]))
        assert [await score(each) for each in alone] == [0.0] * len(s12.questions)
        assert {call.op.partition(".")[0] for each in alone for call in each.calls} <= {platform}


MESSAGES = (
    event("told", "2025-05-01T09:00", "slack.message", sender="bo.lin", channel="search", text="3 of 12 on Tue 6 May"),
    event("made", "2025-05-01T10:00", "linear.create", issue="ENG-1", by="kim", title="T", lead="ada"),
    event("set", "2025-05-02T10:00", "linear.update", issue="ENG-1", by="kim", due_date="2025-05-20", lead="bo.lin"),
    event("own", "2025-05-03T10:00", "slack.message", sender="ada", channel="search", text="thanks @kim"),
)
TALK = with_events(*MESSAGES)
EVIDENCE = {"told": "Tue 6 May", "set": "bo.lin"}


@pytest.mark.parametrize(
    ("gold", "stated"),
    [
        (DateGold(date(2025, 5, 6), "UTC"), True),
        (DateGold(date(2025, 5, 20), "UTC"), False),
        (NumberGold(12), True),
        (NumberGold(6), False),
        (TextGold(("Bo Lin",)), True),
        (TextGold(("Kim Roe",)), False),
        (SetGold((("Bo Lin",), ("tue",))), True),
        (SetGold((("Bo Lin",), ("Wed",))), False),
        (ChoiceGold((("red",), ("blue",)), 1), True),
    ],
    ids=repr,
)
async def test_it_says_only_what_the_evidence_states(gold: Gold, stated: bool) -> None:
    answered = await case(asking(TALK, question(EVIDENCE, MESSAGES[-1], gold)), TALK)
    assert answered.answer.text == (wording(gold) if stated else None)
    assert stated or "doesn't state" in (answered.answer.detail or "")


@pytest.mark.parametrize(
    "gold",
    [
        TextGold(("Marit Solheim", "Marit")),
        NumberGold(14.0, unit="%"),
        NumberGold(-3),
        DateGold(date(2025, 11, 6), "Pacific/Auckland"),
        DateGold(datetime(2025, 11, 6, 9, 30, tzinfo=UTC), "Europe/Berlin", "minute"),
        SetGold((("a b", "x"), ("c",))),
        ListGold((("Aa",), ("Bb",), ("Cc",))),
        ChoiceGold((("red",), ("blue",)), 1),
        YesNoGold(False),
        AbstainGold("nobody said"),
    ],
    ids=lambda gold: gold.kind,
)
def test_every_gold_in_its_plain_wording_is_right(gold: Gold) -> None:
    assert compare(Key(gold), wording(gold)).score == 1.0


async def test_a_value_counts_only_in_its_place() -> None:
    """The day of the field stands in a message too, and the message's words in another sender's."""
    elsewhere = event("copy", "2025-05-02T11:00", "slack.message", sender="kim", channel="search", text="2025-05-20 !")
    world = with_events(*MESSAGES[:2], elsewhere)
    known = asking(TALK, question({"set": "2025-05-20"}, MESSAGES[-1]))
    assert (await case(known, TALK)).answer.text == "yes"
    assert (await case(known, world)).answer.text is None
    echo = event("echo", "2025-05-01T09:01", "slack.message", sender="kim", channel="search", text="Tue 6 May, ok")
    known = asking(TALK, question({"told": "Tue 6 May"}, MESSAGES[-1]))
    assert (await case(known, with_events(echo, *MESSAGES[1:]))).answer.text is None


async def test_a_sender_and_a_mentioned_person_are_found() -> None:
    known = asking(TALK, question({"told": "bo.lin", "own": "@kim"}, MESSAGES[-1], TextGold(("Kim Roe",))))
    assert (await case(known, TALK)).answer.text == "Kim Roe"
    assert (await case(known, without(TALK, "own"))).answer.text is None


@pytest.mark.parametrize(
    ("formula", "gold", "right"),
    [
        ("date(set) - date(told)", NumberGold(14, unit="days"), True),
        ("date(set) - date(told)", NumberGold(13, unit="days"), False),
        ("day(set) - day(told)", NumberGold(1, unit="days"), True),
        ("date(told) + days(2)", DateGold(date(2025, 5, 8), "UTC"), True),
        ("count(told, set)", NumberGold(2), True),
    ],
)
async def test_a_formula_is_computed_over_what_was_read(formula: str, gold: Gold, right: bool) -> None:
    asked = question({"told": "Tue 6 May", "set": "2025-05-20"}, MESSAGES[-1], gold, formula=formula)
    answered = await case(asking(TALK, asked), TALK)
    assert (answered.answer.text is not None) == right
    assert (await case(asking(TALK, asked), without(TALK, "set"))).answer.text is None


async def test_a_script_is_run_over_the_code_that_was_fetched(tmp_path: Path) -> None:
    company = replace(small_company(), folder=tmp_path)
    (tmp_path / "lines.py").write_text(
        "import pathlib, sys\n"
        "code = pathlib.Path(sys.argv[1], 'app')\n"
        "print(sum(len(path.read_text().splitlines()) for path in code.rglob('*.py')))\n"
    )
    commits = [each for each in company.events if each.kind == "git.commit"]
    begin = commits[0]
    lines = sum(
        len(getattr(content, "text", content).splitlines())
        for path, content in getattr(begin.payload, "write", {}).items()
        if path.endswith(".py")
    )
    assert lines > 0
    asked = question({begin.id: words_of(begin)}, company.events[-1], NumberGold(lines), script="lines.py")
    known = asking(company, asked)
    assert (await case(known, company)).answer.text == str(lines)
    wrong = asking(company, replace(asked, gold=NumberGold(lines + 1)))
    assert "lines.py says" in ((await case(wrong, company)).answer.detail or "")
    (tmp_path / "lines.py").write_text("raise SystemExit('no such table')\n")
    assert (await case(known, company)).answer.detail == "lines.py ended with 1: no such table"


async def test_what_was_changed_is_missed_like_what_was_removed() -> None:
    for event_id, words in (("told", "Tue 6 May"), ("set", "2025-05-20"), ("set", "bo.lin"), ("own", "@kim")):
        other = altered(TALK, event_id, words)
        assert other is not None
        assert len(other.events) == len(TALK.events)
        known = asking(TALK, question({event_id: words}, MESSAGES[-1]))
        assert (await case(known, other)).answer.text is None
