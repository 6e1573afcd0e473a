"""The judge `match`: its public table, its rules for what isn't an answer, and what must hold for any text."""

from __future__ import annotations

import itertools
import re
from dataclasses import fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
from envs.clock import parse_instant
from envs.errors import FaultKind
from envs.protocol import Answer, Case, Code, Key, Question, RowKey
from judges.match import Match, compare
from judges.tokens import normal

TABLE = yaml.safe_load((Path(__file__).parent / "match_cases.yaml").read_text(encoding="utf-8"))


def gold_of(entry: dict[str, Any]) -> Gold:
    match entry:
        case {"text": text}:
            return TextGold((text, *entry.get("accept", ())))
        case {"number": number}:
            return NumberGold(number, entry.get("tolerance", 0.0), entry.get("unit"))
        case {"date": text, "precision": "minute"}:
            return DateGold(parse_instant(text), entry["zone"], "minute")
        case {"date": text}:
            return DateGold(date.fromisoformat(text), entry["zone"])
        case {"set": parts}:
            return SetGold(tuple((part,) if isinstance(part, str) else tuple(part) for part in parts))
        case {"list": parts}:
            return ListGold(tuple((part,) if isinstance(part, str) else tuple(part) for part in parts))
        case {"choice": right, "options": options}:
            spelt = tuple((option,) if isinstance(option, str) else tuple(option) for option in options)
            return ChoiceGold(spelt, next(index for index, option in enumerate(spelt) if right in option))
        case {"abstain": reason}:
            return AbstainGold(reason)
        case {"yes_no": word}:
            return YesNoGold(word == "yes")
    raise AssertionError(entry)


def rows() -> list[tuple[Key, str, float]]:
    found = []
    for entry in TABLE:
        key = Key(gold_of(entry["gold"]), tuple(entry.get("was", ())), tuple(entry.get("not", ())))
        found += [(key, str(answer), 1.0) for answer in entry.get("match", ())]
        found += [(key, str(answer), 0.0) for answer in entry.get("miss", ())]
        found += [(key, answer, score) for answer, score in entry.get("score", ())]
    return found


def scored(gold: Gold, answer: str, *competing: str) -> float:
    score = compare(Key(gold, was=competing), answer).score
    assert score is not None
    return score


@pytest.mark.parametrize(("key", "answer", "score"), rows())
def test_table(key: Key, answer: str, score: float) -> None:
    verdict = compare(key, answer)
    assert verdict.score == pytest.approx(score, abs=5e-5), verdict.reason


def test_the_table_is_large_and_covers_every_kind() -> None:
    assert len(rows()) >= 150
    kinds = {field.default for gold in get_args(Gold) for field in fields(gold) if field.name == "kind"}
    assert {key.gold.kind for key, _, _ in rows()} == kinds
    for kind in kinds:
        scores = [score for key, _, score in rows() if key.gold.kind == kind]
        assert len(scores) >= 12, kind
        assert {0.0, 1.0} <= set(scores), kind


def test_the_table_catches_a_judge_that_looks_for_the_text_anywhere() -> None:
    """Planted fault: containment without word edges, negation or lists."""
    texts = [(key.gold, answer, score) for key, answer, score in rows() if isinstance(key.gold, TextGold)]
    wrong = [
        answer for gold, answer, score in texts if score != any(a.lower() in answer.lower() for a in gold.accepted)
    ]
    assert len(wrong) > 20


def test_the_table_catches_a_list_judge_that_forgets_the_order() -> None:
    """Planted fault: an ordered list taken for a set."""
    lists = [(key.gold, answer, score) for key, answer, score in rows() if isinstance(key.gold, ListGold)]
    assert any(abs(scored(SetGold(gold.parts), answer) - score) > 0.2 for gold, answer, score in lists)


def test_the_table_catches_a_judge_that_looks_for_words_of_not_knowing() -> None:
    """Planted fault: one such word anywhere makes an abstention."""
    rough = re.compile(r"don't know|unknown|never|nobody|not |no record|isn't|couldn't", re.IGNORECASE)
    abstentions = [(answer, score) for key, answer, score in rows() if key.gold.kind == "abstain"]
    assert sum((rough.search(answer) is not None) != score for answer, score in abstentions) > 10


# ---- what isn't an answer


