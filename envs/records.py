"""A run's folder: what was asked, called, replied and judged, as it happened; and the same in key order once closed.

    run.json       the fingerprint (what decides the results), and whether the run is closed
    answers.jsonl  one row per (instance, question, turn, trial), with its gold
    calls.jsonl    every tool call of those rows, with its result
    model.jsonl    every model reply under its scope and ordinal, on disk before it is used
    verdicts.jsonl the judge's verdict of each row
    timings.jsonl  wall time, attempts, cached tokens: nothing else holds any

Resume drives unfinished episodes again: recorded replies are served, and each row must come out as it stands here.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

import orjson

from envs import journal, rows
from envs.errors import RunError
from envs.protocol import Answer, Case, Json, RowKey, Verdict

RUN_SCHEMA = "driftdesk.run/1"
_LOCK = ".lock"


def read_cases(folder: Path, *, results: bool) -> Iterator[Case]:
    """The cases of a saved run, in the order of its `answers.jsonl`. `results` False leaves the calls' texts out.

    Raises RunError for a damaged file.
    """
    calls: dict[RowKey, list[dict[str, Any]]] = {}
    for line in journal.lines(folder / "calls.jsonl", rows.SCHEMAS["calls.jsonl"]):
        if not results:
            line.row["result"] = ""
        calls.setdefault(rows.key_of(line.row), []).append(line.row)
    for line in journal.lines(folder / "answers.jsonl", rows.SCHEMAS["answers.jsonl"]):
        yield rows.read_case(line.row, calls.pop(rows.key_of(line.row), ()))


def read_verdicts(folder: Path) -> dict[RowKey, Verdict]:
    """The verdict of each judged row of a saved run."""
    lines = journal.lines(folder / "verdicts.jsonl", rows.SCHEMAS["verdicts.jsonl"])
    return {rows.key_of(line.row): Verdict(line.row["score"], line.row["reason"]) for line in lines}


def read_run(folder: Path) -> dict[str, Any]:
    """The folder's `run.json`.

    Raises RunError for a folder that holds none, or one of another schema, and where the files of a closed run aren't
    those that were closed: their figures would be another run's.
    """
    path = folder / "run.json"
    try:
        run = orjson.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{folder}: no run here (no run.json); name a folder that `envs run` wrote") from None
    except OSError as error:
        raise RunError(f"{path}: can't be read: {error.strerror}") from None
    except orjson.JSONDecodeError:
        raise RunError(f"{path}: damaged; start a new run with another --out") from None
    if not isinstance(run, dict) or run.get("schema") != RUN_SCHEMA:
        raise RunError(f"{path}: not of schema {RUN_SCHEMA}; use the version of envs that wrote it")
    if not isinstance(run.get("fingerprint"), dict):
        raise RunError(f"{path}: has no fingerprint; start a new run with another --out")
    if run.get("closed"):
        closed, found = run.get("files"), _file_digests(folder)
        changed = [name for name in found if not isinstance(closed, dict) or found[name] != closed.get(name)]
        if changed:
            raise RunError(f"{folder / changed[0]}: isn't as it was when the run was closed; restore the file")
    return run


def _file_digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file but the timings, which alone may be changed or dropped."""
    found = {}
    for name in rows.SCHEMAS:
        path = folder / name
        if name != "timings.jsonl":
            found[name] = ""
            if path.is_file():
                with path.open("rb") as file:
                    found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


