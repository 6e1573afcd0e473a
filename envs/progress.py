"""What one sees while a run goes on: a live display in a terminal, plain lines elsewhere. Both write to stderr."""

from __future__ import annotations

import sys
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichBar
from rich.table import Column

from envs.protocol import Call, Case, RowKey, Verdict
from envs.wall import monotonic


class Tally:
    """The counts that both displays show."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.scored = 0
        self.right = 0.0
        self.tokens = 0

    def add(self, case: Case, verdict: Verdict) -> None:
        self.done += 1
        self.tokens += sum(case.answer.usage.get(kind, 0) for kind in ("prompt", "completion"))
        if verdict.score is not None:
            self.scored += 1
            self.right += verdict.score

    def __str__(self) -> str:
        return f"correct {self.right:g} of {self.scored} scored, {self.tokens:,} tokens"


class LineProgress:
    """One plain line a question."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._tally = Tally()
        self._began = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.flush()

    def started(self, total: int, done: int) -> None:
        self._tally.total, self._tally.done = total, done
        recorded = f", {done} recorded already" if done else ""
        print(f"{total} questions to answer{recorded}", file=self._out, flush=True)

    def called(self, row: RowKey, call: Call) -> None:
        """A line a call would drown the lines that matter."""

    def finished(self, case: Case, verdict: Verdict) -> None:
        self._tally.add(case, verdict)
        minutes, seconds = divmod(int(monotonic() - self._began), 60)
        print(
            f"[{minutes:02d}:{seconds:02d}] {self._tally.done}/{self._tally.total} {name_of(case.row)}: "
            f"{outcome_of(case, verdict)}, {len(case.calls)} calls; {self._tally}",
            file=self._out,
            flush=True,
        )


class LiveProgress:
    """A bar with counts, time left and the last call."""

    def __init__(self) -> None:
        self._tally = Tally()
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

    def started(self, total: int, done: int) -> None:
        self._tally.total, self._tally.done = total, done
        self._bar.update(self._task, total=total, completed=done, description="running")

    def called(self, row: RowKey, call: Call) -> None:
        self._bar.update(self._task, last=f"{name_of(row)} {call.tool} {call.error or 'ok'}")

    def finished(self, case: Case, verdict: Verdict) -> None:
        self._tally.add(case, verdict)
        last = f"{name_of(case.row)} {outcome_of(case, verdict)}"
        tally = self._tally
        described = f"right {tally.right:g}/{tally.scored} {tally.tokens:,} tokens"
        self._bar.update(self._task, completed=tally.done, description=described, last=last)


def name_of(row: RowKey) -> str:
    """`s12/q1`, with the trial from the second on."""
    return f"{row.instance}/{row.question}" + (f" trial {row.trial}" if row.trial else "")


def outcome_of(case: Case, verdict: Verdict) -> str:
    """The verdict in a word or two: right, wrong, a partial score, or why it is unscored."""
    if verdict.score is None:
        return f"unscored ({case.answer.fault or verdict.reason})"
    word = {1.0: "right", 0.0: "wrong"}.get(verdict.score, f"{verdict.score:.2f}")
    return word if case.answer.code == "answer" else f"{word} ({case.answer.code})"


def for_terminal() -> LineProgress | LiveProgress:
    """The display that fits what stderr is."""
    return LiveProgress() if sys.stderr.isatty() else LineProgress(sys.stderr)
