"""The timeline: entries of the file become events with ids and instants, in their one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from envs.clock import format_instant, parse_duration, parse_instant
from scenarios.file_texts import with_texts
from scenarios.mistake import KeyPath, Mistake, quoted
from scenarios.scenario import Event
from scenarios.schema import EVENT_KINDS
from scenarios.source import Source
from scenarios.validation import checked_id, unknown_key, validated


@dataclass(frozen=True, slots=True)
class Entry:
    """An event and where it stands in the file."""

    event: Event
    index: int

    @property
    def path(self) -> KeyPath:
        """The key path of the event's payload."""
        return ("timeline", self.index, self.event.kind)


def read_timeline(timeline: Sequence[dict[str, Any]], zone: ZoneInfo, source: Source) -> tuple[Entry, ...]:
    """The entries ordered by (instant, place in the file). Raises Mistake.

    An event without an id gets one from its kind and instant, with a number where others of both came before it in the
    file, so that it keeps its id wherever it stands.
    """
    explicit = _explicit_ids(timeline, source)
    entries: list[Entry] = []
    unnamed: dict[str, int] = {}
    previous: datetime | None = None
    for index, raw in enumerate(timeline):
        kind = _kind(raw, index)
        previous = _instant(raw, index, previous, zone)
        where = ("timeline", index, kind)
        payload = with_texts(validated(EVENT_KINDS[kind], raw[kind], where, source), source.folder, where)
        event_id = raw.get("id")
        if event_id is None:
            base = f"{kind.replace('.', '-')}-{format_instant(previous).lower().replace('-', '').replace(':', '')}"
            unnamed[base] = unnamed.get(base, 0) + 1
            event_id = base if unnamed[base] == 1 else f"{base}-{unnamed[base]}"
            if event_id in explicit:
                message = f"the id {quoted(event_id)} is what the unnamed entry {index + 1} has; choose another"
                raise Mistake(("timeline", explicit[event_id], "id"), message)
        entries.append(Entry(Event(event_id, previous, kind, payload), index))
    return tuple(sorted(entries, key=lambda entry: entry.event.time))


def _explicit_ids(timeline: Sequence[dict[str, Any]], source: Source) -> dict[str, int]:
    ids: dict[str, int] = {}
    for index, raw in enumerate(timeline):
        if "id" not in raw:
            continue
        path: KeyPath = ("timeline", index, "id")
        event_id = checked_id(raw["id"], path, source)
        if event_id in ids:
            raise Mistake(path, f"the event id {quoted(event_id)} is there twice; choose another")
        ids[event_id] = index
    return ids


def _kind(raw: dict[str, Any], index: int) -> str:
    path: KeyPath = ("timeline", index)
    found = [key for key in raw if key in EVENT_KINDS]
    for key in raw:
        if key in EVENT_KINDS or key in ("at", "id"):
            continue
        valid = ("at", "id") if found else ("at", "id", *EVENT_KINDS)
        raise unknown_key(key, valid, (), (*path, key))
    if not found:
        raise Mistake(path, "this entry has no event; add one, such as `slack.message:`")
    if len(found) > 1:
        message = f"a second event in one entry; begin a new entry (`- at:`) for `{found[1]}`"
        raise Mistake((*path, found[1]), message, at_key=True)
    return found[0]


def _instant(raw: dict[str, Any], index: int, previous: datetime | None, zone: ZoneInfo) -> datetime:
    path: KeyPath = ("timeline", index)
    if "at" not in raw:
        raise Mistake(path, "`at` is missing here; write `at: 2025-05-01T09:00` or `at: +2h`")
    path, text = (*path, "at"), raw["at"]
    if not isinstance(text, str):
        raise Mistake(path, "this is no instant; write `at: 2025-05-01T09:00` or `at: +2h`")
    try:
        if not text.startswith("+"):
            return parse_instant(text, zone)
        if previous is None:
            raise Mistake(path, f"{quoted(text)} counts from the entry before, and this is the first; give an instant")
        return previous + parse_duration(text)
    except OverflowError:
        raise Mistake(path, f"{quoted(text)} leads beyond the year 9999; write a shorter span") from None
    except ValueError as error:
        raise Mistake(path, str(error)) from None
