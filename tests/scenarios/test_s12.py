"""s12 is fair: each gold follows from the events before its question, its traps are there, nothing gives it away."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import scenarios
from checkouts import checked_out, passes_its_tests
from envs.answers import DateGold, NumberGold, SetGold, TextGold
from scenarios.git_schema import GitCommit
from scenarios.loader import load
from scenarios.scenario import Event, Scenario, ScenarioQuestion

Events = Sequence[Event]
S12: Scenario = load(Path(scenarios.__file__).parent / "s12.yaml")
QUESTIONS = {question.id: question for question in S12.questions}
EVENTS = {event.id: event for event in S12.events}
THURSDAY = 3


def before(question: ScenarioQuestion, *without: str) -> list[Event]:
    """The events that the question may rest on, less those named: a planted fault."""
    return [event for event in S12.events if event.time <= question.time and event.id not in without]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part)


def text_of(event: Event) -> str:
    return "\n".join(strings(event.payload.model_dump(exclude_unset=True)))


def spellings(value: str) -> tuple[str, ...]:
    """How people here write a value: a day also as `6 November` and `6 Nov`, a person also by handle."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        day = date.fromisoformat(value)
        return value, f"{day.day} {day:%B}", f"{day.day} {day:%b}"
    handles = [person.handle for person in S12.org.people if person.name == value]
    return (value, *handles)


def says(text: str, value: str) -> bool:
    """Whether the text holds the value as a whole word or number, in any spelling."""
    return any(
        re.search(rf"(?<![\w.]){re.escape(word)}(?!\w|\.\d)", text, re.IGNORECASE) is not None
        for word in spellings(value)
    )


def gold_parts(question: ScenarioQuestion) -> tuple[str, ...]:
    match question.gold:
        case DateGold(value=value):
            return (value.isoformat(),)
        case NumberGold(value=value):
            return (f"{value:.1f}", f"{value:g} %", f"{value:g}%")
        case TextGold(accepted=accepted):
            return accepted
        case SetGold(parts=parts):
            return tuple(spelling for part in parts for spelling in part)
    raise AssertionError(question.gold)


# ---- what a careful colleague would do, each step over the events alone


def field(events: Events, issue: str, name: str) -> str | None:
    """The value of a ticket's field after these events."""
    value: str | None = None
    for event in events:
        if event.kind in ("linear.create", "linear.update") and getattr(event.payload, "issue", None) == issue:
            changed = event.payload.model_dump(exclude_unset=True)
            value = changed.get(name, value)
    return value


def thursday_after(day: date) -> date:
    return day + timedelta(days=(THURSDAY - day.weekday() - 1) % 7 + 1)


def train_after(events: Events, day: date) -> date | None:
    """The first train after `day` on the release manager's newest list that is not said to stand still."""
    lists = [text_of(event) for event in events if event.kind == "linear.comment" and "Trains" in text_of(event)]
    for number, rest in re.findall(r"(?:Tue|Thu) (\d+) Nov ([^.]*)", lists[-1]):
        train = date(2025, 11, int(number))
        if train > day and "doesn't run" not in rest:
            return train
    return None


def launch_day(events: Events) -> date | None:
    """The ticket's due date, until the launch is hung on the freeze, until it is hung on the trains."""
    known = {event.id for event in events}
    lifts = field(events, "WEB-40", "due_date")
    if "after_the_freeze" not in known or lifts is None:
        due = field(events, "FIT-12", "due_date")
        return date.fromisoformat(due) if due else None
    planned = thursday_after(date.fromisoformat(lifts))
    return train_after(events, planned) if "next_that_runs" in known else planned


def whose_call(events: Events) -> str | None:
    known = {event.id for event in events}
    return field(events, "FIT-14" if "who_has_the_readout" in known else "FIT-12", "lead")


def pass_mark(events: Events) -> float:
    known = {event.id for event in events}
    metric = "bracketing" if "bracketing_agreed" in known else "size returns"
    row = "NZ" if "nz_only" in known or metric == "size returns" else "both sites"
    table = text_of(EVENTS["readout_ticket"])
    mark = re.search(rf"\| {metric}, {row} \| [\d.]+ \| ([\d.]+) \|", table)
    if metric == "bracketing" and "marks_corrected" in known:
        mark = re.search(rf"{row} \d+\.\d / (\d+\.\d)", text_of(EVENTS["marks_corrected"]))
    assert mark is not None
    return float(mark[1])


def brands_without(events: Events) -> set[str]:
    known = {event.id for event in events}
    missing = set(re.findall(r"- \[ \] (\w+)", text_of(EVENTS["lasts_ticket"])))
    for event, change in (
        ("vasskar_in", missing.discard),
        ("skarn_out", missing.add),
        ("moraine_arrives", missing.discard),
        ("moraine_blank", missing.add),
    ):
        brand = event.partition("_")[0].capitalize()
        assert says(text_of(EVENTS[event]), brand)
        if event in known:
            change(brand)
    return missing


