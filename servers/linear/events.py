"""The fold: how each Linear event changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from envs.clock import format_instant
from scenarios.scenario import Event
from scenarios.schema import (
    LinearAddMember,
    LinearComment,
    LinearCreate,
    LinearDelete,
    LinearMilestone,
    LinearProgress,
    LinearProjectUpdate,
    LinearRemoveMember,
    LinearUpdate,
    WorkflowState,
)
from servers.identity import vendor_id
from servers.linear.relations import relate, related, unrelate
from servers.linear.state import PRIORITIES, Change, Comment, LinearState, ProjectUpdate, Ticket

_PLAIN = frozenset(LinearUpdate.model_fields) - {"issue", "by", "status", "relations"}
"""The fields that an update sets as they are given."""


def apply(state: LinearState, event: Event) -> None:
    """Changes `state`, a private copy, by one event. Raises KeyError for a reference to what isn't there."""
    _APPLIERS[event.kind](state, event, event.payload)


def _create(state: LinearState, event: Event, payload: LinearCreate) -> None:
    team = state.teams[payload.issue.partition("-")[0]]
    status = team.workflow_state(payload.status)
    time = format_instant(event.time)
    ticket = Ticket(
        id=payload.issue,
        sequence=state.created,
        team=team.key,
        title=payload.title,
        description=payload.description,
        status=status,
        lead=payload.lead,
        creator=payload.by,
        priority=payload.priority,
        labels=payload.labels,
        estimate=payload.estimate,
        milestone=payload.milestone,
        parent=payload.parent,
        start_date=payload.start_date,
        due_date=payload.due_date,
        created=time,
        updated=time,
    )
    state.created += 1
    state.tickets[ticket.id] = _moved(ticket, status, time)
    state.history[ticket.id] = [Change(time, payload.by, "created", None, payload.title)]
    relate(state, ticket.id, payload.relations)


def _update(state: LinearState, event: Event, payload: LinearUpdate) -> None:
    old = state.tickets[payload.issue]
    time = format_instant(event.time)
    values: dict[str, Any] = {name: getattr(payload, name) for name in payload.model_fields_set & _PLAIN}
    new = replace(old, updated=time, **values)
    if payload.status is not None:
        new = _moved(new, state.teams[old.team].workflow_state(payload.status), time)
    state.tickets[old.id] = new
    before, after = _fields(old), _fields(new)
    if payload.relations is not None:
        before |= _relation_fields(state, old.id)
        unrelate(state, old.id)
        relate(state, old.id, payload.relations)
        after |= _relation_fields(state, old.id)
    state.history[old.id] += [
        Change(time, payload.by, name, before[name], after[name]) for name in before if before[name] != after[name]
    ]


def _moved(ticket: Ticket, status: WorkflowState, time: str) -> Ticket:
    """`ticket` in `status`: started when work first began, completed while it is done, neither once put back."""
    if status.type == "started":
        return replace(ticket, status=status, started=ticket.started or time, completed=None)
    if status.type == "completed":
        return replace(ticket, status=status, completed=ticket.completed or time)
    started = ticket.started if status.type == "canceled" else None
    return replace(ticket, status=status, started=started, completed=None)


def _fields(ticket: Ticket) -> dict[str, str | None]:
    """The fields that the history follows, as it writes them."""
    return {
        "title": ticket.title,
        "description": ticket.description,
        "status": ticket.status.name,
        "lead": ticket.lead,
        "priority": PRIORITIES[ticket.priority],
        "labels": ", ".join(ticket.labels) or None,
        "estimate": None if ticket.estimate is None else str(ticket.estimate),
        "milestone": ticket.milestone,
        "parent": ticket.parent,
        "start_date": ticket.start_date,
        "due_date": ticket.due_date,
    }


def _relation_fields(state: LinearState, ticket: str) -> dict[str, str | None]:
    return {name: ", ".join(others) or None for name, others in related(state, ticket).items()}


def _comment(state: LinearState, event: Event, payload: LinearComment) -> None:
    ticket = state.tickets[payload.issue]
    comments = state.comments.setdefault(ticket.id, [])
    key = vendor_id("K", state.scenario, "comment", ticket.id, len(comments))
    time = format_instant(event.time)
    comments.append(Comment(key, time, payload.by, payload.body))
    state.tickets[ticket.id] = replace(ticket, updated=time)


def _delete(state: LinearState, event: Event, payload: LinearDelete) -> None:
    del state.tickets[payload.issue]
    del state.history[payload.issue]
    state.comments.pop(payload.issue, None)
    unrelate(state, payload.issue)


def _milestone(state: LinearState, event: Event, payload: LinearMilestone) -> None:
    state.add_milestone(payload.milestone, payload.description, payload.start, payload.end)


def _progress(state: LinearState, event: Event, payload: LinearProgress) -> None:
    milestone = state.milestones[payload.milestone]
    state.milestones[milestone.name] = replace(milestone, rate=float(payload.rate))


def _project_update(state: LinearState, event: Event, payload: LinearProjectUpdate) -> None:
    project = state.projects[payload.project]
    update = ProjectUpdate(format_instant(event.time), payload.by, payload.health, payload.body)
    state.projects[project.name] = replace(project, updates=(*project.updates, update))


def _add_member(state: LinearState, event: Event, payload: LinearAddMember) -> None:
    team = state.teams[payload.team]
    if payload.person not in team.members:
        state.teams[team.key] = replace(team, members=(*team.members, payload.person))


def _remove_member(state: LinearState, event: Event, payload: LinearRemoveMember) -> None:
    team = state.teams[payload.team]
    remaining = tuple(member for member in team.members if member != payload.person)
    state.teams[team.key] = replace(team, members=remaining)


# Each applier takes the payload class of its kind, which a table can't say.
_APPLIERS: Mapping[str, Callable[[LinearState, Event, Any], None]] = {
    "linear.create": _create,
    "linear.update": _update,
    "linear.comment": _comment,
    "linear.delete": _delete,
    "linear.milestone": _milestone,
    "linear.progress": _progress,
    "linear.project_update": _project_update,
    "linear.add_member": _add_member,
    "linear.remove_member": _remove_member,
}
