"""Where the agent's own machine shows what an event said: its files, and its notifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.clock import format_instant
from envs.workplace.git_showings import paged_text
from envs.workplace.showing import Locator, Search, Showing


async def _file(search: Search) -> Showing | None:
    """The file as it is now says the words."""
    path = getattr(search.event.payload, "path", "")
    content = await paged_text(search.enquiry, "files.read_file", path=path)
    return Showing((content,), beside=path) if search.told(content) else None


async def _gone(search: Search) -> Showing | None:
    """The words name the file, and it isn't there."""
    path = getattr(search.event.payload, "path", "")
    code = await search.enquiry.refusal("files.read_file", path=path, offset=0, limit=1)
    return Showing((path,)) if code == "path_not_found" and search.told(path) else None


async def _notification(search: Search) -> Showing | None:
    """A notification of the event's instant says the words."""
    payload: Any = search.event.payload
    entries = await search.enquiry.entries("notify.list_notifications", "notifications")
    texts = [
        entry["preview"]
        for entry in entries
        if entry["time"] == format_instant(search.event.time) and entry["platform"] == "notify"
    ]
    said = [text for text in texts if search.told(text)]
    if not said and texts and search.told(getattr(payload, "source", "")):
        said = texts
    return Showing(tuple(said)) if said else None


MACHINE: Mapping[str, Locator] = {
    "files.write": _file,
    "files.delete": _gone,
    "notify.reminder": _notification,
    "notify.notice": _notification,
}
"""Event kind -> where its words are looked for."""
