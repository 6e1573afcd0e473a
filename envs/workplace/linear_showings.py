"""Where Linear shows what an event said: a ticket's field and its history, comments, milestones, teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from envs.clock import format_instant
from envs.protocol import Json
from envs.workplace.showing import Locator, Search, Showing
from scenarios.evidence import folded

_MILESTONE_KEYS = {
    "milestone": "name",
    "description": "description",
    "start": "start_date",
    "end": "end_date",
    "rate": "completion_rate",
}
"""Key of an event -> key of a result."""


async def _field(search: Search) -> Showing | None:
    """A field that the event gives says the words, now or in the ticket's history; or who made the change."""
    detail = await _ticket(search)
    if detail is None:
        return None
    given = search.event.payload.model_fields_set - {"issue", "by"}
    values = [(field, value) for field in sorted(given) for value in _values(detail, field)]
    texts = [(field, value) for field, value in values if search.told(value)]
    if texts:
        people = tuple(str(value) for field, value in texts if field == "lead")
        texts_shown = tuple(str(value) for _, value in texts)
        return Showing(texts_shown, people, beside=detail["ticket"]["id"], time=_changed(search, detail))
    return _by(search, detail["history"], "actor")


async def _comment(search: Search) -> Showing | None:
    """A comment of the same author on the same ticket says the words; or its author is what they name."""
    detail = await _ticket(search)
    if detail is None:
        return None
    author = getattr(search.event.payload, "by", "")
    said = [each for each in detail["comments"] if each["author"] == author and search.told(each["body"])]
    if said:
        return Showing(tuple(each["body"] for each in said), (author,), time=said[0]["time"])
    return _by(search, detail["comments"], "author")


def _by(search: Search, entries: list[Any], key: str) -> Showing | None:
    """The words name who did it, and the entry of that instant says so."""
    who = getattr(search.event.payload, "by", "")
    if folded(who) != folded(search.words):
        return None
    time = format_instant(search.event.time)
    if not any(entry[key] == who and entry["time"] == time for entry in entries):
        return None
    return Showing((who,), (who,), beside=getattr(search.event.payload, "issue", ""), time=time)


def _changed(search: Search, detail: Any) -> str:
    """When a field came to what the words say, by the ticket's history; at the beginning, its creation."""
    told = [change["time"] for change in detail["history"] if search.told(change["to"])]
    return str(told[-1] if told else detail["ticket"]["created_at"])


async def _deleted(search: Search) -> Showing | None:
    """The ticket is gone: the words name it, and the tool doesn't know it."""
    issue = getattr(search.event.payload, "issue", "")
    code = await search.enquiry.refusal("linear.get_ticket", ticket_id=issue)
    return Showing((issue,)) if code == "ticket_not_found" and search.told(issue) else None


async def _milestone(search: Search) -> Showing | None:
    payload = search.event.payload
    listed = await search.enquiry.ask("linear.list_milestones")
    name = getattr(payload, "milestone", "")
    found = [] if listed is None else [each for each in listed["milestones"] if each["name"] == name]
    keys = [key for field, key in _MILESTONE_KEYS.items() if field in payload.model_fields_set]
    texts = [str(each[key]) for each in found for key in keys if search.told(each[key])]
    return Showing(tuple(texts), beside=name) if texts else None


async def _project(search: Search) -> Showing | None:
    """An update of the same author on the same project says the words, or has that health."""
    payload: Any = search.event.payload
    listed = await search.enquiry.ask("linear.list_projects")
    updates = [
        update
        for project in (listed["projects"] if listed is not None else ())
        if project["name"] == payload.project
        for update in project["updates"]
        if update["author"] == payload.by
    ]
    said = [each for each in updates if search.told(each["body"]) or search.told(each["health"])]
    if not said:
        return None
    return Showing(
        tuple(text for each in said for text in (each["body"], each["health"])), (payload.by,), time=said[0]["time"]
    )


async def _member(search: Search) -> Showing | None:
    """The team's list has the person, or after a removal no longer has."""
    payload = search.event.payload
    person, team = getattr(payload, "person", ""), getattr(payload, "team", "")
    listed = await search.enquiry.ask("linear.list_team_members", team=team)
    if listed is None or folded(person) != folded(search.words):
        return None
    there = any(member["username"] == person for each in listed["teams"] for member in each["members"])
    return Showing((person,), (person,), beside=team) if there == (search.event.kind == "linear.add_member") else None


async def _ticket(search: Search) -> Any:
    return await search.enquiry.ask("linear.get_ticket", ticket_id=getattr(search.event.payload, "issue", ""))


def _values(detail: Any, field: str) -> Iterator[Json]:
    """What the ticket holds in a field, and what its history says was there."""
    current = detail["relations"] if field == "relations" else detail["ticket"].get(field)
    if isinstance(current, dict):
        for value in current.values():
            yield from value if isinstance(value, list) else (value,)
    elif isinstance(current, list):
        yield from current
    else:
        yield current
    for change in detail["history"]:
        if change["field"] == field:
            yield from (change["from"], change["to"])


LINEAR: Mapping[str, Locator] = {
    "linear.create": _field,
    "linear.update": _field,
    "linear.comment": _comment,
    "linear.delete": _deleted,
    "linear.milestone": _milestone,
    "linear.progress": _milestone,
    "linear.project_update": _project,
    "linear.add_member": _member,
    "linear.remove_member": _member,
}
"""Event kind -> where its words are looked for."""
