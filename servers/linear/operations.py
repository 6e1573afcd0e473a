"""Linear's reading tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field

from envs.clock import format_instant
from envs.protocol import Json
from scenarios.scenario import Scenario
from servers.entities import folded
from servers.instants import day_bound, instant_bound
from servers.linear.events import apply
from servers.linear.results import (
    Milestones,
    Projects,
    Teams,
    TicketDetail,
    TicketPage,
    relations_result,
    ticket_result,
)
from servers.linear.spellings import (
    find_milestone,
    find_team,
    find_ticket,
    priority_value,
    status_filter,
)
from servers.linear.state import LinearState, Ticket, initial_state
from servers.operation import Operation
from servers.pack import View
from servers.paging import Limit, page
from servers.replay import Replay

LinearView = View[LinearState]


def _number_as_text(value: Json) -> Json:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Filter = Callable[[Ticket], bool]
TeamName = Annotated[str | None, Field(description="key or name of a team")]
# A schema of one type only: numbers are taken where a model sends them.
Priority = Annotated[
    str | None,
    BeforeValidator(_number_as_text),
    Field(description="0 none, 1 urgent, 2 high, 3 medium, 4 low; or the word"),
]


def get_ticket(
    view: LinearView, ticket_id: Annotated[str, Field(description="such as ENG-12, or the ticket's URL")]
) -> TicketDetail:
    """One ticket with its whole description, history of changes, comments and relations.

    The history gives each changed field with its value before and after, oldest first, as do the comments.
    """
    state = view.state
    ticket = find_ticket(state, ticket_id)
    return {
        "ticket": ticket_result(state, ticket, brief=False),
        "history": [
            {
                "time": change.time,
                "actor": change.actor,
                "field": change.field,
                "from": change.old,
                "to": change.new,
            }
            for change in state.history[ticket.id]
        ],
        "comments": [
            {"id": comment.id, "time": comment.time, "author": comment.author, "body": comment.body}
            for comment in state.comments.get(ticket.id, ())
        ],
        "relations": relations_result(state, ticket),
    }


def list_tickets(
    view: LinearView,
    team: TeamName = None,
    status: Annotated[str | None, Field(description="name or type of a state, such as Done or completed")] = None,
    lead: Annotated[str | None, Field(description="handle, id, e-mail, display name, or me")] = None,
    milestone: Annotated[str | None, Field(description="name or id of a milestone")] = None,
    priority: Priority = None,
    label: Annotated[str | None, Field(description="a label that the ticket has")] = None,
    created_after: Annotated[str | None, Field(description="created at or after this day or instant, UTC")] = None,
    created_before: Annotated[str | None, Field(description="created before this day or instant, UTC")] = None,
    updated_after: Annotated[str | None, Field(description="changed at or after this day or instant, UTC")] = None,
    due_after: Annotated[str | None, Field(description="due on or after this day")] = None,
    due_before: Annotated[str | None, Field(description="due before this day")] = None,
    limit: Limit = 50,
    after_id: Annotated[
        str | None,
        Field(description="id of a ticket: only ones created after it; pass the last result's next_after_id to go on"),
    ] = None,
) -> TicketPage:
    """Tickets that meet every filter given, in the order of creation, with descriptions cut short.

    While has_more is true, call again with the same filters and after_id set to next_after_id. History, comments and
    relations are on each ticket itself.
    """
    state = view.state
    filters = _choices(view, team, status, lead, milestone, priority, label)
    filters += _bounds(created_after, created_before, updated_after, due_after, due_before)
    if after_id is not None:
        sequence = find_ticket(state, after_id).sequence
        filters.append(lambda ticket: ticket.sequence > sequence)
    matches = [ticket for ticket in state.tickets.values() if all(admits(ticket) for admits in filters)]
    entries, more, limit_applied = page(matches, 0, limit)
    result: TicketPage = {
        "tickets": [ticket_result(state, ticket, brief=True) for ticket in entries],
        "has_more": more,
        "next_after_id": entries[-1].id if more else None,
    }
    if limit_applied is not None:
        result["limit_applied"] = limit_applied
    if not entries:
        met = "meets all filters" if filters else "exists"
        result["note"] = f"no ticket {met} as of {format_instant(view.now)}"
    return result


def list_team_members(view: LinearView, team: TeamName = None) -> Teams:
    """The members of one team, or of every team."""
    state = view.state
    teams = list(state.teams.values()) if team is None else [find_team(state, team)]
    people = state.people
    result: Teams = {
        "teams": [
            {
                "team": each.name,
                "key": each.key,
                "members": [
                    {"username": handle, "name": people[handle].person.name, "role": people[handle].person.role}
                    for handle in each.members
                ],
            }
            for each in teams
        ]
    }
    if not teams:
        result["note"] = f"no teams as of {format_instant(view.now)}"
    return result


def list_milestones(view: LinearView) -> Milestones:
    """Every milestone with its dates, the share done (0 to 1) and the ids of its tickets."""
    state = view.state
    result: Milestones = {
        "milestones": [
            {
                "id": milestone.id,
                "name": milestone.name,
                "description": milestone.description,
                "start_date": milestone.start,
                "end_date": milestone.end,
                "completion_rate": milestone.rate,
                "tickets": [ticket.id for ticket in state.tickets.values() if ticket.milestone == milestone.name],
            }
            for milestone in state.milestones.values()
        ]
    }
    if not state.milestones:
        result["note"] = f"no milestones as of {format_instant(view.now)}"
    return result


def list_projects(view: LinearView) -> Projects:
    """Every project with its lead, its health and the status updates posted on it, oldest first."""
    state = view.state
    result: Projects = {
        "projects": [
            {
                "id": project.id,
                "name": project.name,
                "description": project.description,
                "lead": project.lead,
                "health": project.updates[-1].health if project.updates else None,
                "updates": [
                    {"time": update.time, "author": update.author, "health": update.health, "body": update.body}
                    for update in project.updates
                ],
            }
            for project in state.projects.values()
        ]
    }
    if not state.projects:
        result["note"] = f"no projects as of {format_instant(view.now)}"
    return result


OPERATIONS: Sequence[Operation[LinearView]] = tuple(
    Operation(f"linear.{function.__name__}", function, reads=True)
    for function in (get_ticket, list_tickets, list_team_members, list_milestones, list_projects)
)


def linear_replay(scenario: Scenario) -> Replay[LinearState]:
    """The scenario's Linear over time."""
    events = [event for event in scenario.events if event.platform == "linear"]
    return Replay(events, initial_state(scenario), apply)