class RunRecord:
    """The open folder and its single writer (protocol.Record). Use it with `async with`: leaving releases the lock."""

    def __init__(self, folder: Path, run: dict[str, Any]) -> None:
        """Opens what `create` or `resume` has locked. Raises RunError for damaged files."""
        self.folder = folder
        self.run = run
        self._answers: dict[RowKey, dict[str, Any]] = {}
        self._calls: dict[RowKey, list[bytes]] = {}
        self._replies: dict[tuple[str, int], tuple[str, Path, int, int]] = {}
        self._judged: dict[RowKey, Verdict] = {}
        self._load()
        unsynced = frozenset({"timings.jsonl"})
        self._journal = journal.Journal(folder, list(rows.SCHEMAS.items()), unsynced=unsynced)
        self._release = ExitStack()
        self._made = False

    # ---- opening

    @classmethod
    def create(cls, folder: Path, fingerprint: Mapping[str, Json], about: Mapping[str, Json] | None = None) -> Self:
        """A new folder. `about` goes into `run.json` beside the fingerprint: what was asked for, what is expected.

        Raises RunError where something lies there already, and where no folder can be made.
        """
        made = not folder.exists()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            holds = any(entry.name != _LOCK for entry in folder.iterdir())
        except OSError as error:
            raise RunError(f"{folder}: no folder can be made there ({error.strerror}); give another --out") from None
        if holds:
            raise RunError(f"{folder}: is not empty; resume it with --resume, or give another --out")
        with ExitStack() as stack:
            stack.enter_context(_locked(folder))
            run = {**(about or {}), "schema": RUN_SCHEMA, "fingerprint": dict(fingerprint), "closed": False}
            _write_run(folder, run)
            record = cls(folder, run)
            record._release, record._made = stack.pop_all(), made
        return record

    @classmethod
    def resume(cls, folder: Path, fingerprint: Mapping[str, Json]) -> Self:
        """A folder left before its end. Raises RunError, naming what differs, for another fingerprint."""
        read_run(folder)  # before the lock leaves its file in a folder that holds no run
        with ExitStack() as stack:
            stack.enter_context(_locked(folder))
            run = read_run(folder)
            if differing := differences(run["fingerprint"], fingerprint):
                raise RunError(f"{folder}: is another run: {differing[0]}; resume it as it was, or give another --out")
            record = cls(folder, run)
            if run["closed"]:
                run["closed"] = False
                del run["files"]
                _write_run(folder, run)
            record._release = stack.pop_all()
        return record

    def discard(self) -> None:
        """Removes what `create` made, the folder too if that was new: for a run that asked nothing."""
        for name in ("run.json", _LOCK, *rows.SCHEMAS):
            (self.folder / name).unlink(missing_ok=True)
        if self._made:
            self.folder.rmdir()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._release:
            await self._journal.close()

    def _load(self) -> None:
        """Takes what is there, and drops what can't stand: fault rows (asked again), and what hangs on no answer."""
        stale = False
        for line in self._lines("answers.jsonl"):
            key = rows.key_of(line.row)
            if key in self._answers:
                raise RunError(f"{self.folder / 'answers.jsonl'}: has the row {'/'.join(map(str, key))} twice")
            if line.row["fault"] is not None:
                stale = True
            else:
                self._answers[key] = line.row
        for line in self._lines("calls.jsonl"):
            key = rows.key_of(line.row)
            held = self._calls.setdefault(key, [])
            if key not in self._answers or line.row["n"] != len(held):
                stale = True
            else:
                held.append(journal.encode(line.row))
        verdicts = []
        for line in self._lines("verdicts.jsonl"):
            if (key := rows.key_of(line.row)) in self._answers:
                self._judged[key] = Verdict(line.row["score"], line.row["reason"])
                verdicts.append(journal.encode(line.row))
            else:
                stale = True
        if stale:
            self._compact(verdicts)
        self._index_replies(self.folder)

    def _lines(self, name: str) -> Iterator[journal.Line]:
        return journal.lines(self.folder / name, rows.SCHEMAS[name])

    def _compact(self, verdicts: list[bytes]) -> None:
        journal.rewrite(self.folder / "verdicts.jsonl", rows.SCHEMAS["verdicts.jsonl"], verdicts)
        calls = (line for key in self._answers for line in self._calls.get(key, ()))
        journal.rewrite(self.folder / "calls.jsonl", rows.SCHEMAS["calls.jsonl"], calls)
        answers = (journal.encode(row) for row in self._answers.values())
        journal.rewrite(self.folder / "answers.jsonl", rows.SCHEMAS["answers.jsonl"], answers)

    def _index_replies(self, folder: Path) -> None:
        path = folder / "model.jsonl"
        for line in journal.lines(path, rows.SCHEMAS["model.jsonl"]):
            place = (line.row["request"], path, line.offset, line.length)
            self._replies.setdefault((line.row["scope"], line.row["ordinal"]), place)

    def replay(self, folder: Path) -> None:
        """Serves the model replies of another run too. Raises RunError where its fingerprint is another."""
        if differing := differences(read_run(folder)["fingerprint"], self.run["fingerprint"]):
            raise RunError(f"{folder}: can't be replayed by this run: {differing[0]}")
        self._index_replies(folder)

    # ---- protocol.Record

    def answer(self, row: RowKey) -> Answer | None:
        held = self._answers.get(row)
        return None if held is None else rows.read_answer(held)

    def done(self, row: RowKey) -> bool:
        """Whether the row stood recorded, without a fault, when the folder was opened."""
        return row in self._answers

    def case(self, row: RowKey) -> Case:
        """The whole case of a row that is `done`."""
        return rows.read_case(self._answers[row], [orjson.loads(line) for line in self._calls.get(row, ())])

    async def finish(self, case: Case) -> None:
        answer = journal.encode(rows.answer_row(case))
        calls = [journal.encode(row) for row in rows.call_rows(case)]
        if case.row in self._answers:
            # A fault while a recorded row is driven again is no divergence: the row stands, and the driver stops.
            if case.answer.fault is None:
                self._same(case.row, answer, calls)
            return
        for line in calls:
            self._journal.append("calls.jsonl", line)
        self._journal.append("answers.jsonl", answer)
        await self._journal.commit()

    def _same(self, row: RowKey, answer: bytes, calls: list[bytes]) -> None:
        if calls != self._calls.get(row, []):
            _diverged(self.folder, row, "its tool calls")
        if answer != journal.encode(self._answers[row]):
            _diverged(self.folder, row, "its answer")

    def reply(self, scope: str, ordinal: int, request: str) -> Json | None:
        place = self._replies.get((scope, ordinal))
        if place is None:
            return None
        recorded, path, offset, length = place
        if recorded != request:
            raise RunError(f"{path}: request {ordinal} of {scope} differs from the recorded one; start a new run")
        with path.open("rb") as file:
            file.seek(offset)
            line = file.read(length)
        if path.parent != self.folder:  # of the run that is replayed: this one is to be whole in itself
            self._journal.append("model.jsonl", line)
        return orjson.loads(line)["reply"]

    async def exchange(self, scope: str, ordinal: int, request: str, reply: Json, timing: Mapping[str, float]) -> None:
        row = {"scope": scope, "ordinal": ordinal, "request": request, "reply": reply}
        self._journal.append("model.jsonl", journal.encode(row))
        self.timing("request", f"{scope}#{ordinal}", timing)
        await self._journal.commit()

    # ---- verdicts, timings, closing

    def judged(self, row: RowKey) -> Verdict | None:
        """The verdict that stands recorded for the row."""
        return self._judged.get(row)

    def judge(self, row: RowKey, judge: str, verdict: Verdict) -> None:
        """Queues a verdict; it is on disk with the next commit, and made again if a crash comes first."""
        self._judged[row] = verdict
        self._journal.append("verdicts.jsonl", journal.encode(rows.verdict_row(row, judge, verdict)))

    def timing(self, kind: str, name: str, values: Mapping[str, float]) -> None:
        """Queues a line of wall time."""
        self._journal.append("timings.jsonl", journal.encode({"kind": kind, "name": name, **values}))

    async def finalise(self) -> None:
        """Rewrites every file in key order, each in one step, and marks the run closed. Safe to repeat."""
        await self._journal.commit()
        for name in rows.SCHEMAS:
            _sort(self.folder / name, rows.SCHEMAS[name], _SORT_KEYS[name])
        self.run["closed"] = True
        self.run["files"] = _file_digests(self.folder)
        _write_run(self.folder, self.run)


