"""What a loaded scenario holds: payloads, questions with gold and time, a digest of the meaning alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from benchmarks.timeline import long_scenario
from envs.answers import DateGold, NumberGold, SetGold, TextGold, YesNoGold
from envs.errors import ScenarioError
from scenarios.loader import load
from scenarios.scenario import Scenario
from scenarios.schema import EVENT_KINDS, LinearUpdate

Load = Callable[[str], Scenario]


def test_the_small_scenarios_have_every_kind(small: str, git: str, load_text: Load) -> None:
    scenario = load_text(small)
    events = [*scenario.events, *load_text(git).events]
    assert {event.kind for event in events} == set(EVENT_KINDS)
    assert all(type(event.payload) is EVENT_KINDS[event.kind] for event in events)
    assert [event.time for event in scenario.events] == sorted(event.time for event in scenario.events)
    assert all(event.time.tzinfo is UTC for event in scenario.events)
    assert (scenario.zone.key, scenario.agent.handle, scenario.agent.is_admin) == ("Europe/Berlin", "kim", False)


def test_update_knows_what_was_given(small: str, load_text: Load) -> None:
    payload = load_text(small.replace("status: In Progress", "lead: null")).events[7].payload
    assert isinstance(payload, LinearUpdate)
    assert payload.model_fields_set == {"issue", "by", "due_date", "lead"}
    assert payload.lead is None


def test_questions(small: str, load_text: Load) -> None:
    day, who, prio, wide, text = load_text(small).questions
    assert day.gold == DateGold(date(2025, 10, 27), "Europe/Berlin", "day")
    assert who.gold == SetGold((("Lee",), ("size finder", "sizes")))
    assert prio.gold == NumberGold(2.0, 0.5, "level")
    assert wide.gold == YesNoGold(True)
    assert text.gold == TextGold(("Shipped", "It is shipped"))
    assert (day.was, who.distractors, who.tags, who.hops) == (("2025-10-20",), ("Ana",), ("owner",), 1)
    assert who.evidence == {"moved": "lee", "issue1": "size FINDER"}
    assert [question.follow_up for question in (day, who, prio, wide, text)] == [False, True, True, True, False]


def test_question_times(small: str, load_text: Load) -> None:
    """`after` an event, `at` a local time; neither: the last event, or the question before if that is later."""
    times = [question.time for question in load_text(small).questions]
    last = datetime(2025, 10, 4, 0, 0, tzinfo=UTC)
    assert times == [datetime(2025, 10, 2, 11, tzinfo=UTC), datetime(2025, 10, 3, 10, tzinfo=UTC), last, last, last]
    later = small.replace("at: 2025-10-03T12:00", "at: 2025-12-24T12:00")
    assert [question.time for question in load_text(later).questions][1:] == [
        datetime(2025, 12, 24, 11, tzinfo=UTC)
    ] * 4


def test_minute_precision_reads_the_zone(small: str, load_text: Load) -> None:
    minute = small.replace("{date: 2025-10-27}", "{date: 2025-10-27T09:30, precision: minute}")
    gold = load_text(minute).questions[0].gold
    assert gold == DateGold(datetime(2025, 10, 27, 8, 30, tzinfo=UTC), "Europe/Berlin", "minute")


@pytest.mark.parametrize("words", ["due_date", "issue1", "In Progres", "progress.", "2025-10-2", "ogress", "null"])
def test_evidence_is_not_found_in_keys_ids_or_parts_of_words(words: str, small: str, load_text: Load) -> None:
    with pytest.raises(ScenarioError, match="doesn't say"):
        load_text(small.replace("evidence: {moved: 2025-10-27}", f'evidence: {{moved: "{words}"}}'))


@pytest.mark.parametrize("words", ["in  PROGRESS", "ENG-1", "2025-10-27", "progress", "lee"])
def test_evidence_is_found_regardless_of_case_and_space(words: str, small: str, load_text: Load) -> None:
    scenario = load_text(small.replace("evidence: {moved: 2025-10-27}", f'evidence: {{moved: "{words}"}}'))
    assert words in [question.evidence.get("moved") for question in scenario.questions]


@pytest.mark.parametrize(
    ("event", "words"), [("issue1", "2"), ("progress", "0.25"), ("issue2", "ENG-1"), ("issue1", "size")]
)
def test_evidence_may_be_a_field_value(event: str, words: str, small: str, load_text: Load) -> None:
    scenario = load_text(small.replace('evidence: {issue1: "2"}', f'evidence: {{{event}: "{words}"}}'))
    assert {event: words} in [question.evidence for question in scenario.questions]


def test_digest_is_of_the_meaning(small: str, load_text: Load) -> None:
    scenario = load_text(small)
    same = [
        "# a comment\n" + small.replace("\n\n", "\n\n\n"),
        small.replace("title: Size finder", 'title: "Size finder"  # quoted'),
        small.replace("at: 2025-10-02T08:00Z", "at: 2025-10-02T10:00"),
        small.replace("at: +5m", "at: 2025-10-01T07:05Z"),
        small.replace("{message: reply}", '{"message": "reply"}'),
        small.replace("      issue: ENG-1\n      by: kim\n", "      by: kim\n      issue: ENG-1\n"),
        small.replace("role: designer", "role: designer\n      admin: false"),
        small.replace("members: [ana]}", "members: [ana], private: false}"),
    ]
    assert len({small, *same}) == 1 + len(same)
    assert {load_text(text).digest for text in same} == {scenario.digest}
    other = [
        small.replace("2025-10-27", "2025-10-28"),
        small.replace("text: Are you in?", "text: Are you in?!"),
        small.replace("at: +5m", "at: +6m"),
        small.replace("tags: [owner]", "tags: [other]"),
        small.replace("status: In Progress", "status: In Progress, lead: null"),
        small.replace("ask: How urgent was it?", "ask: How urgent is it?"),
        small.replace("zone: Europe/Berlin", "zone: Europe/Paris"),
        small.replace("- id: away", "- id: gone"),
    ]
    assert len({scenario.digest, *(load_text(text).digest for text in other)}) == 1 + len(other)


def test_loading_twice_gives_the_same(small: str, load_text: Load) -> None:
    assert load_text(small) == load_text(small)


def test_the_place_of_a_mistake_is_found_in_a_long_file(tmp_path: Path) -> None:
    text = long_scenario(2_000)
    at = text.rindex("thread: first")
    line = text[:at].count("\n") + 1
    path = tmp_path / "broken.yaml"
    path.write_text(f"{text[:at]}thread: fist{text[at + len('thread: first') :]}", encoding="utf-8")
    said = f':{line}:15: there is no earlier message "fist"; did you mean "first"?'
    with pytest.raises(ScenarioError, match=re.escape(said)):
        load(path)