def case(answer: Answer, findings: dict[str, bool] | None = None) -> Case:
    asked = datetime(2025, 5, 1, 9, tzinfo=UTC)
    question = Question("q1", "Which cache?", "sequential")
    return Case(RowKey("s01", "q1", 0, 0), question, asked, Key(TextGold(("Redis",))), answer, (), findings or {})


CODES: list[Code] = [
    *("empty", "reasoning_only", "text_call", "refused", "truncated", "overflow"),
    *("step_limit", "call_limit", "token_limit", "repeated_calls"),
]


@pytest.mark.parametrize("code", CODES)
async def test_every_other_code_scores_zero_with_that_code(code: Code) -> None:
    verdict = await Match().judge(case(Answer("q1", "Redis", code)))
    assert (verdict.score, verdict.reason) == (0.0, code)


@pytest.mark.parametrize("kind", ["endpoint", "budget", "cancelled"])
async def test_a_fault_is_unscored(kind: FaultKind) -> None:
    verdict = await Match().judge(case(Answer("q1", None, "fault", fault=kind)))
    assert (verdict.score, verdict.reason) == (None, kind)


@pytest.mark.parametrize("text", [None, "", " \n\t"])
async def test_a_blank_answer_scores_zero(text: str | None) -> None:
    verdict = await Match().judge(case(Answer("q1", text, "answer")))
    assert (verdict.score, verdict.reason) == (0.0, "empty")


async def test_state_checks_and_text_must_both_hold() -> None:
    right = Answer("q1", "Redis", "answer")
    assert (await Match().judge(case(right, {"closed": True}))).score == 1.0
    failed = await Match().judge(case(right, {"closed": True, "nothing_else": False}))
    assert (failed.score, failed.reason) == (0.0, "state check failed: nothing_else")
    assert (await Match().judge(case(Answer("q1", "Valkey", "answer"), {"closed": True}))).score == 0.0


# ---- what holds for any text

PLAIN = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=30)
QUICK = settings(deadline=None, max_examples=100)


@QUICK
@given(PLAIN)
def test_a_text_that_is_not_blank_has_words_and_matches_itself(text: str) -> None:
    assume(text.strip())
    assert normal(text)
    assert scored(TextGold((text,)), text) == 1.0


SPELLINGS = """Dana Priya Redis cluster return rate v2.3 v2.31 C C++ C# 12 1.2 -12 of and .env env re-sign resign résumé
    resume #search search New York A B % _x x"""
WORDS = st.sampled_from(SPELLINGS.split())
PHRASES = (
    st.lists(WORDS, min_size=1, max_size=4, unique=True)
    .filter(lambda words: "and" not in (words[0], words[-1]))
    .map(" ".join)
)


@settings(deadline=None, max_examples=250)
@given(PHRASES, PHRASES)
def test_two_texts_that_differ_never_match_each_other(one: str, other: str) -> None:
    assume(normal(one) != normal(other))
    assert scored(TextGold((one,)), other) == 0.0


APART = """C C++ C# .env env -5 5 3.1 3.10 31 re-sign resign résumé resume #search search @dana dana --force force f() f
    10² 102 ½ 1/2 a/b Maße Masse x_y xy _x x *args args 5% U+200B"""


def test_different_spellings_have_different_normal_forms() -> None:
    """The normal form itself must not merge what authors tell apart."""
    apart = APART.split()
    apart += ["re sign", "Plan A", "Plan", "R & D", "R D"]
    assert len({normal(text) for text in apart}) == len(apart)


@QUICK
@given(st.lists(PHRASES, min_size=1, max_size=4, unique_by=normal))
def test_every_accepted_text_matches_its_own_gold_alone_and_after_a_marker(accepted: list[str]) -> None:
    gold = TextGold(tuple(accepted))
    for text in accepted:
        assert scored(gold, text) == 1.0
        assert scored(gold, f"Answer: {text}") == 1.0


@QUICK
@given(st.integers(-(10**12), 10**12))
def test_a_number_matches_each_of_its_renderings_and_no_neighbour(number: int) -> None:
    for text in (
        str(number),
        f"{number:,}",
        f"{number:,}".replace(",", " "),
        f"{number}.0",
        f"The total is {number:,} now.",
    ):
        assert scored(NumberGold(number), text) == 1.0, text
        assert scored(NumberGold(number + 1), text) == 0.0, text