def train_that_took(events: Events, load: str) -> date | None:
    """The day of the first train of the storefront after a load was merged: trains take what is on main."""
    merged = next((event.time for event in events if event.id == load), None)
    for event in events:
        message = event.payload.message if isinstance(event.payload, GitCommit) else ""
        train = re.match(r"Train of (?:Tue|Thu) (\d+) (\w+)", message)
        if train is not None and merged is not None and event.time > merged:
            return datetime.strptime(f"{train[1]} {train[2]} {event.time.year} +0000", "%d %B %Y %z").date()
    return None


# ---- the file


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S12.events)
    kinds = Counter(event.kind for event in S12.events)
    talk = platforms["slack"] + platforms["linear"]
    assert 45 <= talk <= 75
    assert len(S12.questions) >= 4
    assert min(platforms["slack"], platforms["linear"]) >= 0.4 * talk
    assert 15 <= platforms["git"] <= 30
    assert kinds["slack.edit"] >= 1
    assert kinds["slack.delete"] >= 1
    assert kinds["slack.rename_channel"] >= 1
    assert kinds["slack.join"] >= 1
    assert kinds["linear.create"] >= 10
    assert kinds["linear.comment"] >= 8
    span = S12.events[-1].time - S12.events[0].time
    assert timedelta(weeks=6) <= span <= timedelta(weeks=10)


def test_questions_follow_one_another_and_mix_kinds() -> None:
    assert [question.follow_up for question in S12.questions] == [False] + [True] * (len(S12.questions) - 1)
    assert len({question.gold.kind for question in S12.questions}) >= 4
    times = [question.time for question in S12.questions]
    assert times == sorted(set(times))
    for earlier, later in pairwise(times):
        assert any(earlier < event.time <= later for event in S12.events)


def test_the_agent_misses_one_public_channel_and_sits_in_a_private_one() -> None:
    channels = S12.org.slack.channels
    assert any("kea" not in channel.members and not channel.private for channel in channels)
    assert any("kea" in channel.members and channel.private for channel in channels)


@pytest.mark.parametrize("question", S12.questions, ids=lambda question: question.id)
def test_evidence_is_visible_decisive_and_on_several_platforms(question: ScenarioQuestion) -> None:
    seen = {event.id: event for event in before(question)}
    unseen = {channel.name for channel in S12.org.slack.channels if "kea" not in channel.members}
    for event_id, words in question.evidence.items():
        assert words in text_of(seen[event_id])
        assert getattr(seen[event_id].payload, "channel", None) not in unseen
    assert {seen[event_id].platform for event_id in question.evidence} >= {"slack", "linear"}
    stated = [text_of(seen[event_id]) for event_id in question.evidence]
    assert any(says(text, part) for text in stated for part in gold_parts(question))


@pytest.mark.parametrize("question", S12.questions, ids=lambda question: question.id)
def test_every_trap_is_in_the_timeline_before_its_question(question: ScenarioQuestion) -> None:
    said = [text_of(event) for event in before(question)]
    traps = (*question.was, *question.distractors)
    assert [trap for trap in traps if not any(says(text, trap) for text in said)] == []
    assert question.was
    assert question.distractors
    assert not set(traps) & set(gold_parts(question))


def test_a_trap_that_is_not_there_would_be_noticed() -> None:
    said = [text_of(event) for event in S12.events]
    assert not any(says(text, trap) for text in said for trap in ("2025-11-19", "Ida Holm", "14.1", "3.1"))


@pytest.mark.parametrize("question", S12.questions, ids=lambda question: question.id)
def test_no_question_or_briefing_gives_the_answer_or_the_place_away(question: ScenarioQuestion) -> None:
    told = "\n".join([S12.agent.briefing, *(each.ask for each in S12.questions)])
    assert not any(says(told, part) for part in gold_parts(question))
    assert not re.search(r"\b[A-Z]+-\d+\b", question.ask)
    assert not any(channel.name in question.ask for channel in S12.org.slack.channels if channel.name != "general")
    assert says(f"{told} It is {gold_parts(question)[0]}.", gold_parts(question)[0])


# ---- the golds


def test_launch_day_hangs_on_the_freeze() -> None:
    question = QUESTIONS["launch_day"]
    assert question.gold == DateGold(date(2025, 11, 6), "Pacific/Auckland")
    assert launch_day(before(question)) == date(2025, 11, 6)
    for missing, stale in (("lift_moved", "2025-10-30"), ("after_the_freeze", "2025-10-28")):
        assert launch_day(before(question, missing)) == date.fromisoformat(stale)
        assert stale in question.was


