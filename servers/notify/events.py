"""The fold: which events notify the agent's account of something.

Nobody is notified of what they did themselves. Slack and Linear are folded by their own rules beside it, for who is
in a channel, who leads a ticket and whom a text mentions are theirs to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from envs.clock import format_instant
from scenarios.machine_schema import NotifyNotice, NotifyReminder
from scenarios.scenario import Event
from scenarios.schema import (
    LinearComment,
    LinearCreate,
    LinearMilestone,
    LinearProgress,
    LinearUpdate,
    SlackMessage,
    SlackOfflineMessage,
)
from servers.identity import vendor_id
from servers.linear.events import apply as apply_linear
from servers.notify.state import Inbox, Kind, Notification
from servers.slack.events import apply as apply_slack
from servers.slack.events import mentioned
from servers.slack.state import Place

_GROUPS = frozenset(("channel", "here", "everyone"))


def apply(inbox: Inbox, event: Event) -> None:
    """Changes `inbox`, a private copy, by one event of Slack, Linear or the calendar."""
    told = _BEFORE.get(event.kind)
    before = None if told is None else told(inbox, event.payload)
    if event.platform == "slack":
        apply_slack(inbox.slack, event)
    elif event.platform == "linear":
        apply_linear(inbox.linear, event)
    derive = _DERIVED.get(event.kind)
    if derive is not None:
        derive(inbox, event, event.payload, before)


def _message(inbox: Inbox, event: Event, payload: SlackMessage, before: None) -> None:
    place = inbox.slack.places[event.id]
    message = inbox.message_of(place)
    if message is None or payload.sender == inbox.viewer:
        return
    if payload.dm is not None:
        if payload.dm == inbox.viewer:
            _add(inbox, event, "dm", "slack", payload.sender, message=place)
        return
    joined = inbox.viewer in inbox.slack.channels[place.conversation].members
    if inbox.viewer in message.mentions or (joined and _GROUPS & set(message.mentions)):
        _add(inbox, event, "mention", "slack", payload.sender, message=place)


def _offline_message(inbox: Inbox, event: Event, payload: SlackOfflineMessage, before: None) -> None:
    if payload.to == inbox.viewer and payload.sender != inbox.viewer:
        _add(inbox, event, "dm", "slack", payload.sender, message=inbox.slack.places[event.id])


def _created(inbox: Inbox, event: Event, payload: LinearCreate, before: None) -> None:
    if payload.by != inbox.viewer and payload.lead == inbox.viewer:
        _add(inbox, event, "ticket_assigned", "linear", payload.by, payload.title, ticket=payload.issue)


def _history_length(inbox: Inbox, payload: LinearUpdate) -> tuple[str | None, int]:
    """The lead before an update, and how long the ticket's history is."""
    return inbox.linear.tickets[payload.issue].lead, len(inbox.linear.history[payload.issue])


def _updated(inbox: Inbox, event: Event, payload: LinearUpdate, before: tuple[str | None, int]) -> None:
    ticket = inbox.linear.tickets[payload.issue]
    lead, known = before
    changes = inbox.linear.history[ticket.id][known:]
    if payload.by == inbox.viewer or not changes or inbox.viewer not in (lead, ticket.lead, ticket.creator):
        return
    assigned = ticket.lead == inbox.viewer != lead
    text = "; ".join(f"{change.field}: {change.old or 'none'} -> {change.new or 'none'}" for change in changes)
    _add(inbox, event, "ticket_assigned" if assigned else "ticket_updated", "linear", payload.by, text, ticket.id)


def _commented(inbox: Inbox, event: Event, payload: LinearComment, before: None) -> None:
    ticket = inbox.linear.tickets[payload.issue]
    if payload.by == inbox.viewer:
        return
    if inbox.viewer in mentioned(payload.body, inbox.linear.people):
        _add(inbox, event, "mention", "linear", payload.by, payload.body, ticket.id)
    elif inbox.viewer in (ticket.lead, ticket.creator):
        _add(inbox, event, "ticket_updated", "linear", payload.by, payload.body, ticket.id)


def _milestone(inbox: Inbox, event: Event, payload: LinearMilestone, before: None) -> None:
    if payload.by != inbox.viewer:
        _add(inbox, event, "milestone", "linear", payload.by, "created", milestone=payload.milestone)


def _progress(inbox: Inbox, event: Event, payload: LinearProgress, before: None) -> None:
    if payload.by != inbox.viewer:
        rate = inbox.linear.milestones[payload.milestone].rate
        _add(inbox, event, "milestone", "linear", payload.by, f"completion_rate: {rate}", milestone=payload.milestone)


def _reminder(inbox: Inbox, event: Event, payload: NotifyReminder, before: None) -> None:
    _add(inbox, event, "reminder", "notify", None, payload.text)


def _notice(inbox: Inbox, event: Event, payload: NotifyNotice, before: None) -> None:
    _add(inbox, event, "notice", "notify", payload.source, payload.text)


def _add(
    inbox: Inbox,
    event: Event,
    kind: Kind,
    platform: Literal["slack", "linear", "notify"],
    sender: str | None,
    text: str | None = None,
    ticket: str | None = None,
    *,
    message: Place | None = None,
    milestone: str | None = None,
) -> None:
    key = vendor_id("N", inbox.scenario, "notification", event.id)
    time = format_instant(event.time)
    inbox.entries.append(Notification(key, time, kind, platform, sender, text, message, ticket, milestone))


# Each function takes the payload class of its kind, which a table can't say.
_BEFORE: Mapping[str, Callable[[Inbox, Any], object]] = {"linear.update": _history_length}
"""What must be known from before the event."""
_DERIVED: Mapping[str, Callable[[Inbox, Event, Any, Any], None]] = {
    "slack.message": _message,
    "slack.offline_message": _offline_message,
    "linear.create": _created,
    "linear.update": _updated,
    "linear.comment": _commented,
    "linear.milestone": _milestone,
    "linear.progress": _progress,
    "notify.reminder": _reminder,
    "notify.notice": _notice,
}
"""Other kinds notify nobody."""
