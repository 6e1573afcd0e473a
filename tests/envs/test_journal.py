"""Files of JSON lines: torn tails, damage, group commit."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from envs import journal
from envs.errors import RunError

SCHEMA = "toy/1"


async def filled(folder: Path, count: int) -> Path:
    held = journal.Journal(folder, [("a.jsonl", SCHEMA)], unsynced=frozenset())
    for number in range(count):
        held.append("a.jsonl", journal.encode({"n": number}))
    await held.close()
    return folder / "a.jsonl"


def numbers(path: Path) -> list[int]:
    return [line.row["n"] for line in journal.lines(path, SCHEMA)]


async def test_a_file_cut_at_any_byte_keeps_its_whole_lines_and_goes_on(tmp_path: Path) -> None:
    path = await filled(tmp_path, 3)
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = numbers(path)
        assert kept == list(range(max(0, whole[:cut].count(b"\n") - 1)))
        held = journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset())
        held.append("a.jsonl", journal.encode({"n": 99}))
        await held.close()
        assert numbers(path) == [*kept, 99]


async def test_damage_inside_the_file_is_named_by_line(tmp_path: Path) -> None:
    path = await filled(tmp_path, 3)
    raw = path.read_bytes().split(b"\n")
    raw[2] = raw[2][:-2]
    path.write_bytes(b"\n".join(raw))
    with pytest.raises(RunError, match=r"a\.jsonl:3: damaged line"):
        numbers(path)


async def test_another_schema_is_refused(tmp_path: Path) -> None:
    path = await filled(tmp_path, 1)
    with pytest.raises(RunError, match=r"is 'toy/1', this envs reads 'toy/2'"):
        list(journal.lines(path, "toy/2"))


async def test_all_who_wait_share_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs = 0
    sync = os.fdatasync

    def counted(handle: int) -> None:
        nonlocal syncs
        syncs += 1
        sync(handle)

    monkeypatch.setattr(os, "fdatasync", counted)
    held = journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset())

    async def write(number: int) -> None:
        held.append("a.jsonl", journal.encode({"n": number}))
        await held.commit()

    await asyncio.gather(*map(write, range(32)))
    assert syncs <= 2
    await held.close()
    assert sorted(numbers(tmp_path / "a.jsonl")) == list(range(32))


async def test_commit_returns_only_when_the_lines_are_on_disk(tmp_path: Path) -> None:
    held = journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset())
    held.append("a.jsonl", journal.encode({"n": 1}))
    await held.commit()
    assert numbers(tmp_path / "a.jsonl") == [1]
    await held.close()


async def test_a_cancelled_waiter_does_not_cancel_the_others(tmp_path: Path) -> None:
    held = journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset())
    held.append("a.jsonl", journal.encode({"n": 1}))
    first, second = asyncio.create_task(held.commit()), asyncio.create_task(held.commit())
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert numbers(tmp_path / "a.jsonl") == [1]
    await held.close()


async def test_a_full_disk_ends_the_writing_and_what_was_whole_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills in the middle of a line: nothing may be appended to that half line."""
    held = journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset())
    held.append("a.jsonl", journal.encode({"n": 1}))
    await held.commit()
    real = os.write

    def full(handle: int, data: bytes) -> int:
        real(handle, bytes(data)[:4])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    held.append("a.jsonl", journal.encode({"n": 2}))
    results = await asyncio.gather(held.commit(), held.commit(), return_exceptions=True)
    assert [str(result) for result in results] == [
        f"{tmp_path}: can't be written (No space left on device); make room, then go on with --resume"
    ] * 2
    monkeypatch.undo()
    held.append("a.jsonl", journal.encode({"n": 3}))
    with pytest.raises(RunError, match="make room"):
        await held.commit()
    await held.close()
    assert numbers(tmp_path / "a.jsonl") == [1]
    await journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset()).close()
    assert (tmp_path / "a.jsonl").read_bytes().endswith(b'{"n":1}\n')


async def test_a_closed_journal_refuses_and_does_not_hang(tmp_path: Path) -> None:
    held = journal.Journal(tmp_path, [("a.jsonl", SCHEMA)], unsynced=frozenset())
    await held.close()
    with pytest.raises(RuntimeError, match="closed"):
        await held.commit()


def test_opening_that_fails_leaves_no_file_open(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"schema":"other/1"}\n')
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(RunError, match="other/1"):
        journal.Journal(tmp_path, [("a.jsonl", SCHEMA), ("b.jsonl", SCHEMA)], unsynced=frozenset())
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_utf8_and_json_cannot_hold_is_still_written() -> None:
    assert journal.encode({"text": "a\ud800b"}) == b'{"text":"a?b"}\n'
    assert journal.encode({"n": 2**70}) == b'{"n":"%d"}\n' % 2**70


async def test_a_rewrite_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    path = await filled(tmp_path, 2)

    def dying() -> object:
        yield journal.encode({"n": 7})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        journal.rewrite(path, SCHEMA, dying())  # type: ignore[arg-type]
    assert numbers(path) == [0, 1]
    journal.rewrite(path, SCHEMA, [journal.encode({"n": 7})])
    assert numbers(path) == [7]