def test_the_late_events_change_the_launch_day() -> None:
    question = QUESTIONS["launch_day_now"]
    assert question.gold == DateGold(date(2025, 11, 20), "Pacific/Auckland")
    assert question.gold != QUESTIONS["launch_day"].gold
    assert launch_day(before(question)) == date(2025, 11, 20)
    assert launch_day(before(question, "next_that_runs")) == date(2025, 11, 13)
    assert launch_day(before(question, "next_that_runs", "lift_slips")) == date(2025, 11, 6)
    assert {"2025-11-13", "2025-11-06"} <= set(question.was)


def test_the_call_is_with_the_holder_of_the_readout() -> None:
    question = QUESTIONS["whose_call"]
    names = {person.handle: person.name for person in S12.org.people}
    assert isinstance(question.gold, TextGold)
    assert names[whose_call(before(question)) or ""] == question.gold.accepted[0] == "Marit Solheim"
    for missing, stale in (
        (("readout_handed",), "Hanna Brandt"),
        (("who_has_the_readout",), "Tama Reweti"),
        (("who_has_the_readout", "due_28"), "Hana Ngata"),
    ):
        assert names[whose_call(before(question, *missing)) or ""] == stale
        assert stale in question.was


def test_the_pass_mark_needs_the_metric_the_site_and_the_correction() -> None:
    question = QUESTIONS["pass_mark"]
    assert isinstance(question.gold, NumberGold)
    assert pass_mark(before(question)) == question.gold.value == 14.0
    for missing, stale in (
        (("marks_corrected",), "13.2"),
        (("nz_only",), "13.1"),
        (("nz_only", "marks_corrected"), "12.5"),
        (("bracketing_agreed",), "9.0"),
    ):
        assert f"{pass_mark(before(question, *missing)):.1f}" == stale
        assert stale in (*question.was, *question.distractors)


def test_the_corrected_marks_are_a_fifth_off() -> None:
    for measured, mark in re.findall(r"(\d+\.\d) / (\d+\.\d)", text_of(EVENTS["marks_corrected"])):
        assert round(float(measured) * 0.8, 1) == float(mark)


def test_brands_without_are_the_sum_of_four_changes() -> None:
    question = QUESTIONS["brands_without"]
    assert isinstance(question.gold, SetGold)
    found = brands_without(before(question))
    assert found == {"Moraine", "Skarn"}
    assert len(question.gold.parts) == len(found)
    assert all(found & set(part) for part in question.gold.parts)
    assert brands_without(before(question, "moraine_blank")) == {"Skarn"}
    assert brands_without(before(question, "skarn_out")) == {"Moraine"}
    assert brands_without(before(question, "vasskar_in")) == {"Moraine", "Skarn", "Vasskar"}


def test_vasskar_rides_with_the_train_after_its_merge() -> None:
    question = QUESTIONS["vasskar_from"]
    assert question.gold == DateGold(date(2025, 10, 21), "Pacific/Auckland")
    assert train_that_took(before(question), "vasskar_merged") == date(2025, 10, 21)
    assert train_that_took(before(question), "vasskar_load") == date(2025, 10, 14)
    assert train_that_took(before(question, "vasskar_train"), "vasskar_merged") == date(2025, 10, 23)
    assert {"2025-10-14", "2025-10-23"} <= {*question.was, *question.distractors}
    assert {EVENTS[event_id].platform for event_id in question.evidence} == {"slack", "linear", "git"}


def test_the_storefront_runs_and_shows_what_is_loaded(tmp_path: Path) -> None:
    head = checked_out(S12, "storefront", "main", tmp_path / "head")
    passes_its_tests(head)
    assert json.loads((head / "fitfinder" / "brands.json").read_text()).keys() == {
        "Aldertop",
        "Brackenridge",
        "Lumholt",
        "Vasskar",
    }
    frozen = checked_out(S12, "storefront", "train-2025-10-23", tmp_path / "frozen")
    assert "Skarn" in json.loads((frozen / "fitfinder" / "brands.json").read_text())
    config = tomllib.loads((head / "fitfinder" / "config.toml").read_text())
    assert config["sites"] == ["nz"]
    assert str(config["pass_mark_percent"]) in QUESTIONS["pass_mark"].was


@pytest.mark.parametrize("question", ["launch_day", "vasskar_from", "pass_mark", "launch_day_now"])
def test_slack_alone_never_says_it(question: str) -> None:
    asked = QUESTIONS[question]
    told = [text_of(event) for event in before(asked) if event.platform == "slack"]
    assert not any(says(text, part) for text in told for part in gold_parts(asked))
