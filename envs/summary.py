"""The figures of a run, with what they rest on: how many rows were expected, scored, unscored, faulted and missing.

Averages go trials -> question -> instance -> suite, each over what is there. A row that is missing is neither a zero
nor forgotten: beside the mean stand the bounds that it would have if every such row were 0 (`low`) or 1 (`high`).
Nothing is ever NaN: what is undefined is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from envs.errors import RunError
from envs.protocol import Call, Case, RowKey, Verdict
from judges.measures import (
    entropy,
    errors,
    instance_efficiency,
    mean,
    normalised_entropy,
    row_efficiency,
    sound,
    success_rate,
    switches,
    tokens,
    tool_calls,
)

Expected = Mapping[str, Sequence[tuple[str, int]]]
"""Instance -> (question, turn) of every row of a whole episode, in the order of asking."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows: `expected` is the sum of the others. `unscored`: answered, but the judge gave no verdict."""

    expected: int
    scored: int
    unscored: int
    faulted: int
    missing: int


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure of the suite; `mean` None: undefined. `low` and `high` None: it has no bounds (calls, entropy).

    `scored` of `expected` rows have it, or, for `entropy`, `entropy_normalised` and `success`, went into it: these are
    taken from whichever rows of an episode are there. The totals of whole episodes (`efficiency_instance`, `switches`)
    count episodes, `followup_drop` instances: those whose first question and any later one have a score.
    """

    mean: float | None
    low: float | None
    high: float | None
    scored: int
    expected: int


@dataclass(frozen=True, slots=True)
class InstanceSummary:
    """One instance's means by metric, and its rows."""

    id: str
    counts: Counts
    metrics: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures of one run by one judge. `errors`: failed tool calls by code, over rows without a fault."""

    judge: str
    counts: Counts
    metrics: Mapping[str, Metric]
    instances: tuple[InstanceSummary, ...]
    errors: Mapping[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every expected row has a score."""
        return self.counts.scored == self.counts.expected

    @property
    def correctness(self) -> str:
        """The name of the correctness metric, which holds the judge: figures of two judges never mix."""
        return f"correctness[{self.judge}]"


Cells = Mapping[str, Sequence[Sequence[float | None]]]
"""Instance -> its questions (or its one episode) -> a value for each trial, None where the run has none."""

EPISODE_METRICS: Mapping[str, tuple[Callable[[Sequence[Case]], float | None], bool, bool]] = {
    "efficiency_instance": (instance_efficiency, True, True),
    "entropy": (lambda rows: entropy(_calls(rows)), False, False),
    "entropy_normalised": (lambda rows: normalised_entropy(_calls(rows)), False, False),
    "switches": (lambda rows: float(switches(_calls(rows))), True, False),
    "success": (lambda rows: success_rate(_calls(rows)), False, False),
}
"""Name -> (figure of an episode's sound rows, whether it needs every row, whether a missing one has bounds).

Totals need every row of the episode; shares and entropies are taken from the rows that are there.
"""

ROW_METRICS: Mapping[str, tuple[Callable[[Case], float | None], bool]] = {
    "efficiency": (row_efficiency, True),
    "tool_calls": (lambda case: float(tool_calls(case)) if case.question.mode == "sequential" else None, False),
    "calls": (lambda case: float(len(case.calls)), False),
}
"""Name -> (figure of a sound row, None where it doesn't apply to that row; whether a missing row has bounds)."""


def summarise(
    expected: Expected,
    trials: int,
    cases: Sequence[Case],
    verdicts: Mapping[RowKey, Verdict],
    judge: str = "match",
) -> Summary:
    """The summary of a run, complete or not.

    Every instance of `expected` is asked `trials` times. A verdict whose score isn't in [0, 1] is none. Raises
    RunError for two cases of one row and for a case whose row isn't expected: then the figures would mean nothing.
    """
    keys = _keys(expected, trials)
    rows = _by_row(keys, cases)
    scores = {key: score for key, case in rows.items() if (score := _score(case, verdicts.get(key))) is not None}
    tables = _tables(keys, rows, scores, judge)
    drops = {instance: _followup_drop(tables[f"correctness[{judge}]"][0][instance]) for instance in keys}
    metrics = {name: _metric(cells, bounded) for name, (cells, bounded) in tables.items()}
    for name, (_, whole, _) in EPISODE_METRICS.items():
        if not whole:
            metrics[name] = _by_rows(metrics[name], tables[name][0], keys, rows)
    metrics["calls_max"] = _largest(metrics["calls"], tables["calls"][0])
    metrics["followup_drop"] = _of_instances(drops, sum(len(questions) > 1 for questions in keys.values()))
    instances = tuple(
        InstanceSummary(
            id=instance,
            counts=_counts([key for question in questions for key in question], rows, scores),
            metrics={name: _average({instance: cells[instance]}) for name, (cells, _) in tables.items()}
            | {"followup_drop": drops[instance]},
        )
        for instance, questions in keys.items()
    )
    every = [key for questions in keys.values() for question in questions for key in question]
    failed = errors(_calls(sound(list(rows.values()))))
    return Summary(judge, _counts(every, rows, scores), metrics, instances, failed)


def _keys(expected: Expected, trials: int) -> dict[str, list[list[RowKey]]]:
    return {
        instance: [[RowKey(instance, question, turn, trial) for trial in range(trials)] for question, turn in asked]
        for instance, asked in expected.items()
    }


def _by_row(keys: Mapping[str, Sequence[Sequence[RowKey]]], cases: Sequence[Case]) -> dict[RowKey, Case]:
    known = {key for questions in keys.values() for question in questions for key in question}
    rows: dict[RowKey, Case] = {}
    for case in cases:
        if case.row not in known:
            raise RunError(f"row {_named(case.row)} is none of this run's: start the run anew")
        if case.row in rows:
            raise RunError(f"row {_named(case.row)} is recorded twice: delete one of its lines, or start the run anew")
        rows[case.row] = case
    return rows


