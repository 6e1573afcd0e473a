"""How callers name tickets, teams, states, milestones and priorities."""

from __future__ import annotations

import re
from collections.abc import Callable

from envs.errors import OperationError
from servers.entities import folded, nearest, shown, single
from servers.linear.state import PRIORITIES, LinearState, Milestone, Team, Ticket

_TICKET = re.compile(r"(?:(?:https?://)?linear\.app/[^/\s]+/issue/)?#?([A-Za-z][A-Za-z0-9]*-\d+)(?:[/?#].*)?", re.ASCII)


def find_ticket(state: LinearState, text: str) -> Ticket:
    """`ENG-12`, `eng-12` or its URL. Raises OperationError ticket_not_found, alike for an unknown and a future id."""
    match = _TICKET.fullmatch(text.strip())
    ticket = None if match is None else state.tickets.get(match[1].upper())
    if ticket is None:
        raise OperationError("ticket_not_found", f"there is no ticket {shown(text)!r}", hint="ids look like ENG-12")
    return ticket


def find_team(state: LinearState, text: str) -> Team:
    """By key or name. Raises OperationError: team_not_found, ambiguous_name."""
    name = folded(text)
    teams = state.teams.values()
    matches = [team for team in teams if folded(team.key) == name] or [t for t in teams if folded(t.name) == name]
    names = {folded(team.name): team.name for team in teams} | {folded(team.key): team.name for team in teams}
    return single("team", text, matches, lambda team: f"{team.name} ({team.key})", names)


def find_milestone(state: LinearState, text: str) -> Milestone:
    """By name or id. Raises OperationError: milestone_not_found, ambiguous_name."""
    name = folded(text)
    milestones = state.milestones.values()
    matches = [milestone for milestone in milestones if name in (folded(milestone.name), folded(milestone.id))]
    exact = [milestone for milestone in matches if milestone.name == text]
    names = {folded(milestone.name): milestone.name for milestone in milestones}
    return single("milestone", text, exact or matches, lambda milestone: milestone.name, names)


def status_filter(state: LinearState, text: str, team: Team | None) -> Callable[[Ticket], bool]:
    """A state's name, or else a state's type, in any case. Raises OperationError: invalid_status."""
    name = folded(text)
    states = [status for each in ([team] if team else state.teams.values()) for status in each.states]
    if any(folded(status.name) == name for status in states):
        return lambda ticket: folded(ticket.status.name) == name
    if any(status.type == name for status in states):
        return lambda ticket: ticket.status.type == name
    names = {folded(status.name): status.name for status in states} | {s.type: s.type for s in states}
    known = ", ".join(dict.fromkeys(status.name for status in states))
    raise OperationError(
        "invalid_status",
        f"there is no status {shown(text)!r}",
        hint=f"the states are {known}; their types count too",
        candidates=nearest(text, names),
    )


def priority_value(text: str) -> int:
    """0 to 4, or the name. Raises OperationError: invalid_priority."""
    name = folded(text)
    names = {folded(known): value for value, known in enumerate(PRIORITIES)} | {"none": 0}
    value = names.get(name, int(name) if name in ("0", "1", "2", "3", "4") else None)
    if value is None:
        known = ", ".join(f"{number} {label}" for number, label in enumerate(PRIORITIES))
        raise OperationError("invalid_priority", f"{shown(text)!r} is not a priority", hint=f"one of {known}")
    return value
