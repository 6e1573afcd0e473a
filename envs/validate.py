"""`envs validate`: makes every check on scenario files, tells what it found where, and measures them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from envs.checks.diversity import PAPER, Diversity, diversity, mean_and_most
from envs.checks.finding import Check, Note, Severity
from envs.checks.suite import CHECKS, FIRST
from envs.protocol import Json
from envs.wall import monotonic
from scenarios.loader import load
from scenarios.source import Source

Watch = Callable[[str], object]
"""Hears what is being done, for a person who waits."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check has against a file; line and column count from 1."""

    check: str
    severity: Severity
    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.check}]: {self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """What came of one file. `seconds`: wall time by part."""

    scenario: str
    file: str
    findings: tuple[Finding, ...]
    diversity: Diversity
    seconds: Mapping[str, float]

    def failed(self, *, strict: bool) -> bool:
        """Whether a finding counts as an error."""
        return any(strict or finding.severity == "error" for finding in self.findings)


async def validate(path: Path, watch: Watch) -> Report:
    """All checks on one file. Raises ScenarioError for one that doesn't load."""
    began = monotonic()
    scenario = load(path)
    seconds = {"load": monotonic() - began}
    findings: list[Finding] = []
    for check in (*FIRST, *CHECKS):
        watch(f"{scenario.id}: {check.name}")
        began = monotonic()
        notes = await check.run(scenario)
        part = check.name if check in FIRST else "checks"
        seconds[part] = seconds.get(part, 0.0) + monotonic() - began
        findings += _findings(check, notes, path)
        if check in FIRST and notes:
            break
    return Report(scenario.id, str(path), tuple(findings), diversity(scenario), seconds)


def _findings(check: Check, notes: Sequence[Note], path: Path) -> Iterator[Finding]:
    if notes:
        source = Source.read(path)
        for note in notes:
            line, column = source.place(note.path, at_key=note.at_key)
            yield Finding(check.name, check.severity, str(path), line, column, note.message)


def report_json(reports: Sequence[Report], unloaded: Sequence[str], *, strict: bool) -> dict[str, Json]:
    """`{ok, scenarios, diversity, unloaded}`; each of `scenarios` has `id`, `file`, `ok`, `findings`, `diversity` and
    `seconds`, `diversity` the mean and the maximum of each measure."""
    return {
        "ok": not unloaded and not any(report.failed(strict=strict) for report in reports),
        "scenarios": [
            {
                "id": report.scenario,
                "file": report.file,
                "ok": not report.failed(strict=strict),
                "findings": [asdict(finding) for finding in report.findings],
                "diversity": asdict(report.diversity),
                "seconds": dict(report.seconds),
            }
            for report in reports
        ],
        "diversity": {name: {"mean": mean, "max": most} for name, (mean, most) in _summed(reports).items()},
        "unloaded": list(unloaded),
    }


def render(reports: Sequence[Report], *, strict: bool) -> str:
    """Findings, then a table of the measures, then the time taken; without a newline at the end."""
    lines = [str(finding) for report in reports for finding in report.findings]
    lines += ["", *_table(reports)] if reports else []
    lines.append("")
    for report in reports:
        counts = [sum(each.severity == kind for each in report.findings) for kind in ("error", "warning")]
        verdict = "failed" if report.failed(strict=strict) else "passed"
        spent = ", ".join(f"{part} {seconds:.2f} s" for part, seconds in report.seconds.items())
        lines.append(f"{report.scenario} {verdict}: {counts[0]} errors, {counts[1]} warnings ({spent})")
    return "\n".join(lines).strip("\n")


def _summed(reports: Sequence[Report]) -> dict[str, tuple[float, float]]:
    return mean_and_most([report.diversity for report in reports]) if reports else {}


def _table(reports: Sequence[Report]) -> list[str]:
    names = [field.name for field in fields(Diversity)]
    rows = [["scenario", *(name.replace("_", " ") for name in names)]]
    rows += [[report.scenario, *(_figure(getattr(report.diversity, name)) for name in names)] for report in reports]
    summed = _summed(reports)
    for place, heading in enumerate(("mean", "max")):
        rows.append([heading, *(_figure(summed[name][place]) for name in names)])
    rows.append(["paper", *(_pair(PAPER.get(name)) for name in names)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _figure(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _pair(figures: tuple[float, float] | None) -> str:
    return "" if figures is None else f"{_figure(figures[0])}/{_figure(figures[1])}"
