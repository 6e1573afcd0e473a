"""s06 is fair: its golds follow from what came before, its traps are set, the wrong readings give the wrong answers."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime, timedelta

import pytest

from envs.answers import NumberGold, TextGold
from envs.clock import zone
from scenarios.answers import spellings
from scenarios.scenario import ScenarioQuestion
from story import Events, before, bundled, file_on, given_away, text_of, unplanted

S06 = bundled("s06")
EVENTS = {event.id: event for event in S06.events}
GOLDS = {question.id: question.gold for question in S06.questions}
PEOPLE = {person.handle: person.name for person in S06.org.people}
FEBRUARY = (date(2026, 2, 2), date(2026, 2, 9), date(2026, 2, 16), date(2026, 2, 23))
SWAPS = (
    ("kim_says_yes", date(2026, 1, 19), date(2026, 1, 26)),
    ("trade_agreed", date(2026, 2, 2), date(2026, 2, 9)),
    ("farid_accepts", date(2026, 2, 16), date(2026, 2, 23)),
)


def rota(events: Events, name: str = "rebuilt") -> dict[date, str]:
    """First pagers by week, as one commit has them."""
    short = dict(re.findall(r"- (\w+): (\w[\w -]+)$", file_on(events, "README.md"), re.MULTILINE))
    (commit,) = [event for event in events if event.id == name]
    weeks = re.findall(r"week: (\S+), first: (\w+)", text_of(commit))
    return {date.fromisoformat(week): short[first] for week, first in weeks}


def agreed(events: Events) -> dict[date, str]:
    """The rebuilt rota with every swap to which both have said yes."""
    first = rota(events)
    for yes, one, other in SWAPS:
        if any(event.id == yes for event in events):
            first[one], first[other] = first[other], first[one]
    return first


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S06.events)
    assert 45 <= len(S06.events) <= 65
    assert min(platforms["slack"], platforms["linear"]) >= 15
    assert platforms["git"] >= 5
    assert len({gold.kind for gold in GOLDS.values()}) >= 4
    assert all(week.weekday() == 0 for week in rota(S06.events))


@pytest.mark.parametrize("question", S06.questions, ids=lambda question: question.id)
def test_traps_are_set_before_their_question(question: ScenarioQuestion) -> None:
    assert unplanted(S06, question) == []


def test_nothing_asked_gives_an_answer_away() -> None:
    assert given_away(S06) == []


def test_the_kim_who_says_yes_is_the_one_whose_week_was_asked_for() -> None:
    gold = GOLDS["next_week"]
    assert isinstance(gold, TextGold)
    events = before(S06, "next_week")
    week = date(2026, 1, 19)
    assert agreed(events)[week] == gold.accepted[0] == "Kim Doyle"
    assert PEOPLE[getattr(EVENTS["kim_says_yes"].payload, "sender", "")] == rota(events)[date(2026, 1, 26)]
    assert agreed(before(S06, "next_week", "kim_says_yes"))[week] == "Farid Osman"
    assert rota(events, "readme")[week] == rota(events, "wrong_kim")[week] == "Kim Seo-yeon"


def test_a_fever_changes_who_has_it() -> None:
    gold = GOLDS["right_now"]
    assert isinstance(gold, TextGold)
    assert PEOPLE[getattr(EVENTS["wei_ling_takes_it"].payload, "by", "")] == gold.accepted[0] == "Tan Wei Ling"
    assert gold != GOLDS["next_week"]
    written = EVENTS["fever"].time.astimezone(zone("Europe/Dublin"))
    midnight = datetime(written.year, written.month, written.day, tzinfo=written.tzinfo) + timedelta(days=1)
    asked_at = next(question.time for question in S06.questions if question.id == "right_now")
    assert EVENTS["wei_ling_takes_it"].time < midnight < asked_at


def test_february_is_the_sum_of_two_swaps() -> None:
    right = ["Kim Seo-yeon", "Tan Wei Ling", "Kim Doyle", "Farid Osman"]
    events = before(S06, "february")
    assert [agreed(events)[week] for week in FEBRUARY] == right
    assert [name for name in spellings(GOLDS["february"]) if name in right] == right
    stale = [rota(events, "wrong_kim")[week] for week in FEBRUARY]
    assert stale == ["Tan Wei Ling", "Kim Seo-yeon", "Farid Osman", "Kim Doyle"]


def test_the_minutes_of_card_payments_are_those_of_the_core() -> None:
    assert "tide-core = cards" in text_of(EVENTS["core_is_cards"])
    for missing, minutes in (((), 12), (("ack_twelve",), 8)):
        found = re.findall(r"tide-core: (\d+)", file_on(before(S06, "ack_minutes", *missing), "escalation.yaml"))
        assert [int(each) for each in found] == [minutes]
    assert GOLDS["ack_minutes"] == NumberGold(12, unit="minutes")


def test_nobody_is_ever_named_for_the_second_at_new_year() -> None:
    assert GOLDS["second_at_new_year"].kind == "abstain"
    assert "{week: 2026-02-16, first: farid, second: tbc}" in file_on(before(S06, "second_at_new_year"), "rota.yaml")