@QUICK
@given(st.integers(0, 9_999_999))
def test_number_words_round_trip(number: int) -> None:
    assert scored(NumberGold(number), spelt(number)) == 1.0, spelt(number)
    assert scored(NumberGold(number + 1), spelt(number)) == 0.0


def spelt(number: int) -> str:
    small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    units = [*small.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            head = f"{spelt(number // size)} {name}"
            return head if not rest else f"{head} and {spelt(rest)}" if rest < 100 else f"{head} {spelt(rest)}"
    if number < 20:
        return units[number]
    return tens[number // 10 - 2] + (f"-{units[number % 10]}" if number % 10 else "")


@QUICK
@given(
    st.dates(date(1990, 1, 1), date(2090, 12, 31)), st.sampled_from(["Europe/Berlin", "Asia/Kolkata", "America/Lima"])
)
def test_a_day_matches_each_of_its_renderings_and_no_neighbour(day: date, zone: str) -> None:
    after = date.fromordinal(day.toordinal() + 1)
    for text in (
        day.isoformat(),
        f"{day.day} {day:%B %Y}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%A}, {day.day} {day:%b %Y}",
        f"It is due on {day.day}.{day.month}.{day.year}.",
    ):
        assert scored(DateGold(day, zone), text) == 1.0, text
        assert scored(DateGold(after, zone), text) == 0.0, text


@QUICK
@given(st.permutations(["Dana", "Priya", "Kim", "Ola"]), st.integers(0, 4))
def test_a_set_is_scored_by_share_in_any_order(order: list[str], said: int) -> None:
    answer = ", ".join(order[:said]) or "nobody at all"
    assert scored(SetGold((("Dana",), ("Priya",), ("Kim",), ("Ola",))), answer) == said / 4


@QUICK
@given(st.permutations(["Dana", "Priya", "Kim", "Ola"]))
def test_a_list_is_scored_by_its_longest_part_in_order(order: list[str]) -> None:
    right = ("Dana", "Priya", "Kim", "Ola")
    places = [right.index(name) for name in order]
    runs = (run for length in range(1, 5) for run in itertools.combinations(places, length))
    longest = max(len(run) for run in runs if list(run) == sorted(run))
    assert scored(ListGold(tuple((name,) for name in right)), ", ".join(order)) == longest / 4


@pytest.mark.parametrize("gold", [TextGold(("Dana",)), SetGold((("Dana",),)), NumberGold(3), YesNoGold(False)])
def test_not_knowing_is_right_for_no_other_gold(gold: Gold) -> None:
    for answer in ("I don't know.", "It was never said.", "Unknown"):
        assert scored(gold, answer) == 0.0


KINDS: list[Gold] = [
    TextGold(("dana", "dana or dana")),
    NumberGold(12, unit="days"),
    DateGold(date(2025, 5, 7), "UTC"),
    DateGold(datetime(2025, 5, 7, 9, tzinfo=UTC), "UTC", "minute"),
    SetGold((("dana",), ("dana dana",))),
    YesNoGold(True),
    ListGold((("dana",), ("dana dana",), ("b",))),
    ChoiceGold((("dana",), ("dana dana",)), 0),
    AbstainGold("nobody said it"),
]
NASTY = [
    *("dana, ", "dana ", "(", "one hundred and ", "7 May 09:30, ", "a", "[(", "Answer:\n", "1. dana\n"),
    *("nobody ", "no one knows or ", "I don't know, but ", "it was dana, now 12 = "),
]


@pytest.mark.parametrize("unit", NASTY)
def test_an_answer_of_100_kb_does_not_hang(unit: str) -> None:
    answer = unit * (100_000 // len(unit.encode()))
    for gold in KINDS:
        score = compare(Key(gold, was=("dana dana", "is dana")), answer).score
        assert score is not None
        assert 0.0 <= score <= 1.0


SCRAPS = "7 May|12|twenty|yes|no|dana|2025-13-99|25:61|09:30 +99:99|09:30 Etc/..|1e999|99/99/9999|31 Feb|½|0⁄0|-|1,2,3"
PIECES = st.sampled_from(SCRAPS.split("|"))


@settings(deadline=None, max_examples=200)
@given(st.lists(PLAIN | PIECES, min_size=1, max_size=6).map(" ".join))
def test_noise_never_raises(answer: str) -> None:
    for gold in KINDS:
        assert 0.0 <= scored(gold, answer) <= 1.0
