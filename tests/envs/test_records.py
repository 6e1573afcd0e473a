"""The run folder: what survives a cut at any byte, what closing leaves, what resume and replay refuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from envs import journal, rows
from envs.answers import DateGold, Gold, NumberGold, SetGold, TextGold, YesNoGold
from envs.errors import RunError
from envs.protocol import Answer, Call, Case, Key, Question, RowKey, Verdict
from envs.records import RunRecord, differences, read_cases, read_run, read_verdicts

WHEN = datetime(2025, 5, 1, 9, tzinfo=UTC)
FILES = ("run.json", *rows.SCHEMAS)


TUESDAY = TextGold(("Tuesday", "Tue"))


def case(number: int, gold: Gold = TUESDAY) -> Case:
    calls = tuple(
        Call("list", "slack.list", {"n": n, "deep": [None, 1.5]}, None, WHEN, True, False, "agent", '{"é":1}')
        for n in range(number % 3)
    )
    return Case(
        RowKey("s1", f"q{number}", number, 0),
        Question(f"q{number}", "when?", "sequential"),
        WHEN,
        Key(gold, ("Monday",), ("Friday",), ("e1",)),
        Answer(f"q{number}", "Tuesday", "answer", usage={"prompt": 3}),
        calls,
        {"done": True},
    )


async def fill(record: RunRecord, numbers: list[int]) -> None:
    for number in numbers:
        await record.exchange(f"s1/q{number}/{number}/0", 0, f"digest{number}", {"text": "Tuesday"}, {"seconds": 0.1})
        await record.finish(case(number))
        record.judge(case(number).row, "match", Verdict(1.0, "equal"))


def reopened(folder: Path) -> None:
    """Marks the run as not closed, as one is that a crash has cut."""
    run = json.loads((folder / "run.json").read_text())
    run["closed"] = False
    del run["files"]
    (folder / "run.json").write_text(json.dumps(run))


async def closed(folder: Path, numbers: list[int]) -> dict[str, bytes]:
    async with RunRecord.create(folder, {"seed": 1}) as record:
        await fill(record, numbers)
        await record.finalise()
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES if name != "timings.jsonl"}


GOLDS: list[Gold] = [
    TextGold(("a", "b")),
    NumberGold(3.5, 0.1, "days"),
    DateGold(date(2025, 5, 1), "Europe/Lisbon"),
    DateGold(WHEN, "Europe/Lisbon", "minute"),
    SetGold((("a",), ("b", "c"))),
    YesNoGold(False),
]


@pytest.mark.parametrize("gold", GOLDS)
async def test_a_case_comes_back_as_it_was(tmp_path: Path, gold: Gold) -> None:
    written = case(2, gold)
    async with RunRecord.create(tmp_path / "run", {}) as record:
        await record.finish(written)
    assert list(read_cases(tmp_path / "run", results=True)) == [written]
    (light,) = read_cases(tmp_path / "run", results=False)
    assert {call.result for call in light.calls} == {""}


async def test_closing_orders_the_rows_so_that_the_order_of_work_leaves_no_trace(tmp_path: Path) -> None:
    straight = await closed(tmp_path / "a", [0, 1, 2, 3])
    mixed = await closed(tmp_path / "b", [3, 0, 2, 1])
    assert straight == mixed
    assert read_run(tmp_path / "a")["closed"] is True


async def test_only_timings_hold_wall_time(tmp_path: Path) -> None:
    files = await closed(tmp_path / "a", [0])
    assert b"seconds" not in b"".join(files.values())
    assert b"seconds" in (tmp_path / "a" / "timings.jsonl").read_bytes()


@pytest.mark.parametrize("name", ["answers.jsonl", "model.jsonl", "verdicts.jsonl"])
async def test_a_file_cut_at_any_byte_resumes_to_the_same_bytes(tmp_path: Path, name: str) -> None:
    whole = await closed(tmp_path / "whole", [0, 1, 2])
    cut = tmp_path / "cut"
    cut.mkdir()
    raw = whole[name]
    for length in range(0, len(raw), 7):
        for file, content in whole.items():
            (cut / file).write_bytes(content)
        reopened(cut)
        (cut / name).write_bytes(raw[:length])
        async with RunRecord.resume(cut, {"seed": 1}) as record:
            for number in range(3):
                scope = f"s1/q{number}/{number}/0"
                if record.reply(scope, 0, f"digest{number}") is None:
                    await record.exchange(scope, 0, f"digest{number}", {"text": "Tuesday"}, {})
                await record.finish(case(number))
                if record.judged(case(number).row) is None:
                    record.judge(case(number).row, "match", Verdict(1.0, "equal"))
            await record.finalise()
        assert contents(cut) == whole


async def test_an_answer_whose_calls_were_lost_is_refused(tmp_path: Path) -> None:
    """A commit makes calls durable before answers, so this is damage and not a crash."""
    await closed(tmp_path / "run", [2])
    reopened(tmp_path / "run")
    journal.rewrite(tmp_path / "run" / "calls.jsonl", rows.SCHEMAS["calls.jsonl"], [])
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        with pytest.raises(RunError, match="its tool calls came out differently"):
            await record.finish(case(2))


@pytest.mark.parametrize("name", ["answers.jsonl", "calls.jsonl", "model.jsonl", "verdicts.jsonl"])
async def test_a_closed_run_that_was_changed_is_refused(tmp_path: Path, name: str) -> None:
    await closed(tmp_path / "run", [1, 2])
    read_run(tmp_path / "run")
    path = tmp_path / "run" / name
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunError, match=f"{name}: isn't as it was when the run was closed"):
        read_run(tmp_path / "run")
    path.unlink()
    with pytest.raises(RunError, match=f"{name}: isn't as it was when the run was closed"):
        RunRecord.resume(tmp_path / "run", {"seed": 1})


async def test_a_failed_opening_lets_go_of_the_folder(tmp_path: Path) -> None:
    whole = await closed(tmp_path / "run", [1, 2])
    reopened(tmp_path / "run")
    path = tmp_path / "run" / "answers.jsonl"
    path.write_bytes(whole["answers.jsonl"].replace(b'"mode"', b'mode"', 1))
    with pytest.raises(RunError, match=r"answers\.jsonl:2: damaged line"):
        RunRecord.resume(tmp_path / "run", {"seed": 1})
    path.write_bytes(whole["answers.jsonl"])
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        assert record.done(case(2).row)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"code":"answer"', b'"code":"shrug"', "the row s1/q1/1/0 is not of this version's shape"),
        (b'"instance":"s1",', b"", "the row None/q1/1/0 is not of this version's shape"),
    ],
)
async def test_a_row_of_another_shape_is_named(tmp_path: Path, old: bytes, new: bytes, said: str) -> None:
    whole = await closed(tmp_path / "run", [1])
    (tmp_path / "run" / "answers.jsonl").write_bytes(whole["answers.jsonl"].replace(old, new))
    with pytest.raises(RunError, match=said):
        list(read_cases(tmp_path / "run", results=True))


async def test_a_row_twice_is_refused(tmp_path: Path) -> None:
    whole = await closed(tmp_path / "run", [1])
    reopened(tmp_path / "run")
    lines = whole["answers.jsonl"].splitlines(keepends=True)
    (tmp_path / "run" / "answers.jsonl").write_bytes(b"".join([*lines, lines[-1]]))
    with pytest.raises(RunError, match="has the row s1/q1/1/0 twice"):
        RunRecord.resume(tmp_path / "run", {"seed": 1})


async def test_a_fault_while_a_recorded_row_is_driven_again_lets_the_row_stand(tmp_path: Path) -> None:
    whole = await closed(tmp_path / "run", [2])
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        await record.finish(replace(case(2), answer=Answer("q2", None, "fault", "memory"), calls=()))
        await record.finalise()
    assert contents(tmp_path / "run") == whole


async def test_discarding_removes_what_was_made_and_nothing_else(tmp_path: Path) -> None:
    async with RunRecord.create(tmp_path / "new", {}) as record:
        pass
    record.discard()
    assert not (tmp_path / "new").exists()
    (tmp_path / "mine").mkdir()
    async with RunRecord.create(tmp_path / "mine", {}) as record:
        pass
    record.discard()
    assert os.listdir(tmp_path / "mine") == []


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nowhere"])
def test_where_no_folder_can_be_made_it_says_so(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match="no folder can be made there"):
        RunRecord.create(tmp_path / place, {})


async def test_a_replay_is_whole_in_itself(tmp_path: Path) -> None:
    first = await closed(tmp_path / "first", [1])
    async with RunRecord.create(tmp_path / "again", {"seed": 1}) as record:
        record.replay(tmp_path / "first")
        assert record.reply("s1/q1/1/0", 0, "digest1") == {"text": "Tuesday"}
        await record.finish(case(1))
        await record.finalise()
    assert contents(tmp_path / "again")["model.jsonl"] == first["model.jsonl"]


async def test_a_row_that_comes_out_otherwise_is_refused(tmp_path: Path) -> None:
    await closed(tmp_path / "run", [2])
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        await record.finish(case(2))
        other = case(2)
        with pytest.raises(RunError, match="s1/q2/2/0: driven again, its answer came out differently"):
            await record.finish(replace(other, answer=replace(other.answer, text="Monday")))
        with pytest.raises(RunError, match="its tool calls came out differently"):
            await record.finish(replace(other, calls=other.calls[:1]))


async def test_a_fault_is_dropped_with_its_calls_and_asked_again(tmp_path: Path) -> None:
    faulted = replace(case(2), answer=Answer("q2", None, "fault", "endpoint"))
    async with RunRecord.create(tmp_path / "run", {"seed": 1}) as record:
        await record.finish(case(1))
        await record.finish(faulted)
        record.judge(faulted.row, "match", Verdict(None, "endpoint"))
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        assert record.done(case(1).row)
        assert not record.done(faulted.row)
        assert record.answer(faulted.row) is None
        await record.finish(case(2))
        assert record.judged(faulted.row) is None
        record.judge(case(2).row, "match", Verdict(1.0, "equal"))
    assert list(read_cases(tmp_path / "run", results=True)) == [case(1), case(2)]
    assert (tmp_path / "run" / "verdicts.jsonl").read_bytes().count(b"\n") == 2


async def test_calls_that_lost_their_answer_are_dropped(tmp_path: Path) -> None:
    whole = await closed(tmp_path / "run", [1, 2])
    reopened(tmp_path / "run")
    answers = whole["answers.jsonl"].splitlines(keepends=True)
    (tmp_path / "run" / "answers.jsonl").write_bytes(b"".join(answers[:2]))
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        await record.finish(case(2))
    assert list(read_cases(tmp_path / "run", results=True)) == [case(1), case(2)]


async def test_a_reply_of_another_request_is_refused(tmp_path: Path) -> None:
    await closed(tmp_path / "run", [0])
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        assert record.reply("s1/q0/0/0", 0, "digest0") == {"text": "Tuesday"}
        assert record.reply("s1/q0/0/0", 1, "digest0") is None
        with pytest.raises(RunError, match="request 0 of s1/q0/0/0 differs"):
            record.reply("s1/q0/0/0", 0, "another")


async def test_another_fingerprint_is_refused_by_name(tmp_path: Path) -> None:
    await closed(tmp_path / "run", [0])
    with pytest.raises(RunError, match="seed was 1, is 2"):
        RunRecord.resume(tmp_path / "run", {"seed": 2})
    async with RunRecord.create(tmp_path / "other", {"seed": 2}) as record:
        with pytest.raises(RunError, match="can't be replayed by this run: seed was 1, is 2"):
            record.replay(tmp_path / "run")


def test_differences_name_the_path() -> None:
    was = {"agent": {"model": "gpt5", "sampling": {"temperature": 1}}, "seed": 0}
    now = {"agent": {"model": "gpt5-mini", "sampling": {}}, "seed": 0}
    assert differences(was, now) == [
        "agent.model was gpt5, is gpt5-mini",
        "agent.sampling.temperature was 1, is absent",
    ]
    assert differences(was, was) == []


async def test_a_folder_in_use_is_refused_and_free_after_a_kill(tmp_path: Path) -> None:
    await closed(tmp_path / "run", [0])
    code = (
        "import sys, time; from pathlib import Path; from envs.records import RunRecord\n"
        "async def main():\n"
        "    async with RunRecord.resume(Path(sys.argv[1]), {'seed': 1}):\n"
        "        print('held', flush=True); sys.stdin.read()\n"
        "import asyncio; asyncio.run(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "run")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(RunError, match="another process is writing this run"):
        RunRecord.resume(tmp_path / "run", {"seed": 1})
    process.kill()
    process.wait()
    process.stdout.close()
    process.stdin.close()
    async with RunRecord.resume(tmp_path / "run", {"seed": 1}) as record:
        assert record.done(case(0).row)


async def test_a_folder_with_something_in_it_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match="is not empty; resume it with --resume"):
        RunRecord.create(tmp_path, {})
    assert os.listdir(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "no run here"),
        ("{", "damaged"),
        ('{"schema": "driftdesk.run/99"}', "not of schema"),
        ("[]", "not of schema"),
    ],
)
def test_what_is_no_run_says_so(tmp_path: Path, content: str | None, problem: str) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunError, match=problem):
        read_run(tmp_path)


@pytest.mark.parametrize("crash_at", range(1, 7))
async def test_a_crash_at_each_step_of_closing_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash_at: int
) -> None:
    whole = await closed(tmp_path / "whole", [1, 2])
    step = 0
    real: Any = Path.replace

    def dying(self: Path, target: Path) -> Path:
        nonlocal step
        step += 1
        if step == crash_at:
            raise KeyboardInterrupt
        result: Path = real(self, target)
        return result

    async with RunRecord.create(tmp_path / "cut", {"seed": 1}) as record:
        await fill(record, [2, 1])
        monkeypatch.setattr(Path, "replace", dying)
        with pytest.raises(KeyboardInterrupt):
            await record.finalise()
        monkeypatch.undo()
    async with RunRecord.resume(tmp_path / "cut", {"seed": 1}) as record:
        await record.finalise()
    assert contents(tmp_path / "cut") == whole


async def test_verdicts_come_back(tmp_path: Path) -> None:
    async with RunRecord.create(tmp_path / "run", {}) as record:
        record.judge(RowKey("s1", "q1", 0, 0), "match", Verdict(0.5, "half"))
        record.judge(RowKey("s1", "q2", 1, 0), "match", Verdict(None, "endpoint"))
    assert read_verdicts(tmp_path / "run") == {
        RowKey("s1", "q1", 0, 0): Verdict(0.5, "half"),
        RowKey("s1", "q2", 1, 0): Verdict(None, "endpoint"),
    }


def test_the_schema_of_every_file_is_in_its_first_line(tmp_path: Path) -> None:
    journal.rewrite(tmp_path / "calls.jsonl", rows.SCHEMAS["calls.jsonl"], [])
    assert (tmp_path / "calls.jsonl").read_bytes() == b'{"schema":"driftdesk.calls/1"}\n'