def _row_order(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (*rows.key_of(row), row.get("n", 0))


_SORT_KEYS: dict[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]] = {
    "model.jsonl": lambda row: (row["scope"], row["ordinal"]),
    "calls.jsonl": _row_order,
    "answers.jsonl": _row_order,
    "verdicts.jsonl": _row_order,
    "timings.jsonl": lambda row: (row["kind"], row["name"]),
}


def _sort(path: Path, schema: str, key: Callable[[Mapping[str, Any]], tuple[Any, ...]]) -> None:
    """Sorts by places, not by rows: a long run's file need not fit into memory."""
    places = sorted((key(line.row), line.offset, line.length) for line in journal.lines(path, schema))
    with path.open("rb") as file:

        def raw(offset: int, length: int) -> bytes:
            file.seek(offset)
            return file.read(length)

        journal.rewrite(path, schema, (raw(offset, length) for _, offset, length in places))


def _diverged(folder: Path, row: RowKey, what: str) -> NoReturn:
    name = "/".join(map(str, row))
    raise RunError(f"{folder}: {name}: driven again, {what} came out differently than recorded; start a new run")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds the folder against other processes; the system lets go of it whenever the process ends."""
    handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise RunError(f"{folder}: another process is writing this run; wait for it, or give another --out") from None
    finally:
        os.close(handle)


def _write_run(folder: Path, run: Mapping[str, Json]) -> None:
    fresh = folder / "run.json.new"
    fresh.write_bytes(orjson.dumps(run, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(folder / "run.json")
    journal.sync_folder(folder)


def differences(recorded: Mapping[str, Json], given: Mapping[str, Json], at: str = "") -> list[str]:
    """What differs between two fingerprints, one phrase each: `agent.model was gpt5, is gpt5-mini`."""
    found = []
    for name in sorted({*recorded, *given}):
        was, now, path = recorded.get(name), given.get(name), f"{at}{name}"
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            found += differences(was, now, f"{path}.")
        elif was != now:
            found.append(f"{path} was {_shown(was)}, is {_shown(now)}")
    return found


def _shown(value: Json) -> str:
    return "absent" if value is None else value if isinstance(value, str) else orjson.dumps(value).decode()
