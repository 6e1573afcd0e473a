"""Everything that an agent can read at an instant: every reading tool with many arguments, right and wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envs.protocol import Tools
from scenarios.scenario import Scenario

CHANNELS = ("general", "search", "c13x-find", "c10x-launch", "sales", "board", "c13x", "nowhere")
PEOPLE = ("ada", "@bo.lin", "kim", "Kim Roe", "kimr", "me", "nobody")
TICKETS = ("ENG-1", "ENG-2", "ML-1", "ENG-3", "nonsense")
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"team": "ENG"},
    {"team": "ml"},
    {"status": "Done"},
    {"status": "started"},
    {"status": "Doing"},
    {"lead": "me"},
    {"lead": "bo.lin"},
    {"milestone": "Beta"},
    {"milestone": "c18x General"},
    {"milestone": "General"},
    {"priority": 1},
    {"label": "ui"},
    {"created_after": "2025-05-01T11:00:00Z"},
    {"updated_after": "2025-05-06"},
    {"due_before": "2025-06-01"},
    {"after_id": "ENG-1"},
    {"after_id": "ML-1"},
)


REFS = ("HEAD", "main", "origin/main", "c22x/faster", "c29x-wip", "c21x-light", "v1", "v2", "HEAD~1", "nothing")
PATHS = ("README.md", "src", "src/search engine.py", "bin/c23r.sh", "c31f.txt", "nothing.txt")
MACHINE = (
    ".",
    "app",
    "app/README.md",
    "app/latest",
    "app/passwords",
    "c35x",
    "c35x/plan.txt",
    "nothing",
    "../x",
    "/etc",
)


def reading_calls(scenario: Scenario) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls whose arguments don't depend on the instant: names and ids of every time, the future's too."""
    stamps = [f"{int(event.time.timestamp())}.000100" for event in scenario.events if event.kind == "slack.message"]
    for channel in CHANNELS:
        yield "get_channel_messages", {"channel": channel}
        yield "get_channel_messages", {"channel": channel, "limit": 1}
    for after in (*stamps, "1.000100"):
        yield "get_channel_messages", {"channel": "search", "after_id": after}
        yield "get_direct_messages", {"with_user": "kim", "after_id": after, "limit": 1}
    for person in PEOPLE:
        yield "get_direct_messages", {"with_user": person}
        yield "list_tickets", {"lead": person, "limit": 2}
    for ticket in TICKETS:
        yield "get_ticket", {"ticket_id": ticket}
    for filters in FILTERS:
        yield "list_tickets", filters
        yield "list_tickets", filters | {"limit": 1}
    for team in ("ENG", "ML", "OPS"):
        yield "list_team_members", {"team": team}
    for tool in (
        "list_channels",
        "list_users",
        "list_team_members",
        "list_milestones",
        "list_projects",
        "no_such_tool",
    ):
        yield tool, {}
    yield "list_users", {"unknown": 1}
    yield from _git_calls()
    for path in MACHINE:
        yield "list_directory", {"path": path, "limit": 1}
        yield "read_file", {"path": path}
    yield "list_directory", {"path": "app", "after_name": "README.md"}
    yield "search_file", {"pattern": r"c\d\d[a-z]"}
    yield "search_file", {"pattern": "(", "include": "*.md"}
    yield "list_notifications", {}
    yield "list_notifications", {"limit": 1, "unread_only": True}
    yield "list_notifications", {"after_id": "N00000000"}


def _git_calls() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "git_log", {"repository": "app"}
    for repository in ("app", "https://git.birch-sons.example/notes.git", "nowhere"):
        yield "clone_repository", {"repository": repository}
    yield "clone_repository", {"repository": "app", "directory": "later", "ref": "c22x/faster"}
    yield "clone_repository", {"repository": "app", "directory": "notes"}
    yield "list_remote_git_repositories", {}
    for ref in REFS:
        yield "git_log", {"repository": "app", "ref": ref, "limit": 2}
        yield "git_show", {"repository": "app", "ref": ref}
    for path in PATHS:
        yield "git_show", {"repository": "later", "path": path}
    yield (
        "git_log",
        {"repository": "later", "path": "src", "author": "bo@", "since": "2025-05-08", "until": "2025-05-09"},
    )
    yield "git_diff", {"repository": "app", "base": "c21x-light", "target": "main", "limit": 5}
    yield "list_pull_requests", {"repository": "app", "state": "open"}
    yield "list_pull_requests", {"repository": "app", "limit": 1}
    for number in (4, 5, 6):
        yield "get_pull_request", {"repository": "app", "number": number}


async def everything_readable(tools: Tools, scenario: Scenario) -> list[str]:
    """The bytes of each call's result."""
    return [(await tools.call(tool, arguments)).text for tool, arguments in reading_calls(scenario)]
