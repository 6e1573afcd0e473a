"""YAML's tricky scalars: in a text field each arrives as written or is refused; nothing is retyped anywhere."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import ryaml

from envs.answers import NumberGold, TextGold
from envs.errors import ScenarioError
from scenarios.scenario import Scenario
from scenarios.schema import LinearCreate, SlackMessage

Load = Callable[[str], Scenario]

AS_WRITTEN = [
    *("no", "yes", "on", "0123", "1_000", "10:30", "10:30:00", "2024-03-10", "2024-03-10T09:00:00Z", "=", "NaN"),
    *("1,000", "1.2.3", "v3.10", "1e400", "0o8", "a:1", "a#b", "nullable", "e\u0301 \U0001f600", "\ufb01", "a  b"),
]
QUOTED = {"'no'": "no", '"\\u00e9"': "\u00e9", "'3.10'": "3.10", '"~"': "~", "'# x'": "# x", '"a\\nb"': "a\nb"}
RETYPED = [
    *("True", "true", "FALSE", "0o17", "0x1F", "0b11", "3.10", "1.", "+1", "-0", ".5", "1e3", "1E+3", "-.inf", ".nan"),
    *("null", "Null", "~", "18446744073709551616"),
]
NO_SCALAR = ["[a, b]", "{a: b}", "<<", "!custom x", "!!str 1", "!!binary aGk=", "&x", "*x", "@x", "`x", "#x", ""]


def in_text(small: str, scalar: str) -> str:
    return small.replace("summary: One of nearly every kind of event.", f"summary: {scalar}")


def in_list(small: str, scalar: str) -> str:
    return small.replace("labels: [bug, size]", f"labels:\n          - bug\n          - size\n          - {scalar}")


@pytest.mark.parametrize("scalar", AS_WRITTEN)
def test_text_arrives_as_written(scalar: str, small: str, load_text: Load) -> None:
    assert load_text(in_text(small, scalar)).summary == scalar
    assert load_text(in_list(small, scalar)).org.linear.teams[0].labels[-1] == scalar


@pytest.mark.parametrize("scalar", QUOTED)
def test_quoted_text_arrives_as_meant(scalar: str, small: str, load_text: Load) -> None:
    assert load_text(in_text(small, scalar)).summary == QUOTED[scalar]
    assert load_text(in_list(small, scalar)).org.linear.teams[0].labels[-1] == QUOTED[scalar]


@pytest.mark.parametrize("scalar", RETYPED)
def test_retyped_text_is_refused(scalar: str, small: str, load_text: Load) -> None:
    for broken in (in_text(small, scalar), in_list(small, scalar)):
        with pytest.raises(ScenarioError, match="in quotes") as caught:
            load_text(broken)
        assert scalar in str(caught.value) or "64 bits" in str(caught.value)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all texts below `value`."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from leaves(each, (*path, key))
    if isinstance(value, str):
        yield path


def test_no_text_of_any_field_is_ever_retyped(small: str, git: str, load_text: Load) -> None:
    """Every text of the two files that have all kinds of events between them, one at a time, in its place in JSON."""
    scalars = itertools.cycle(("3.10", "true", "1e3", "0x1F", "~"))
    for text in (small, git):
        whole: Any = ryaml.loads(text)  # type: ignore[attr-defined]  # its exports aren't declared
        assert load_text(json.dumps(whole, ensure_ascii=False)) == load_text(text)
        for path in list(leaves(whole)):
            holder: Any = whole
            for step in path[:-1]:
                holder = holder[step]
            kept, holder[path[-1]] = holder[path[-1]], "\ufffc"
            marked, scalar = json.dumps(whole, ensure_ascii=False), next(scalars)
            holder[path[-1]] = kept
            with pytest.raises(ScenarioError):
                load_text(marked.replace('"\ufffc"', scalar))


@pytest.mark.parametrize("scalar", NO_SCALAR)
def test_what_is_no_text_is_refused(scalar: str, small: str, load_text: Load) -> None:
    for broken in (in_text(small, scalar), in_list(small, scalar)):
        if scalar == "<<":  # a plain text as a value, a merge only as a key
            load_text(broken)
            continue
        with pytest.raises(ScenarioError, match=r"; "):
            load_text(broken)


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("3", 3.0),
        ("3.10", 3.1),
        ("+1", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("0x1F", 31.0),
        ("0o17", 15.0),
        ("-2", -2.0),
    ],
)
def test_number_field_takes_numbers(scalar: str, value: float, small: str, load_text: Load) -> None:
    question = load_text(small.replace("{number: 2,", f"{{number: {scalar},")).questions[2]
    assert question.gold == NumberGold(value, 0.5, "level")


@pytest.mark.parametrize(
    "scalar",
    [
        *("no", "true", "0123", "1_000", "10:30", "2024-03-10", "null", "~", "''", "'3'", "1e400", ".nan", "-.inf"),
        *("1.2.3", "[1]", "{a: 1}", "9007199254740993"),
    ],
)
def test_number_field_takes_nothing_else(scalar: str, small: str, load_text: Load) -> None:
    with pytest.raises(ScenarioError, match=r"number|no value|digits"):
        load_text(small.replace("{number: 2,", f"{{number: {scalar},"))


@pytest.mark.parametrize(
    "scalar",
    [
        *(
            "20251020",
            "2025.10",
            "2025-10",
            "2025-1-2",
            "20-10-2025",
            "2025-02-29",
            "2025-10-20T09:00",
            "10:30",
            "true",
        ),
        *("no", "~", "''", "\u0662\u0660\u0662\u0665-10-20", "' 2025-10-20'", '"2025-10-20\\n"'),
    ],
)
def test_day_field_takes_days_only(scalar: str, small: str, load_text: Load) -> None:
    with pytest.raises(ScenarioError, match=r"no day|in quotes"):
        load_text(small.replace("due_date: 2025-10-20", f"due_date: {scalar}"))


@pytest.mark.parametrize("scalar", ["2025-10-20", "'2025-10-20'", '"2025-10-20"'])
def test_day_stays_text(scalar: str, small: str, load_text: Load) -> None:
    payload = load_text(small.replace("due_date: 2025-10-20", f"due_date: {scalar}")).events[5].payload
    assert isinstance(payload, LinearCreate)
    assert payload.due_date == "2025-10-20"


def test_block_and_folded_text(small: str, load_text: Load) -> None:
    block = small.replace(
        "    slack.message: {from: kim, dm: ana, text: Are you in?}",
        "    slack.message:\n      from: kim\n      dm: ana\n"
        "      text: |\n        See #search: !now\n          3.10 # kept\n",
    )
    payload = load_text(block).events[2].payload
    assert isinstance(payload, SlackMessage)
    assert payload.text == "See #search: !now\n  3.10 # kept\n"


def test_comments_with_a_space_are_comments(small: str, load_text: Load) -> None:
    commented = small.replace("text: Shipped, accept", "text: Shipped, # see #search, and #random\n      accept")
    assert load_text(commented).questions[-1].gold == TextGold(("Shipped", "It is shipped"))


def test_an_alias_does_not_hide_a_text_that_a_comment_cuts(small: str, load_text: Load) -> None:
    doubled = small.replace("topic: Finding boots", 'topic: &t "In #search"').replace("topic: Launch day", "topic: *t")
    assert load_text(doubled).org.slack.channels[0].topic == "In #search"
    with pytest.raises(ScenarioError, match='"#boots" for a comment'):
        load_text(doubled.replace("title: Size finder", "title: Sizes #boots"))
