"""What events refer to, checked platform by platform in time order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from scenarios.git_references import GitReferences
from scenarios.linear_references import LinearReferences
from scenarios.machine_references import FilesReferences
from scenarios.schema import Org, Person
from scenarios.slack_references import SlackReferences
from scenarios.timeline import Entry

ReferenceChecks = Mapping[str, Callable[[Entry], None]]
"""Platform -> takes its events in their order, each with all that came before in mind; raises Mistake."""


def reference_checks(org: Org, people: Mapping[str, Person], ids: Collection[str]) -> ReferenceChecks:
    """New checks, which have seen no event yet. `people`: by handle. `ids`: of all events."""
    return {
        "slack": SlackReferences(org.slack.channels, people, ids).check,
        "linear": LinearReferences(org.linear, people).check,
        "git": GitReferences(org.git.repositories, people).check,
        "files": FilesReferences().check,
        "notify": lambda entry: None,
    }
