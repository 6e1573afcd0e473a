"""`envs run` as its user runs it: same bytes anywhere, resume and replay, one line for every mistake."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from command import ALIAS, KILLED, clerk, environment, envs
from envs.rows import SCHEMAS
from scenarios.library import find
from scripted_endpoint import call, completion, error, serving

FILES = [name for name in ("run.json", *SCHEMAS) if name != "timings.jsonl"]
RUN = ("run", "--scenario", "s12", "--agent", ALIAS)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


async def test_time_zone_and_concurrency_leave_no_trace(tmp_path: Path) -> None:
    async with serving(clerk, delay_s=0.002) as endpoint:
        folders = []
        for zone, concurrency in (("Asia/Kolkata", 1), ("Asia/Kolkata", 8), ("Pacific/Auckland", 8), ("UTC", 3)):
            env = environment(tmp_path, endpoint.url, TZ=zone)
            out = f"{zone.replace('/', '-')}-{concurrency}"
            arguments = ("--trials", 8, "--seed", 5, "--concurrency", concurrency, "--out", out)
            ended = await envs(*RUN, *arguments, env=env, cwd=tmp_path)
            assert ended.code == 0, ended.err
            folders.append(contents(tmp_path / out))
        assert endpoint.peak > 1
    assert all(folder == folders[0] for folder in folders[1:])
    assert folders[0]["answers.jsonl"].count(b"\n") == 1 + 8 * 6


async def test_another_seed_gives_another_run(tmp_path: Path) -> None:
    async with serving(clerk) as endpoint:
        env = environment(tmp_path, endpoint.url)
        for seed in (1, 2):
            await envs(*RUN, "--seed", seed, "--out", f"seed{seed}", env=env, cwd=tmp_path)
    assert contents(tmp_path / "seed1")["calls.jsonl"] != contents(tmp_path / "seed2")["calls.jsonl"]


async def test_replay_makes_no_request(tmp_path: Path) -> None:
    async with serving(clerk) as endpoint:
        env = environment(tmp_path, endpoint.url)
        await envs(*RUN, "--out", "first", env=env, cwd=tmp_path)
        requests = len(endpoint.requests)
        ended = await envs("run", "--replay", "first", "--out", "again", env=env, cwd=tmp_path)
        assert ended.code == 0, ended.err
        assert len(endpoint.requests) == requests
    first, again = contents(tmp_path / "first"), contents(tmp_path / "again")
    assert json.loads(again.pop("run.json"))["invocation"]["replay"] == "first"
    first.pop("run.json")
    assert first == again


async def test_a_replay_that_was_cut_goes_on_as_a_replay_and_can_be_replayed(tmp_path: Path) -> None:
    async with serving(clerk) as endpoint:
        env = environment(tmp_path, endpoint.url)
        await envs(*RUN, "--out", "first", env=env, cwd=tmp_path)
        requests = len(endpoint.requests)
        replay = ("finish", 3, "run", "--replay", "first", "--out", "again")
        killed = await envs(*replay, env=env, cwd=tmp_path, command=KILLED)
        assert killed.code == -9
        resumed = await envs("run", "--resume", "--out", "again", env=env, cwd=tmp_path)
        assert resumed.code == 0, resumed.err
        third = await envs("run", "--replay", "again", "--out", "third", env=env, cwd=tmp_path)
        assert third.code == 0, third.err
        assert len(endpoint.requests) == requests
    assert contents(tmp_path / "again")["model.jsonl"] == contents(tmp_path / "first")["model.jsonl"]


async def test_runs_begun_at_the_same_time_take_folders_of_their_own(tmp_path: Path) -> None:
    env = environment(tmp_path, "http://127.0.0.1:9/v1")
    arguments = ("run", "--scenario", "s12", "--agent", "silent")
    ended = await asyncio.gather(*(envs(*arguments, env=env, cwd=tmp_path) for _ in range(3)))
    assert [run.code for run in ended] == [0, 0, 0], [run.err for run in ended]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [f"s12-silent-{n}" for n in (1, 2, 3)]


async def test_a_replay_that_would_need_a_request_says_so(tmp_path: Path) -> None:
    async with serving(clerk) as endpoint:
        env = environment(tmp_path, endpoint.url)
        await envs(*RUN, "--out", "first", env=env, cwd=tmp_path)
        model, run = tmp_path / "first" / "model.jsonl", tmp_path / "first" / "run.json"
        model.write_bytes(b"".join(model.read_bytes().splitlines(keepends=True)[:-1]))
        run.write_text(run.read_text().replace('"closed": true', '"closed": false'))
        requests = len(endpoint.requests)
        ended = await envs("run", "--replay", "first", "--out", "again", env=env, cwd=tmp_path)
        assert len(endpoint.requests) == requests
    assert ended.code == 2
    assert ended.err.splitlines()[-1].startswith("envs: s12/whose_call/1/0: request 2 is not in the record")


async def test_an_endpoint_that_fails_leaves_unscored_rows_and_resume_mends_them(tmp_path: Path) -> None:
    down = True

    def script(body: object, number: int) -> object:
        return error(401, "no") if down and number >= 7 else clerk(body, number)  # type: ignore[arg-type]

    async with serving(script) as endpoint:
        env = environment(tmp_path, endpoint.url)
        ended = await envs(*RUN, "--out", "run", env=env, cwd=tmp_path)
        assert ended.code == 1
        assert "2/6 incomplete" in ended.out
        assert "envs run --resume --out run" in ended.err
        report = json.loads((await envs("report", "run", "--json", env=env, cwd=tmp_path)).out)
        metric = report["metrics"]["correctness[match]"]
        assert (metric["scored"], metric["expected"]) == (2, 6)
        assert metric["low"] == pytest.approx(2 * metric["mean"] / 6)
        assert metric["high"] == pytest.approx((2 * metric["mean"] + 4) / 6)
        down = False
        resumed = await envs("run", "--resume", "--out", "run", env=env, cwd=tmp_path)
        assert resumed.code == 0, resumed.err
        await envs(*RUN, "--out", "whole", env=env, cwd=tmp_path)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


async def test_the_report_is_one_object_with_the_promised_keys(tmp_path: Path) -> None:
    env = environment(tmp_path, "http://127.0.0.1:9/v1")
    await envs("run", "--scenario", "s12", "--agent", "silent", "--out", "run", env=env, cwd=tmp_path)
    report = json.loads((await envs("report", "run", "--json", env=env, cwd=tmp_path)).out)
    assert set(report) >= {"metrics", "per_scenario", "run"}
    assert all(set(metric) == {"mean", "low", "high", "scored", "expected"} for metric in report["metrics"].values())
    assert report["metrics"]["entropy"]["mean"] is None
    assert [scenario["id"] for scenario in report["per_scenario"]] == ["s12"]
    assert report["per_scenario"][0]["correctness[match]"] == 0.0


async def test_an_endpoint_of_ones_own_is_tried_first(tmp_path: Path) -> None:
    def script(body: Mapping[str, Any], number: int) -> object:
        if number == 0:  # the preflight's one tool
            (tool,) = body["tools"]
            wanted = dict.fromkeys(tool["function"]["parameters"].get("required", ()), "x")
            return completion({"tool_calls": [call(tool["function"]["name"], json.dumps(wanted))]}, "tool_calls")
        return completion({"content": "Marit"})

    async with serving(script) as endpoint:
        env = environment(tmp_path, endpoint.url)
        agent = f"openai:own@{endpoint.url}"
        ended = await envs("run", "--scenario", "s12", "--agent", agent, "--out", "own", env=env, cwd=tmp_path)
        requests = len(endpoint.requests)
        replayed = await envs("run", "--replay", "own", "--out", "again", env=env, cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "tool calls work (style native)" in ended.err
    assert "0.167" in ended.out
    assert replayed.code == 0, replayed.err
    assert len(endpoint.requests) == requests


async def test_a_pack_adds_its_tools_and_is_in_the_profile(tmp_path: Path) -> None:
    seen: list[set[str]] = []

    def script(body: Mapping[str, Any], number: int) -> object:
        seen.append({tool["function"]["name"] for tool in body["tools"]})
        return completion({"content": "Marit"})

    async with serving(script) as endpoint:
        env = environment(tmp_path, endpoint.url)
        ended = await envs(*RUN, "--pack", "notify", "--out", "run", env=env, cwd=tmp_path)
        assert ended.code == 0, ended.err
        await envs(*RUN, "--out", "plain", env=env, cwd=tmp_path)
    assert "list_notifications" in seen[0]
    assert "list_notifications" not in seen[-1]
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["fingerprint"]["profile"] == {"s12": "memtrack+git-read+notify"}


async def test_a_question_marked_unscored_is_asked_and_counts_nowhere(tmp_path: Path) -> None:
    text = find("s12").read_text(encoding="utf-8")
    text = text.replace("id: s12\n", "id: s12x\nunscored: {whose_call: two people were right that week}\n")
    (tmp_path / "s12x.yaml").write_text(text, encoding="utf-8")
    env = environment(tmp_path, "http://127.0.0.1:9/v1")
    ended = await envs("run", "--scenario", "s12x.yaml", "--agent", "silent", "--out", "run", env=env, cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "5/5" in ended.out
    assert (tmp_path / "run" / "answers.jsonl").read_bytes().count(b"\n") == 1 + 6
    assert b"the scenario counts no answer to this question" in (tmp_path / "run" / "verdicts.jsonl").read_bytes()


MISTAKES = {
    "unknown pack": (("run", "--scenario", "s12", "--agent", "silent", "--pack", "notfy"), "did you mean notify?"),
    "no scenario": (("run",), "no scenario given; add --scenario NAME"),
    "unknown scenario": (("run", "--scenario", "s21x"), "s21x"),
    "misspelt scenario": (("run", "--scenario", "s1"), "s12"),
    "broken file": (("run", "--scenario", "broken.yaml"), "broken.yaml:2:1:"),
    "unknown agent": (("run", "--scenario", "s12", "--agent", "scriptd"), "did you mean 'scripted'?"),
    "memory to come": (("run", "--scenario", "s12", "--agent", "local+mem0"), "'mem0' isn't built yet"),
    "resume without folder": (("run", "--resume"), "add --out DIR"),
    "resume of nothing": (("run", "--resume", "--out", "nothing"), "nothing: no run here"),
    "replay of nothing": (("run", "--replay", "nothing"), "nothing: no run here"),
    "resume and replay": (("run", "--resume", "--replay", "x", "--out", "y"), "exclude one another"),
    "folder in use": (("run", "--scenario", "s12", "--agent", "silent", "--out", "full"), "is not empty"),
    "report of nothing": (("report", "nothing"), "nothing: no run here"),
    "json of two": (("report", "a", "b", "--json"), "name one folder"),
    "transport to come": (("serve", "--scenario", "s12", "--transport", "http"), "not built yet"),
    "key unset": (("run", "--scenario", "s12", "--agent", "gpt5"), "OPENAI_API_KEY"),
    "dead endpoint": (
        ("run", "--scenario", "s12", "--agent", "openai:m@http://127.0.0.1:9/v1", "--out", "dead"),
        "check the address",
    ),
    "two of one id": (("run", "--scenario", "s12,other.yaml", "--agent", "silent"), "has the id 's12' too"),
    "directory as scenario": (("run", "--scenario", "folder.yaml"), "is no file"),
    "file as out": (("run", "--scenario", "s12", "--agent", "silent", "--out", "broken.yaml"), "no folder can be made"),
    "file as run": (("report", "broken.yaml"), "no run here"),
    "seed too large": (("run", "--scenario", "s12", "--seed", "99999999999999999999"), "--seed"),
    "negative seed": (("run", "--scenario", "s12", "--seed", "-1"), "--seed"),
    "unknown option": (("run", "--scenaro", "s12"), "--scenario"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
async def test_a_mistake_is_one_line_and_exit_code_2(tmp_path: Path, mistake: str) -> None:
    arguments, said = MISTAKES[mistake]
    (tmp_path / "broken.yaml").write_text("id: [\n")
    (tmp_path / "other.yaml").write_text(find("s12").read_text().replace("title: Fit", "title: Unfit"))
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    env = environment(tmp_path, "http://127.0.0.1:9/v1")
    before = sorted(path.name for path in tmp_path.iterdir())
    ended = await envs(*arguments, env=env, cwd=tmp_path)
    assert ended.code == 2, ended.err
    assert ended.out == ""
    lines = ended.err.strip().splitlines()
    assert said in lines[-1]
    assert len(lines) == 1, ended.err
    assert "Traceback" not in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before, "something half-made was left behind"
