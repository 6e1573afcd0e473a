"""Where a bottom-up scenario comes from: it names the issue, the merged change and the files, and has them itself."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.git_schema import GitCommit, GitMerge
from scenarios.mistake import Mistake, require
from scenarios.scenario import Event
from scenarios.schema import LinearCreate, ScenarioFile


def check_provenance(file: ScenarioFile, events: Iterable[Event]) -> None:
    """Raises Mistake where a bottom-up scenario has no `source`, another has one, or it names what never happens."""
    if file.source is None:
        if file.origin == "bottom-up":
            raise Mistake(("origin",), "a bottom-up scenario names its issue, change and files; add `source:`")
        return
    if file.origin != "bottom-up":
        message = f"only a bottom-up scenario has a `source`, and this one is {file.origin}; remove it"
        raise Mistake(("source",), message, at_key=True)
    issues: set[str] = set()
    files: set[str] = set()
    for event in events:
        match event.payload:
            case LinearCreate(issue=issue):
                issues.add(issue)
            case GitCommit() | GitMerge() as change:
                files.update(change.write)
    require(file.source.issue, issues, ("source", "issue"), "issue created here called")
    for index, path in enumerate(file.source.files):
        require(path, files, ("source", "files", index), "file written here called")
