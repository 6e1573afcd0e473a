"""The small company with a Git timeline of one's own, and its repository built as of a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scenarios.git_schema import Git, Repository
from scenarios.scenario import Event, Scenario
from servers.git.building import Built, build
from servers.git.stream import Authors, HistoryStream
from small_company import event, small_company

APP = Repository(name="app", description="What customers see")


def git_company(*events: Event) -> Scenario:
    """The company with nothing but these events, and the one repository `app`."""
    company = small_company()
    org = company.org.model_copy(update={"git": Git(repositories=(APP,))})
    return replace(company, events=tuple(sorted(events, key=lambda each: each.time)), org=org)


def commit(name: str, time: str, **payload: Any) -> Event:
    """A commit by @kim in `app`, if not said otherwise."""
    return event(name, time, "git.commit", **{"repo": "app", "by": "kim", "message": name, **payload})


def git_event(kind: str, time: str, **payload: Any) -> Event:
    """Another event by @kim in `app`."""
    return event(f"{kind}-{time}-{len(payload)}", time, f"git.{kind}", **{"repo": "app", "by": "kim", **payload})


def stream_of(events: Sequence[Event]) -> HistoryStream:
    """The history of `app` in the small company after all these events that are about it."""
    company = small_company()
    authors = Authors({person.handle: person for person in company.org.people}, company.zone)
    stream = HistoryStream(APP, authors)
    for each in events:
        if each.platform == "git":
            stream.apply(each)
    return stream


def built(folder: Path, stream: HistoryStream, count: int, earlier: Built | None = None) -> Built:
    build(folder, stream, count, APP.default_branch, earlier)
    return Built(folder, count)
