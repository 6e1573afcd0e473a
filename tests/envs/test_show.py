"""`envs show`: the world as the tools tell it, what changed between two times, and the chain behind an answer."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from command import envs
from edited_template import NAME, edited, template
from envs.errors import ScenarioError
from envs.show import history, moment, overview, question_named, trace
from envs.snapshot import PLATFORMS, difference, snapshot
from scenarios.loader import load
from scenarios.scenario import Scenario
from small_company import END, instant, small_company


@pytest.fixture
def demo(tmp_path: Path) -> Scenario:
    return load(template(tmp_path))


def test_the_overview_has_people_timeline_and_questions_and_hides_the_gold(demo: Scenario) -> None:
    hidden = "\n".join(overview(demo, answers=False))
    assert "@ida  Ida Vogt, Product manager" in hidden
    assert "2025-10-07 16:40  moved linear.comment PLAN-1 @jon" in hidden
    assert "I want to book the big screen" in hidden
    told = "\n".join(overview(demo, answers=True))
    assert "answer: date, value 2025-10-21" in told
    assert "was: 2025-10-14" in told
    assert "answer:" not in hidden
    assert set(hidden.splitlines()) < set(told.splitlines())


def test_the_trace_has_each_hop_in_time_order_and_where_the_wrong_values_were_said(tmp_path: Path) -> None:
    demo = load(edited(tmp_path, ('    was: ["2025-10-14"]', '    was: ["2025-10-14"]\n    not: [Jon Reyes, "13.6"]')))
    told = list(trace(demo, question_named(demo, "day"), answers=True))
    hidden = list(trace(demo, question_named(demo, "day"), answers=False))
    assert [line for line in told if line not in hidden] == [
        "  answer: date, value 2025-10-21, zone Europe/Berlin, precision day"
    ]
    assert hidden[1:] == [
        "2 hops, 2 of them evidence",
        "  1. linear  2025-10-07 16:40  moved (linear.comment): the demo is on 21 October",
        "  2. slack  2025-10-07 16:45  agreed (slack.message): What Jon wrote on the ticket holds",
        "  superseded 2025-10-14: kickoff, ticket",
        "  distractor Jon Reyes: slack-message-20251002t100500z, moved, agreed",
        "  distractor 13.6: said nowhere in these words",
    ]


def test_the_history_is_json_with_the_keys_of_the_file(demo: Scenario) -> None:
    told = orjson.loads(orjson.dumps(history(demo)))
    assert [each["id"] for each in told["events"]] == [event.id for event in demo.events]
    assert told["events"][0]["payload"]["from"] == "ida"
    assert told["events"][0]["time"] == "2025-10-01T07:00:00Z"


def test_a_moment_is_a_time_a_day_an_event_or_a_question(demo: Scenario) -> None:
    assert moment(demo, "moved") == demo.events[3].time
    assert moment(demo, "day") == demo.questions[0].time
    assert moment(demo, "2025-10-07T16:40") == demo.events[3].time
    assert moment(demo, "2025-10-07") > demo.events[4].time
    with pytest.raises(ScenarioError, match='did you mean "moved"') as raised:
        moment(demo, "move")
    assert "\n" not in str(raised.value)
    with pytest.raises(ScenarioError, match='did you mean "day"'):
        question_named(demo, "days")


async def test_a_snapshot_tells_of_every_platform_what_the_agent_can_see() -> None:
    company = small_company()
    by_platform = {platform: await snapshot(company, instant(END), [platform]) for platform in PLATFORMS}
    assert [platform for platform, entries in by_platform.items() if not entries] == ["files"]
    text = "\n".join(entry for entries in by_platform.values() for entry in entries)
    assert "hidden" not in text
    for part in ("c14x After the renaming", "c16x I disagree", "ENG-1 status: Done", "pull request 4", "reminder"):
        assert part in text, part
    before = await snapshot(company, company.events[0].time, list(PLATFORMS))
    assert "c14x" not in "\n".join(before)


async def test_a_difference_is_what_came_went_and_changed(demo: Scenario) -> None:
    before, after = [await snapshot(demo, moment(demo, at), ["linear"]) for at in ("ticket", "moved")]
    lines = list(difference(before, after))
    assert next(line for line in lines if "commented" in line).startswith("+ PLAN-1 2025-10-07T14:40:00Z @jon")
    assert {line[:2] for line in lines} == {"+ ", "- "}
    assert list(difference(before, before)) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--at", "kickoff", "--trace", "day"], "use one"),
        (["--at", "kickoff", "--platform", "teams"], "use one of slack, linear"),
        (["--platform", "slack"], "goes with --at or --diff"),
        (["--trace", "days"], 'did you mean "day"?'),
    ],
)
async def test_a_mistake_is_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    path = template(tmp_path)
    ended = await envs("show", path.name, *arguments, env={"PATH": "/usr/bin:/bin", "HOME": "/"}, cwd=tmp_path)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert said in ended.err


async def test_the_command_shows_each_view(tmp_path: Path) -> None:
    path = template(tmp_path)
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_CACHE_HOME": str(tmp_path)}
    views = {
        (): f"{NAME}: When the demo is",
        ("--diff", "kickoff", "day", "--platform", "slack"): "+ #lunch",
        ("--at", "day"): "PLAN-1 due_date: 2025-10-14",
        ("--json",): '"kind": "linear.create"',
    }
    for arguments, said in views.items():
        ended = await envs("show", path.name, *arguments, env=env, cwd=tmp_path)
        assert (ended.code, ended.err) == (0, ""), arguments
        assert said in ended.out
        assert "2025-10-21" not in ended.out


async def test_names_are_completed(tmp_path: Path) -> None:
    template(tmp_path)
    env = {"PATH": "/usr/bin:/bin", "HOME": "/", "_ENVS_COMPLETE": "complete_bash"}
    for words, place, offered in (
        ("envs show demo.yaml --trace d", 4, ["day"]),
        ("envs show nowhere --trace d", 4, []),
        ("envs validate d", 2, ["demo.yaml"]),
        ("envs validate s1", 2, ["s12"]),
        ("envs harden s12 --agent or", 4, ["oracle"]),
    ):
        ended = await envs(env={**env, "COMP_WORDS": words, "COMP_CWORD": str(place)}, cwd=tmp_path)
        assert ended.out.split() == offered, words
