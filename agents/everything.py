"""Everything that the tools give, as passages: each message, ticket field, comment, file part on its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from envs.protocol import Json, Tools

_MOST = 200
_LINES = 20
"""Lines of a file in one passage."""


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` is what is ranked and quoted; `time` when it was said or last changed, where that is known."""

    text: str
    author: str = ""
    time: str = ""


class Reader:
    """Calls by op, so that it works under any profile's names; an op that isn't offered gives nothing."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._names = {spec.op: spec.name for spec in tools.specs()}

    async def ask(self, op: str, **arguments: Json) -> Any:
        """The result's value; None where the op isn't offered or refuses."""
        if op not in self._names:
            return None
        result = await self._tools.call(self._names[op], arguments)
        return None if result.error is not None else orjson.loads(result.text)

    async def entries(self, op: str, key: str, **arguments: Json) -> AsyncIterator[Any]:
        """The entries under `key`, page by page."""
        after: Json = None
        while True:
            page = await self.ask(op, **arguments, limit=_MOST, after_id=after)
            for entry in page[key] if page is not None else ():
                yield entry
            if page is None or not page["has_more"]:
                return
            after = page["next_after_id"]


async def people(reader: Reader) -> dict[str, str]:
    """Handle -> name of everybody in the company."""
    listed = await reader.ask("slack.list_users")
    return {} if listed is None else {user["username"]: user["name"] for user in listed["users"]}


async def everything(reader: Reader) -> list[Passage]:
    """All that the caller may read now, in a fixed order."""
    return [passage for source in _SOURCES.values() async for passage in source(reader)]


async def _slack(reader: Reader) -> AsyncIterator[Passage]:
    listed = await reader.ask("slack.list_channels")
    for channel in listed["channels"] if listed is not None else ():
        yield Passage(f"#{channel['name']} {channel['topic']} {channel['purpose']}")
        if channel["is_member"]:
            async for message in reader.entries("slack.get_channel_messages", "messages", channel=channel["id"]):
                yield _message(message, f"#{channel['name']}")
    for handle in await people(reader):
        async for message in reader.entries("slack.get_direct_messages", "messages", with_user=handle):
            yield _message(message, f"@{handle}")


def _message(message: Mapping[str, Any], place: str) -> Passage:
    return Passage(f"{place} {message['user']}: {message['text']}", message["user"], message["time"])


async def _linear(reader: Reader) -> AsyncIterator[Passage]:
    async for brief in reader.entries("linear.list_tickets", "tickets"):
        detail = await reader.ask("linear.get_ticket", ticket_id=brief["id"])
        if detail is not None:
            for passage in _ticket(detail):
                yield passage
    milestones = await reader.ask("linear.list_milestones")
    for milestone in milestones["milestones"] if milestones is not None else ():
        yield Passage(" ".join(f"{key} {value}" for key, value in milestone.items() if value))
    teams = await reader.ask("linear.list_team_members")
    for team in teams["teams"] if teams is not None else ():
        yield Passage(" ".join([team["team"], *(member["name"] for member in team["members"])]))


def _ticket(detail: Mapping[str, Any]) -> Iterator[Passage]:
    ticket = detail["ticket"]
    heading = f"{ticket['id']} {ticket['title']}"
    told = ("status", "lead", "labels", "estimate", "milestone", "start_date", "due_date")
    fields = " ".join(f"{key} {ticket[key]}" for key in told if ticket[key])
    yield Passage(f"{heading} {fields}", ticket["creator"], ticket["updated_at"])
    if ticket["description"]:
        yield Passage(f"{heading} {ticket['description']}", ticket["creator"], ticket["created_at"])
    for change in detail["history"]:
        yield Passage(f"{heading} {change['field']}: {change['to']}", change["actor"], change["time"])
    for comment in detail["comments"]:
        yield Passage(f"{heading} {comment['author']}: {comment['body']}", comment["author"], comment["time"])


async def _git(reader: Reader) -> AsyncIterator[Passage]:
    """Clones every repository, whose files are read with the agent's own, and reads what its branches' commits say."""
    listed = await reader.ask("git.list_remote_git_repositories")
    for repository in listed["repositories"] if listed is not None else ():
        name = repository["name"]
        yield Passage(f"{name} {repository['description']} {' '.join(repository['branches'])}")
        if await reader.ask("git.clone_repository", repository=name) is None:
            continue
        seen: set[str] = set()
        for branch in repository["branches"]:
            async for commit in reader.entries("git.git_log", "commits", repository=name, ref=branch):
                if commit["sha"] not in seen:
                    seen.add(commit["sha"])
                    yield Passage(f"{name} {commit['author']}: {commit['subject']}", time=commit["time"])


async def _files(reader: Reader) -> AsyncIterator[Passage]:
    folders = ["."]
    while folders:
        folder = folders.pop(0)
        listed = await reader.ask("files.list_directory", path=folder)
        for entry in listed["entries"] if listed is not None else ():
            path = entry["name"] if folder == "." else f"{folder}/{entry['name']}"
            if entry["type"] == "directory":
                folders.append(path)
            elif (read := await reader.ask("files.read_file", path=path)) is not None:
                for passage in chunks(read["content"], path):
                    yield passage


async def _notify(reader: Reader) -> AsyncIterator[Passage]:
    async for entry in reader.entries("notify.list_notifications", "notifications"):
        yield Passage(f"{entry['kind']} {entry['sender']}: {entry['preview']}", time=entry["time"])


def chunks(text: str, heading: str = "") -> Iterator[Passage]:
    """A long text as passages of a few lines, each under the same heading."""
    lines = text.splitlines()
    for start in range(0, len(lines), _LINES):
        yield Passage(f"{heading} " + "\n".join(lines[start : start + _LINES]))


_SOURCES: Mapping[str, Callable[[Reader], AsyncIterator[Passage]]] = {
    "slack": _slack,
    "linear": _linear,
    "git": _git,
    "files": _files,
    "notify": _notify,
}
"""Platform -> what can be read of it; Git before files, among which its clones lie."""