def _named(row: RowKey) -> str:
    return f"{row.instance}/{row.question} (turn {row.turn}, trial {row.trial})"


def _score(case: Case, verdict: Verdict | None) -> float | None:
    """The row's score; None for a fault, no verdict, and a score outside [0, 1] (NaN is)."""
    if case.answer.fault is not None or verdict is None or verdict.score is None:
        return None
    return verdict.score if 0.0 <= verdict.score <= 1.0 else None


def _counts(keys: Sequence[RowKey], rows: Mapping[RowKey, Case], scores: Mapping[RowKey, float]) -> Counts:
    scored = sum(key in scores for key in keys)
    missing = sum(key not in rows for key in keys)
    faulted = sum(key in rows and rows[key].answer.fault is not None for key in keys)
    return Counts(len(keys), scored, len(keys) - scored - missing - faulted, faulted, missing)


def _tables(
    keys: Mapping[str, Sequence[Sequence[RowKey]]],
    rows: Mapping[RowKey, Case],
    scores: Mapping[RowKey, float],
    judge: str,
) -> dict[str, tuple[Cells, bool]]:
    """Metric -> its cells and whether missing values have bounds."""
    valid = {key: case for key, case in rows.items() if case.answer.fault is None}
    tables: dict[str, tuple[Cells, bool]] = {}
    tables[f"correctness[{judge}]"] = _row_cells(keys, lambda key: [scores.get(key)]), True
    usage = {f"tokens[{kind}]": (_usage(kind), False) for kind in tokens(list(valid.values()))}
    figures = {**ROW_METRICS, **usage}
    for name, (figure, bounded) in figures.items():
        tables[name] = _row_cells(keys, _applied(figure, valid)), bounded
    for name, (measure, whole, bounded) in EPISODE_METRICS.items():
        tables[name] = _episode_cells(keys, valid, measure, whole), bounded
    return tables


def _usage(kind: str) -> Callable[[Case], float]:
    return lambda case: float(case.answer.usage.get(kind, 0))


def _applied(
    figure: Callable[[Case], float | None], rows: Mapping[RowKey, Case]
) -> Callable[[RowKey], list[float | None]]:
    """The cell's entry for a row: none where the figure doesn't apply, [None] where the row is missing."""

    def entry(key: RowKey) -> list[float | None]:
        if key not in rows:
            return [None]
        value = figure(rows[key])
        return [] if value is None else [value]

    return entry


def _row_cells(
    keys: Mapping[str, Sequence[Sequence[RowKey]]], entry: Callable[[RowKey], list[float | None]]
) -> dict[str, list[list[float | None]]]:
    return {
        instance: [[value for key in question for value in entry(key)] for question in questions]
        for instance, questions in keys.items()
    }


def _episode_cells(
    keys: Mapping[str, Sequence[Sequence[RowKey]]],
    rows: Mapping[RowKey, Case],
    measure: Callable[[Sequence[Case]], float | None],
    whole: bool,
) -> dict[str, list[list[float | None]]]:
    cells: dict[str, list[list[float | None]]] = {}
    for instance, questions in keys.items():
        cells[instance] = [[]]
        for episode in zip(*questions, strict=True):
            there = sound([rows[key] for key in episode if key in rows])
            usable = len(there) == len(episode) if whole else bool(there)
            cells[instance][0].append(measure(there) if usable else None)
    return cells


def _calls(rows: Sequence[Case]) -> list[Call]:
    return [call for case in rows for call in case.calls]


def _average(cells: Cells, fill: float | None = None) -> float | None:
    """Trials -> question -> instance -> suite. `fill` stands for missing values; None leaves them out."""

    def over(values: Iterable[float | None]) -> float | None:
        return mean([value for value in values if value is not None])

    return over(
        over(over(fill if value is None else value for value in question) for question in questions)
        for questions in cells.values()
    )


def _metric(cells: Cells, bounded: bool) -> Metric:
    values = [value for questions in cells.values() for question in questions for value in question]
    low, high = (_average(cells, 0.0), _average(cells, 1.0)) if bounded else (None, None)
    return Metric(_average(cells), low, high, sum(value is not None for value in values), len(values))


def _by_rows(
    metric: Metric, cells: Cells, keys: Mapping[str, Sequence[Sequence[RowKey]]], rows: Mapping[RowKey, Case]
) -> Metric:
    """The figure of episodes with the rows that it rests on, of all rows: half an episode is no full coverage."""
    scored = expected = 0
    for instance, questions in keys.items():
        for value, episode in zip(cells[instance][0], zip(*questions, strict=True), strict=True):
            expected += len(episode)
            scored += 0 if value is None else len(sound([rows[key] for key in episode if key in rows]))
    return replace(metric, scored=scored, expected=expected)


def _largest(calls: Metric, cells: Cells) -> Metric:
    values = [value for questions in cells.values() for question in questions for value in question]
    largest = max((value for value in values if value is not None), default=None)
    return Metric(largest, None, None, calls.scored, calls.expected)


def _followup_drop(questions: Sequence[Sequence[float | None]]) -> float | None:
    """Score of an instance's first question less that of its later ones; None unless both have one.

    The place decides: whether a scenario calls a question a follow-up isn't recorded with its rows.
    """
    first, later = _average({"first": questions[:1]}), _average({"later": questions[1:]})
    return None if first is None or later is None else first - later


def _of_instances(values: Mapping[str, float | None], expected: int) -> Metric:
    defined = [value for value in values.values() if value is not None]
    return Metric(mean(defined), None, None, len(defined), expected)