def _choices(
    view: LinearView,
    team: str | None,
    status: str | None,
    lead: str | None,
    milestone: str | None,
    priority: str | None,
    label: str | None,
) -> list[Filter]:
    """The filters by value. Raises OperationError for a name that there isn't; any label may be asked for."""
    state = view.state
    filters: list[Filter] = []
    chosen = None if team is None else find_team(state, team)
    if chosen is not None:
        filters.append(lambda ticket: ticket.team == chosen.key)
    if status is not None:
        filters.append(status_filter(state, status, chosen))
    if lead is not None:
        handle = state.people.find(lead, view.viewer).handle
        filters.append(lambda ticket: ticket.lead == handle)
    if milestone is not None:
        name = find_milestone(state, milestone).name
        filters.append(lambda ticket: ticket.milestone == name)
    if priority is not None:
        value = priority_value(priority)
        filters.append(lambda ticket: ticket.priority == value)
    if label is not None:
        wanted = folded(label)
        filters.append(lambda ticket: any(folded(each) == wanted for each in ticket.labels))
    return filters


def _bounds(
    created_after: str | None,
    created_before: str | None,
    updated_after: str | None,
    due_after: str | None,
    due_before: str | None,
) -> list[Filter]:
    """The filters by time: a lower bound belongs to its range, an upper one doesn't."""
    filters: list[Filter] = []
    if created_after is not None:
        earliest = instant_bound("created_after", created_after)
        filters.append(lambda ticket: ticket.created >= earliest)
    if created_before is not None:
        latest = instant_bound("created_before", created_before)
        filters.append(lambda ticket: ticket.created < latest)
    if updated_after is not None:
        changed = instant_bound("updated_after", updated_after)
        filters.append(lambda ticket: ticket.updated >= changed)
    if due_after is not None:
        first = day_bound("due_after", due_after)
        filters.append(lambda ticket: ticket.due_date is not None and ticket.due_date >= first)
    if due_before is not None:
        end = day_bound("due_before", due_before)
        filters.append(lambda ticket: ticket.due_date is not None and ticket.due_date < end)
    return filters
