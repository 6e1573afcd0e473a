"""What Linear's tools answer: the result types, keys in the order in which they are sent."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from servers.linear.relations import related
from servers.linear.state import PRIORITIES, LinearState, Ticket

_BRIEF = 500
_CUT = " ... (truncated)"


class PriorityResult(TypedDict):
    value: int
    name: str


class TicketResult(TypedDict):
    id: str
    title: str
    description: str
    team: str
    status: str
    status_type: str
    priority: PriorityResult
    lead: str | None
    creator: str
    labels: list[str]
    estimate: int | None
    milestone: str | None
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    start_date: str | None
    due_date: str | None
    parent: str | None
    url: str


# `from` is a word of the language, so that this type can't be written as a class.
ChangeResult = TypedDict(
    "ChangeResult", {"time": str, "actor": str, "field": str, "from": str | None, "to": str | None}
)


class CommentResult(TypedDict):
    id: str
    time: str
    author: str
    body: str


class RelationsResult(TypedDict):
    """Ticket ids as seen from the ticket; `children` are those whose parent it is."""

    blocks: list[str]
    blocked_by: list[str]
    related_to: list[str]
    duplicate_of: str | None
    duplicated_by: list[str]
    children: list[str]


class TicketDetail(TypedDict):
    ticket: TicketResult
    history: list[ChangeResult]
    comments: list[CommentResult]
    relations: RelationsResult


class TicketPage(TypedDict):
    """`note` says what was searched where nothing was found."""

    tickets: list[TicketResult]
    has_more: bool
    next_after_id: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class MemberResult(TypedDict):
    username: str
    name: str
    role: str


class TeamResult(TypedDict):
    team: str
    key: str
    members: list[MemberResult]


class Teams(TypedDict):
    teams: list[TeamResult]
    note: NotRequired[str]


class MilestoneResult(TypedDict):
    id: str
    name: str
    description: str
    start_date: str | None
    end_date: str | None
    completion_rate: float
    tickets: list[str]


class Milestones(TypedDict):
    milestones: list[MilestoneResult]
    note: NotRequired[str]


class ProjectUpdateResult(TypedDict):
    time: str
    author: str
    health: str
    body: str


class ProjectResult(TypedDict):
    """`health`: what the last of its updates says: on_track, at_risk or off_track; null before the first."""

    id: str
    name: str
    description: str
    lead: str | None
    health: str | None
    updates: list[ProjectUpdateResult]


class Projects(TypedDict):
    projects: list[ProjectResult]
    note: NotRequired[str]


def ticket_result(state: LinearState, ticket: Ticket, *, brief: bool) -> TicketResult:
    """`brief` cuts the description at 500 characters, and says so."""
    description = ticket.description
    if brief and len(description) > _BRIEF:
        description = description[:_BRIEF] + _CUT
    return {
        "id": ticket.id,
        "title": ticket.title,
        "description": description,
        "team": state.teams[ticket.team].name,
        "status": ticket.status.name,
        "status_type": ticket.status.type,
        "priority": {"value": ticket.priority, "name": PRIORITIES[ticket.priority]},
        "lead": ticket.lead,
        "creator": ticket.creator,
        "labels": list(ticket.labels),
        "estimate": ticket.estimate,
        "milestone": ticket.milestone,
        "created_at": ticket.created,
        "updated_at": ticket.updated,
        "started_at": ticket.started,
        "completed_at": ticket.completed,
        "start_date": ticket.start_date,
        "due_date": ticket.due_date,
        "parent": ticket.parent if ticket.parent in state.tickets else None,
        "url": f"https://linear.app/{state.workspace}/issue/{ticket.id}",
    }


def relations_result(state: LinearState, ticket: Ticket) -> RelationsResult:
    seen = related(state, ticket.id)
    return {
        "blocks": seen["blocks"],
        "blocked_by": seen["blocked_by"],
        "related_to": seen["related_to"],
        "duplicate_of": next(iter(seen["duplicate_of"]), None),
        "duplicated_by": seen["duplicated_by"],
        "children": [other.id for other in state.tickets.values() if other.parent == ticket.id],
    }
