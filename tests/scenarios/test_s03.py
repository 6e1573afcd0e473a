"""s03 is fair: its golds follow from what came before, its traps are set, the wrong readings give the wrong answers."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime, timedelta

import pytest

from envs.answers import DateGold, YesNoGold
from envs.clock import zone
from scenarios.answers import spellings
from scenarios.scenario import ScenarioQuestion
from story import Events, before, bundled, file_on, given_away, text_of, unplanted

S03 = bundled("s03")
EVENTS = {event.id: event for event in S03.events}
GOLDS = {question.id: question.gold for question in S03.questions}
PUNE = zone("Asia/Kolkata")
RACE_DAYS = (date(2026, 8, 5), date(2026, 8, 6), date(2026, 8, 7))


def race_day(events: Events) -> date:
    """The first Wednesday in August, put off by a day each time that the crew's channel says so."""
    known = {event.id for event in events}
    return RACE_DAYS[("called_off" in known) + ("off_again" in known)]


def windows(events: Events, race: date) -> tuple[datetime, datetime]:
    """When the old system closes and the new one opens, in hospital time."""
    instants = re.findall(rf"\| {race} \(\w+\) \| (\S+ \S+) \| (\S+ \S+) \|", file_on(events, "windows.md"))[0]
    closes, opens = (datetime.fromisoformat(f"{text}:00+00:00").astimezone(S03.zone) for text in instants)
    return closes, opens


def ward_order(events: Events) -> list[str]:
    known = {event.id for event in events}
    order = [name for _, name in re.findall(r"(\d)\. (\w+)", text_of(EVENTS["waves"]))]
    if "trade" in known:
        one, other = order.index("Maternity"), order.index("Paediatrics")
        order[one], order[other] = order[other], order[one]
    if "ortho_first" in known:
        order.sort(key=lambda ward: ward != "Orthopaedics")
    if "endoscopy" in known:
        order.insert(order.index("Surgery") + 1, "Endoscopy")
    return order


def test_it_is_of_the_suites_size() -> None:
    platforms = Counter(event.platform for event in S03.events)
    assert 40 <= len(S03.events) <= 60
    assert {"slack", "linear", "git", "notify"} <= set(platforms)
    assert min(platforms["slack"], platforms["linear"]) >= 15
    assert len({gold.kind for gold in GOLDS.values()}) >= 4


@pytest.mark.parametrize("question", S03.questions, ids=lambda question: question.id)
def test_traps_are_set_before_their_question(question: ScenarioQuestion) -> None:
    assert unplanted(S03, question) == []


def test_nothing_asked_gives_an_answer_away() -> None:
    assert given_away(S03) == []


def test_the_calendar_keeps_the_first_day() -> None:
    reminders = [event for event in S03.events if event.kind == "notify.reminder"]
    assert [event.time.astimezone(S03.zone).date() for event in reminders] == [date(2026, 8, 3)]
    assert "Tomorrow" in text_of(reminders[0])


def test_the_windows_lie_three_working_days_after_the_race() -> None:
    events = before(S03, "opens")
    for race in RACE_DAYS:
        closes, opens = windows(events, race)
        after = [race + timedelta(days=n) for n in range(1, 8) if (race + timedelta(days=n)).weekday() < 5]
        assert opens.date() == after[2]
        assert opens.date() - closes.date() == timedelta(days=1)
        assert closes.astimezone(PUNE).date() == opens.date()


def test_it_opens_on_the_row_of_the_first_wednesday() -> None:
    assert GOLDS["opens"] == DateGold(date(2026, 8, 10), "America/St_Johns")
    events = before(S03, "opens")
    assert windows(events, race_day(events))[1].date() == date(2026, 8, 10)
    assert "2026-08-04" in file_on(before(S03, "opens", "rows"), "windows.md")


def test_the_wind_moves_the_last_evening() -> None:
    assert GOLDS["last_evening"] == DateGold(date(2026, 8, 11), "America/St_Johns")
    events = before(S03, "last_evening")
    assert windows(events, race_day(events))[0].date() == date(2026, 8, 11)
    for missing, stale in ((("off_again",), "2026-08-10"), (("called_off", "off_again"), "2026-08-09")):
        events = before(S03, "last_evening", *missing)
        assert windows(events, race_day(events))[0].date() == date.fromisoformat(stale)
    assert windows(events, RACE_DAYS[2])[0].astimezone(PUNE).date() == date(2026, 8, 12)


def test_noon_in_pune_is_long_past_when_the_shift_begins() -> None:
    assert GOLDS["in_time"] == YesNoGold(value=False)
    assert "Friday 24 July, 12:00 my time" in text_of(EVENTS["noon_in_pune"])
    due = datetime(2026, 7, 24, 12, tzinfo=PUNE)
    assert due.weekday() == 4
    assert due.astimezone(S03.zone).hour == 4
    assert due < datetime(2026, 7, 24, 8, 30, tzinfo=S03.zone) < datetime(2026, 7, 24, 12, tzinfo=S03.zone)


def test_the_order_of_the_wards_is_the_sum_of_three_changes() -> None:
    right = ["Orthopaedics", "Surgery", "Endoscopy", "Paediatrics", "Maternity"]
    assert ward_order(before(S03, "ward_order")) == right
    assert [ward for ward in spellings(GOLDS["ward_order"]) if ward in right] == right
    without_slack = ward_order(before(S03, "ward_order", "ortho_first"))
    assert without_slack == re.findall(r"\d\. (\w+)", file_on(before(S03, "ward_order"), "wards.md"))


def test_nobody_ever_names_the_price() -> None:
    assert GOLDS["licence_cost"].kind == "abstain"
    later = [event for event in before(S03, "licence_cost") if event.time > EVENTS["licence"].time]
    assert not [event.id for event in later if re.search(r"\d,\d{3}|a month", text_of(event))]
