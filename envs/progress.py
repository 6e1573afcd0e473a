"""What one sees while a run goes on: a live display in a terminal, plain lines elsewhere. Both write to stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichBar
from rich.table import Column

from envs.protocol import Call, Case, RowKey, Verdict
from envs.wall import monotonic


class Tally:
    """The counts that both displays show. `tokens` and the rate are of this session, the rest of the whole run."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.total = self.done = self.scored = self.asked = 0
        self.right = 0.0
        self.tokens = 0
        self._began = monotonic()

    def start(self, folder: Path, total: int, recorded: Sequence[Verdict]) -> None:
        self.folder, self.total = folder, total
        for verdict in recorded:
            self._count(verdict)

    def add(self, case: Case, verdict: Verdict) -> None:
        self.asked += 1
        self.tokens += sum(case.answer.usage.get(kind, 0) for kind in ("prompt", "completion"))
        self._count(verdict)

    def _count(self, verdict: Verdict) -> None:
        self.done += 1
        if verdict.score is not None:
            self.scored += 1
            self.right += verdict.score

    @property
    def seconds(self) -> float:
        return monotonic() - self._began

    def __str__(self) -> str:
        rate = 60 * self.asked / self.seconds if self.seconds else 0.0
        return f"right {self.right:g}/{self.scored} {self.tokens:,} tokens {rate:,.1f}/min"


class LineProgress:
    """One plain line a question."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.tally = Tally()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.flush()

    def started(self, folder: Path, total: int, recorded: Sequence[Verdict]) -> None:
        self.tally.start(folder, total, recorded)
        already = f", {len(recorded)} recorded already" if recorded else ""
        print(f"{total} questions to answer{already}", file=self._out, flush=True)

    def called(self, row: RowKey, call: Call) -> None:
        """A line a call would drown the lines that matter."""

    def finished(self, case: Case, verdict: Verdict) -> None:
        self.tally.add(case, verdict)
        minutes, seconds = divmod(int(self.tally.seconds), 60)
        calls = "1 call" if len(case.calls) == 1 else f"{len(case.calls)} calls"
        print(
            f"[{minutes:02d}:{seconds:02d}] {self.tally.done}/{self.tally.total} {name_of(case.row)}: "
            f"{outcome_of(case, verdict)}, {calls}; {self.tally}",
            file=self._out,
            flush=True,
        )


class LiveProgress:
    """A bar with counts, time left and the last call."""

    def __init__(self) -> None:
        self.tally = Tally()
        whole, rest = Column(no_wrap=True), Column(ratio=1, no_wrap=True, overflow="ellipsis")
        self._bar = RichBar(
            BarColumn(bar_width=10),
            MofNCompleteColumn(table_column=whole),
            TextColumn("{task.description}", table_column=whole),
            TimeElapsedColumn(table_column=whole),
            TextColumn("left", table_column=whole),
            TimeRemainingColumn(compact=True, table_column=whole),
            # What a narrow terminal has no room for is lost here, and nowhere else.
            TextColumn("{task.fields[last]}", markup=False, table_column=rest),
            console=Console(stderr=True),
            expand=True,
        )
        self._task = self._bar.add_task("starting", total=None, last="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def started(self, folder: Path, total: int, recorded: Sequence[Verdict]) -> None:
        self.tally.start(folder, total, recorded)
        self._bar.update(self._task, total=total, completed=self.tally.done, description="running")

    def called(self, row: RowKey, call: Call) -> None:
        self._bar.update(self._task, last=f"{name_of(row)} {call.tool} {call.error or 'ok'}")

    def finished(self, case: Case, verdict: Verdict) -> None:
        self.tally.add(case, verdict)
        last = f"{name_of(case.row)} {outcome_of(case, verdict)}"
        self._bar.update(self._task, completed=self.tally.done, description=str(self.tally), last=last)


def name_of(row: RowKey) -> str:
    """`s12/q1`, with the trial's number from the second on."""
    return f"{row.instance}/{row.question}" + (f" trial {row.trial + 1}" if row.trial else "")


def outcome_of(case: Case, verdict: Verdict) -> str:
    """The verdict in a word or two: right, wrong, a partial score, or why it is unscored."""
    if verdict.score is None:
        return f"unscored ({case.answer.fault or verdict.reason})"
    word = {1.0: "right", 0.0: "wrong"}.get(verdict.score, f"{verdict.score:.2f}")
    return word if case.answer.code == "answer" else f"{word} ({case.answer.code})"


def for_terminal() -> LineProgress | LiveProgress:
    """The display that fits what stderr is."""
    return LiveProgress() if sys.stderr.isatty() else LineProgress(sys.stderr)
