"""The world as an agent could see it at an instant: every entry that the tools give, one text each."""

from __future__ import annotations

import difflib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from envs.clock import FrozenClock
from envs.protocol import Question
from envs.workplace.enquiry import Enquiry
from envs.workplace.instance import OPTIONAL_PACKS, WorkplaceInstance
from scenarios.scenario import Scenario
from servers.gateway import Gateway

Entries = Callable[[Enquiry], AsyncIterator[str]]


async def snapshot(scenario: Scenario, now: datetime, platforms: Sequence[str]) -> list[str]:
    """The entries of the platforms named, in a fixed order. An entry names its place, and may have several lines."""
    environment = WorkplaceInstance(scenario, frozenset(OPTIONAL_PACKS)).environment(0)
    try:
        packs = environment.packs(Question("", "", "sequential"))
        enquiry = Enquiry(Gateway(packs, FrozenClock(now), lambda: (), charging=True))
        return [entry for platform in platforms async for entry in PLATFORMS[platform](enquiry)]
    finally:
        await environment.close()


def difference(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """What `after` has and `before` lacks, and the other way round, in their order: entries behind `+ ` and `- `."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            yield from (f"- {entry}" for entry in before[first:last])
            yield from (f"+ {entry}" for entry in after[start:end])


async def _slack(enquiry: Enquiry) -> AsyncIterator[str]:
    listed = await enquiry.ask("slack.list_channels")
    for channel in listed["channels"]:
        about = [channel[key] for key in ("topic", "purpose") if channel[key]]
        about += [word for key, word in (("is_private", "private"), ("is_archived", "archived")) if channel.get(key)]
        about.append(f"{channel['num_members']} members")
        name = f"#{channel['name']}"
        yield f"{name}: {'; '.join(about)}"
        if not channel["is_member"]:
            yield f"{name}: the agent is not in it"
            continue
        for message in await enquiry.entries("slack.get_channel_messages", "messages", channel=channel["id"]):
            yield _message(name, message)
    users = await enquiry.ask("slack.list_users")
    for user in users["users"]:
        name = f"@{user['username']}"
        for message in await enquiry.entries("slack.get_direct_messages", "messages", with_user=user["id"]):
            yield _message(f"direct with {name}", message)


def _message(place: str, message: Mapping[str, Any]) -> str:
    marks = [f"in reply to {message['reply_to']}"] if message["reply_to"] else []
    marks += ["edited"] if message["edited"] else []
    marks += [f":{reaction['name']}: {reaction['count']}" for reaction in message["reactions"]]
    told = f" [{', '.join(marks)}]" if marks else ""
    files = "".join(f"\nattached {file['name']}:\n{file['text']}" for file in message.get("files", ()))
    return f"{place} {message['time']} {message['id']} @{message['user']}{told}: {message['text']}{files}"


async def _linear(enquiry: Enquiry) -> AsyncIterator[str]:
    for brief in await enquiry.entries("linear.list_tickets", "tickets"):
        detail = await enquiry.ask("linear.get_ticket", ticket_id=brief["id"])
        for entry in _ticket(brief["id"], detail):
            yield entry
    milestones = await enquiry.ask("linear.list_milestones")
    for each in milestones["milestones"]:
        span = f"{each['start_date']} to {each['end_date']}, {each['completion_rate']:g} done"
        yield f"milestone {each['name']}: {span}; {each['description']}"
    projects = await enquiry.ask("linear.list_projects")
    for project in projects["projects"]:
        yield f"project {project['name']}: {project['health']}; {project['description']}"
        for update in project["updates"]:
            yield f"project {project['name']} {update['time']} @{update['author']} {update['health']}: {update['body']}"
    teams = await enquiry.ask("linear.list_team_members")
    for team in teams["teams"]:
        yield f"team {team['team']} ({team['key']}): {', '.join(each['username'] for each in team['members'])}"


def _ticket(name: str, detail: Mapping[str, Any]) -> Iterator[str]:
    for key, value in detail["ticket"].items():
        shown = value["name"] if key == "priority" else ", ".join(value) if isinstance(value, list) else value
        if shown not in (None, "") and key != "id":
            yield f"{name} {key}: {shown}"
    for key, value in detail["relations"].items():
        if value:
            yield f"{name} {key}: {', '.join(value) if isinstance(value, list) else value}"
    for change in detail["history"]:
        yield f"{name} {change['time']} @{change['actor']} {change['field']}: {change['from']} -> {change['to']}"
    for comment in detail["comments"]:
        yield f"{name} {comment['time']} @{comment['author']} commented: {comment['body']}"


async def _git(enquiry: Enquiry) -> AsyncIterator[str]:
    listed = await enquiry.ask("git.list_remote_git_repositories")
    for repository in listed["repositories"]:
        name = repository["name"]
        cloned = await enquiry.ask("git.clone_repository", repository=name, directory=f"clones/{name}")
        for kind in ("branches", "tags"):
            for ref in cloned[kind]:
                commits = await enquiry.entries("git.git_log", "commits", repository=name, ref=ref)
                yield f"{name} {kind} {ref}: {commits[0]['sha'][:12]}" if commits else f"{name} {kind} {ref}"
                if ref == repository["default_branch"]:
                    for commit in reversed(commits):
                        about = f"{commit['sha'][:12]} {commit['time']} {commit['author']}"
                        yield f"{name} {ref} {about}: {commit['subject']}"
        for pull in await enquiry.entries("git.list_pull_requests", "pull_requests", repository=name):
            yield f"{name} pull request {pull['number']} {pull['state']} @{pull['author']}: {pull['title']}"


async def _files(enquiry: Enquiry) -> AsyncIterator[str]:
    folders = ["."]
    while folders:
        folder = folders.pop(0)
        listed = await enquiry.ask("files.list_directory", path=folder)
        for entry in listed["entries"]:
            path = entry["name"] if folder == "." else f"{folder}/{entry['name']}"
            if entry["type"] == "directory":
                folders.append(path)
            else:
                yield f"{path}: {entry['type']}, {entry['size']} bytes, {entry['modified']}"


async def _notify(enquiry: Enquiry) -> AsyncIterator[str]:
    for entry in await enquiry.entries("notify.list_notifications", "notifications"):
        yield f"notification {entry['time']} {entry['kind']} {entry['sender'] or ''}: {entry['preview']}"


PLATFORMS: Mapping[str, Entries] = {
    "slack": _slack,
    "linear": _linear,
    "files": _files,
    "git": _git,
    "notify": _notify,
}
"""Platform -> what its tools tell of it. Files before Git, which clones among them."""
