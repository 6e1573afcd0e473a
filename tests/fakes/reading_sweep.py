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
    for tool in ("list_channels", "list_users", "list_team_members", "list_milestones", "no_such_tool"):
        yield tool, {}
    yield "list_users", {"unknown": 1}


async def everything_readable(tools: Tools, scenario: Scenario) -> list[str]:
    """The bytes of each call's result."""
    return [(await tools.call(tool, arguments)).text for tool, arguments in reading_calls(scenario)]
