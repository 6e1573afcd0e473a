"""Formulas over the evidence: what they come to, and what is refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.answers import DateGold, NumberGold
from scenarios.formula import evaluate, events_of, parse
from scenarios.formula_values import Days, Fact, FormulaError, Value, day_in, number_in
from scenarios.scenario import Scenario

BERLIN = ZoneInfo("Europe/Berlin")


def fact(words: str, time: str = "2025-05-01T22:30") -> Fact:
    """By default an event of 2 May, Berlin time."""
    return Fact(words, datetime.fromisoformat(time).replace(tzinfo=UTC), BERLIN)


FACTS = {
    "moved": fact("moved to 2025-05-07"),
    "first": fact("1 May"),
    "flags": fact("all 12 flags"),
    "slack-message-1": fact("1,500 EUR"),
}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("date(moved) - date(first)", Days(Fraction(6))),
        ("number(flags) * 2 + number(slack-message-1)", Fraction(1524)),
        ("date(first) + days(14)", date(2025, 5, 15)),
        ("date(moved)-days(7)", date(2025, 4, 30)),
        ("day(flags)", date(2025, 5, 2)),
        ("count(moved, first, flags)", Fraction(3)),
        ("-(number(flags) - 2) / 4", Fraction(-5, 2)),
        ("1 + 2 * 3 - 4 / 8", Fraction(13, 2)),
        ("(1 + 2) * 3", Fraction(9)),
        ("8 - 3 - 2", Fraction(3)),
        ("8 / 4 / 2", Fraction(1)),
        ("(date(moved) - date(first)) / days(2)", Fraction(3)),
        ("2 * (date(moved) - date(first)) + days(1)", Days(Fraction(13))),
        ("(date(moved) - date(first)) / 4", Days(Fraction(3, 2))),
        ("  1.5  ", Fraction(3, 2)),
    ],
)
def test_values(formula: str, value: Value) -> None:
    assert evaluate(parse(formula), FACTS) == value


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("", "the formula's end can't stand there"),
        ("number", r'"\(" is missing before the end'),
        ("number(flags", r'"\)" is missing before the end'),
        ("number(flags))", "doesn't belong there"),
        ("nmber(flags)", "there is number, date, day, count, days"),
        ("flags + 1", "can't stand there"),
        ("2 ** 3", "can't stand there"),
        ("number(7)", "takes the id of an event"),
        ("number(moved, first)", "takes one event"),
        ("count(flags, flags)", "twice"),
        ("days(flags)", "takes one number"),
        ("days(1, 2)", "takes one number"),
        ("__import__('os')", "can't stand in a formula"),
        ("number(Flags)", "can't stand in a formula"),
        ("x" * 301, "at most 300"),
        ("(" * 301, "at most 300"),
        ("number(flags) / 0", "divides by zero"),
        ("(date(moved) - date(first)) / days(0)", "divides by zero"),
        ("date(moved) + 3", r"a day \+ a number means nothing; .* days\(14\)"),
        ("date(moved) + date(first)", "means nothing"),
        ("date(moved) * 2", "means nothing"),
        ("3 - date(moved)", "means nothing"),
        ("-date(moved)", "means nothing"),
        ("days(2) * days(2)", "means nothing"),
        ("number(flags) + days(2)", "means nothing"),
        ("date(moved) + days(0.5)", "whole days"),
        ("date(moved) + days(9999999)", "beyond the calendar"),
        ("number(first)", "says no number"),
        ("date(flags)", "says no day"),
    ],
)
def test_what_is_refused(formula: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message) as caught:
        evaluate(parse(formula), FACTS)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)


def test_the_events_of_a_formula() -> None:
    assert events_of(parse("date(b) - date(a) + days(1) * count(a, c)")) == ("b", "a", "c")


PIECES = st.sampled_from(["number", "date", "days", "count", "moved", "x", "12", "1.5", *"()+-*/,", " ", "_"])


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_noise_is_read_or_refused(formula: str) -> None:
    facts = defaultdict(lambda: fact("3"), FACTS)
    said = ""
    try:
        value = str(evaluate(parse(formula), facts))
    except FormulaError as error:
        value, said = "", str(error)
    assert value or said


@pytest.mark.parametrize(
    ("words", "number"),
    [
        *(("the 12 flags", 12), ("12 flags, yes 12", 12), ("12,000 EUR", 12000), ("€1,234.50", Fraction("1234.5"))),
        *(("20%", 20), ("-5", -5), ("3.5h", Fraction("3.5")), ("3.", 3)),
        *(("7 seats on 12 May 2025", 7), ("30 of them by 2025-05-07", 30)),
    ],
)
def test_the_number_in_words(words: str, number: Fraction) -> None:
    assert number_in(fact(words)) == number


@pytest.mark.parametrize(
    "words",
    [
        "none",
        "3 and 4",
        "ENG-12",
        "v2.3",
        "at 10:30",
        "5-7",
        "24/7",
        "12k",
        "3rd",
        "1.2.3",
        "2025-05-07",
        "7 May",
        "x7",
    ],
)
def test_words_without_one_number(words: str) -> None:
    with pytest.raises(FormulaError, match=r"number; in `evidence`"):
        number_in(fact(words))


@pytest.mark.parametrize(
    "words",
    [
        "2025-05-07",
        "2025-05-07T10:00",
        "7 May",
        "Wed 7 May",
        "7th of May",
        "May 7",
        "May 7th, 2025",
        "7 may 2025",
        "7 May and 2025-05-07",
    ],
)
def test_the_day_in_words(words: str) -> None:
    assert day_in(fact(words)) == date(2025, 5, 7)


@pytest.mark.parametrize(
    "words", ["Wednesday", "7", "May", "2025-05", "7 May or 8 May", "31 June", "2025-13-01", "7 Mai"]
)
def test_words_without_one_day(words: str) -> None:
    with pytest.raises(FormulaError, match=r"day; in `evidence`"):
        day_in(fact(words))


def test_a_formula_in_a_file(small: str, load_text: Callable[[str], Scenario]) -> None:
    def gold(answer: str, evidence: str) -> object:
        text = small.replace("answer: {date: 2025-10-27}", f"answer: {answer}")
        return load_text(text.replace("evidence: {moved: 2025-10-27}", f"evidence: {evidence}")).questions[0].gold

    both = '{hello: "2025-10-20", moved: "2025-10-27"}'
    assert gold("{formula: date(moved) - date(hello)}", both) == NumberGold(7, 0, "days")
    assert gold("{formula: (date(moved) - date(hello)) / days(7), unit: weeks}", both) == NumberGold(1, 0, "weeks")
    assert gold("{formula: date(moved) + days(1)}", both) == DateGold(date(2025, 10, 28), "Europe/Berlin")
    assert gold("{formula: 10 / 3, tolerance: 0.05}", both) == NumberGold(10 / 3, 0.05)
    question = load_text(small.replace("answer: {date: 2025-10-27}", "answer: {formula: date(moved)}")).questions[0]
    assert (question.formula, question.gold) == ("date(moved)", DateGold(date(2025, 10, 27), "Europe/Berlin"))
