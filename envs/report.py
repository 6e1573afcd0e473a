"""The figures of runs for a machine (one JSON object) and for a terminal (one plain table).

Both say what a figure rests on: scored and expected rows stand beside it, an incomplete run is marked as such with the
bounds that its missing rows leave, and figures of different judges never share a column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from envs.summary import Metric, Summary

Named = tuple[str, Mapping[str, Any], Summary]
"""A run's name, its description (`run.json`) and its summary."""

UNDEFINED = "n/a"
_FIGURES = {
    "efficiency": "efficiency",
    "calls": "calls",
    "entropy": "entropy",
    "success": "success",
}
"""Metric -> its column's heading."""


def report_json(run: Mapping[str, Any], summary: Summary) -> dict[str, Any]:
    """`{metrics, per_scenario, counts, errors, run}`; what is undefined is null, and nothing is NaN.

    `metrics.NAME` is `{mean, low, high, scored, expected}`. Each of `per_scenario` has `id`, `counts` and the means by
    metric under their names. `run` is passed through.
    """
    return {
        "metrics": {name: asdict(metric) for name, metric in summary.metrics.items()},
        "per_scenario": [
            {"id": instance.id, "counts": asdict(instance.counts), **instance.metrics} for instance in summary.instances
        ],
        "counts": asdict(summary.counts),
        "errors": dict(summary.errors),
        "run": dict(run),
    }


def render_table(runs: Sequence[Named]) -> str:
    """One row a run, without a newline at the end; the same text whatever it is printed to.

    Below the table each incomplete run has a line that says what is missing.
    """
    judged = list(dict.fromkeys(summary.correctness for _, _, summary in runs))
    header = ["run", "agent", "scenarios", "scored/expected", *judged, *_FIGURES.values()]
    lines = [header, *(_row(name, run, summary, judged) for name, run, summary in runs)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    table.insert(1, "  ".join("-" * width for width in widths))
    notes = [_note(name, summary) for name, _, summary in runs if not summary.complete]
    return "\n".join([*table, *([""] if notes else []), *notes])


def _row(name: str, run: Mapping[str, Any], summary: Summary, judged: Sequence[str]) -> list[str]:
    counts = summary.counts
    mark = "" if summary.complete else " incomplete"
    return [
        _text(name),
        _text(run.get("agent")),
        str(len(summary.instances)),
        f"{counts.scored}/{counts.expected}{mark}",
        *(_figure(summary.metrics.get(column)) for column in judged),
        *(_figure(summary.metrics.get(metric)) for metric in _FIGURES),
    ]


def _text(value: object) -> str:
    """A cell of one printable line; a control character could forge a row."""
    text = "" if value is None else str(value)
    return "".join(char if char.isprintable() else "?" for char in text).strip() or UNDEFINED


def _figure(metric: Metric | None) -> str:
    """The mean to three places, with its bounds where missing rows leave any; `n/a` where it is undefined."""
    if metric is None:
        return UNDEFINED
    shown = UNDEFINED if metric.mean is None else f"{metric.mean:.3f}"
    if metric.low is None or metric.high is None or metric.scored == metric.expected:
        return shown
    return f"{shown} [{metric.low:.3f}, {metric.high:.3f}]"


def _note(name: str, summary: Summary) -> str:
    counts = summary.counts
    lacking = {"without a verdict": counts.unscored, "ended by a fault": counts.faulted, "missing": counts.missing}
    reasons = ", ".join(f"{count} {reason}" for reason, count in lacking.items() if count)
    return (
        f"{_text(name)} is incomplete: {counts.scored} of {counts.expected} rows scored, {reasons}; "
        "[low, high] if all of these were 0 or 1."
    )
