"""The inbox's one reading tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from envs.clock import format_instant
from envs.errors import OperationError
from scenarios.scenario import Scenario
from servers.entities import shown
from servers.notify.events import apply
from servers.notify.state import Inbox, Notification, initial_state
from servers.operation import Operation
from servers.pack import View
from servers.paging import Limit, page
from servers.replay import Replay

NotifyView = View[Inbox]
_PREVIEW = 200
_CUT = " ... (truncated)"
_PLATFORMS = frozenset(("slack", "linear", "notify"))


class NotificationResult(TypedDict):
    """`ref`: where the thing is: a channel or a person and the message's id, a ticket's id, a milestone's name."""

    id: str
    time: str
    kind: str
    platform: str
    ref: str | None
    sender: str | None
    preview: str
    read: bool


class NotificationPage(TypedDict):
    """`note` says what was looked for where nothing was found."""

    notifications: list[NotificationResult]
    has_more: bool
    next_after_id: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


def list_notifications(
    view: NotifyView,
    limit: Limit = 50,
    after_id: Annotated[
        str | None,
        Field(description="id of a notification: only later ones; pass the last result's next_after_id to go on"),
    ] = None,
    unread_only: Annotated[bool, Field(description="leave out what counts as read")] = False,
) -> NotificationPage:
    """What you were notified of, oldest first: mentions, direct messages, tickets, milestones, reminders.

    While has_more is true, call again with after_id set to next_after_id. Listing marks nothing as read.
    """
    inbox = view.state
    entries = inbox.visible()
    start = 0 if after_id is None else _index(entries, after_id) + 1
    wanted = [entry for entry in entries[start:] if not (unread_only and inbox.is_read(entry))]
    chosen, more, limit_applied = page(wanted, 0, limit)
    result: NotificationPage = {
        "notifications": [_result(inbox, entry) for entry in chosen],
        "has_more": more,
        "next_after_id": chosen[-1].id if more else None,
    }
    if limit_applied is not None:
        result["limit_applied"] = limit_applied
    if not chosen:
        result["note"] = f"no {'unread ' if unread_only else ''}notifications there as of {format_instant(view.now)}"
    return result


OPERATIONS: Sequence[Operation[NotifyView]] = (Operation("notify.list_notifications", list_notifications, reads=True),)


def notify_replay(scenario: Scenario) -> Replay[Inbox]:
    """The inbox of the scenario's agent over time."""
    events = [event for event in scenario.events if event.platform in _PLATFORMS]
    return Replay(events, initial_state(scenario), apply)


def _index(entries: Sequence[Notification], key: str) -> int:
    for index, entry in enumerate(entries):
        if entry.id == key.strip():
            return index
    raise OperationError(
        "notification_not_found",
        f"there is no notification {shown(key)!r} that you can see",
        hint="leave after_id out to begin at the oldest",
    )


def _result(inbox: Inbox, entry: Notification) -> NotificationResult:
    message = None if entry.message is None else inbox.message_of(entry.message)
    text = entry.text if message is None else message.text
    preview = text or ""
    return {
        "id": entry.id,
        "time": entry.time,
        "kind": entry.kind,
        "platform": entry.platform,
        "ref": _ref(inbox, entry),
        "sender": entry.sender,
        "preview": preview if len(preview) <= _PREVIEW else preview[:_PREVIEW] + _CUT,
        "read": inbox.is_read(entry),
    }


def _ref(inbox: Inbox, entry: Notification) -> str | None:
    if entry.message is not None:
        channel = inbox.slack.channels.get(entry.message.conversation)
        where = f"@{entry.sender}" if channel is None else f"#{channel.name}"
        return f"{where} {entry.message.order.ts}"
    return entry.ticket or entry.milestone
