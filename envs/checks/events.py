"""What events say and where: the fields that state some words, and the place that an event belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from envs.protocol import Json
from scenarios.evidence import says
from scenarios.scenario import Event, Scenario

_DUMPED = "python"


def fields(event: Event) -> dict[str, Any]:
    """The keys that an event gives, with their values."""
    return event.payload.model_dump(mode=_DUMPED, exclude_unset=True)


def values(value: Json) -> Iterator[Json]:
    """Every plain value within a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from values(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from values(inner)
    else:
        yield value


def stating(event: Event, words: str) -> list[str]:
    """The keys of an event whose values say `words`."""
    return [key for key, value in fields(event).items() if any(says(inner, words) for inner in values(value))]


def texts(event: Event) -> list[str]:
    """All texts that an event gives, names and paths among them."""
    return [value for value in values(fields(event)) if isinstance(value, str)]


def target(event: Event) -> str:
    """The id of the message that a Slack event is about: its own, or that of the one it changes."""
    message = getattr(event.payload, "message", None)
    return message if event.kind in ("slack.edit", "slack.delete", "slack.react") and message is not None else event.id


def place(scenario: Scenario, event: Event) -> tuple[str, str]:
    """What a reader would have open to see the event: (thread | conversation | ticket | file ..., its name).

    A message outside of threads begins one. Two events of one place are seen at one look.
    """
    payload = event.payload
    if event.platform == "slack":
        about = next((each for each in scenario.events if each.id == target(event)), event)
        if about.kind in ("slack.message", "slack.offline_message"):
            return "thread", getattr(about.payload, "thread", None) or about.id
        return "channel", channel_names(scenario, event)[-1]
    for key, kind in (("issue", "ticket"), ("milestone", "milestone"), ("team", "team"), ("repo", "repository")):
        if (name := getattr(payload, key, None)) is not None:
            return kind, name
    return event.platform, getattr(payload, "path", event.id)


def channel_names(scenario: Scenario, event: Event) -> list[str]:
    """Every name that the event's channel ever had, the one of its time first; none for direct messages."""
    about = next((each for each in scenario.events if each.id == target(event)), event)
    name = getattr(about.payload, "channel", None)
    if name is None:
        return []
    names = [name]
    for renamed in (each for each in scenario.events if each.kind == "slack.rename_channel"):
        old, new = getattr(renamed.payload, "channel", ""), getattr(renamed.payload, "name", "")
        if (old in names) != (new in names):
            names.append(new if old in names else old)
    return names


def locations(scenario: Scenario, event: Event) -> list[str]:
    """The names by which somebody could say where the event is: ticket, channel, repository, files."""
    names = channel_names(scenario, event) if event.platform == "slack" else []
    names += [name for key in ("issue", "repo") if (name := getattr(event.payload, key, None)) is not None]
    return [*names, *paths(event)]


def paths(event: Event) -> list[str]:
    """The file paths that an event names."""
    given = fields(event)
    found = [given["path"]] if event.platform == "files" and "path" in given else []
    for key in ("write", "rename", "delete"):
        found += list(given.get(key, ()))
    return [*found, *dict(given.get("rename", {})).values()]


def names_whole(text: str, name: str) -> bool:
    """Whether `text` has `name` as a word of its own, in any case, with or without a # before it."""
    return re.search(rf"(?<![\w/.-])#?{re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None
