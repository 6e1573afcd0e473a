"""Slack's reading tools."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from envs.clock import format_instant
from envs.errors import OperationError
from scenarios.scenario import Scenario
from servers.entities import folded, shown, single
from servers.operation import Operation
from servers.pack import View
from servers.paging import Limit, page
from servers.replay import Replay
from servers.slack.events import apply
from servers.slack.results import (
    ChannelMessages,
    Channels,
    DirectMessages,
    MessagePage,
    UserResult,
    Users,
    channel_result,
    message_result,
)
from servers.slack.state import Channel, Message, Order, SlackState, direct_key, initial_state, position

SlackView = View[SlackState]

AfterMessage = Annotated[
    str | None,
    Field(description="id of a message: only later ones are given; pass the last result's next_after_id to go on"),
]

_TS = re.compile(r"(\d{1,12})\.(\d{1,6})", re.ASCII)


def get_channel_messages(
    view: SlackView,
    channel: Annotated[str, Field(description="name, #name or id of a channel that you are a member of")],
    limit: Limit = 50,
    after_id: AfterMessage = None,
) -> ChannelMessages:
    """Messages of a channel, oldest first, thread replies among them.

    A reply names the first message of its thread in reply_to. While has_more is true, call again with after_id set to
    next_after_id. A channel is also found by a name that it had before.
    """
    found = _channel(view, channel)
    if view.viewer not in found.members:
        raise OperationError(
            "not_in_channel", f"you are not a member of #{found.name}", hint="its messages are for members only"
        )
    return {"channel": found.name, **_page(view, found.id, f"#{found.name}", limit, after_id)}


def get_direct_messages(
    view: SlackView,
    with_user: Annotated[str, Field(description="handle, @handle, id, e-mail or display name of a person")],
    limit: Limit = 50,
    after_id: AfterMessage = None,
) -> DirectMessages:
    """Your direct messages with one person, oldest first.

    While has_more is true, call again with after_id set to next_after_id.
    """
    other = view.state.people.find(with_user, view.viewer).handle
    conversation = direct_key(view.viewer, other)
    return {"with_user": other, **_page(view, conversation, f"your direct messages with @{other}", limit, after_id)}


def list_channels(view: SlackView) -> Channels:
    """The public channels and the private ones that you are a member of, by name."""
    channels = sorted(_visible(view), key=lambda channel: channel.name)
    result: Channels = {"channels": [channel_result(channel, view.viewer) for channel in channels]}
    if not channels:
        result["note"] = f"no channels that you can see as of {format_instant(view.now)}"
    return result


def list_users(view: SlackView) -> Users:
    """Everybody in the company: id, handle, name, e-mail, role, team, time zone."""
    return {
        "users": [
            UserResult(
                id=member.id,
                username=member.handle,
                name=member.person.name,
                email=member.person.email,
                title=member.person.role,
                team=member.person.team,
                is_admin=member.person.admin,
                timezone=member.zone,
            )
            for member in view.state.people.members
        ]
    }


OPERATIONS: Sequence[Operation[SlackView]] = tuple(
    Operation(f"slack.{function.__name__}", function, reads=True)
    for function in (get_channel_messages, get_direct_messages, list_channels, list_users)
)


def slack_replay(scenario: Scenario) -> Replay[SlackState]:
    """The scenario's Slack over time."""
    events = [event for event in scenario.events if event.platform == "slack"]
    return Replay(events, initial_state(scenario), apply)


def _visible(view: SlackView) -> list[Channel]:
    return [channel for channel in view.state.channels.values() if channel.visible_to(view.viewer)]


def _channel(view: SlackView, text: str) -> Channel:
    """The visible channel of that id or name; former names count where no channel has the name now."""
    visible = _visible(view)
    name = folded(text).removeprefix("#")
    matches = (
        [channel for channel in visible if name in (folded(channel.id), channel.name)]
        or [channel for channel in visible if name in channel.former]
    )  # fmt: skip
    names = {channel.name: f"#{channel.name}" for channel in visible}
    return single("channel", text, matches, lambda channel: f"#{channel.name}", names)


def _page(view: SlackView, conversation: str, place: str, limit: int, after_id: str | None) -> MessagePage:
    messages = view.state.messages(conversation)
    start = 0 if after_id is None else _after(messages, after_id, place)
    entries, more, limit_applied = page(messages, start, limit)
    people = view.state.people
    result: MessagePage = {
        "messages": [message_result(message, people) for message in entries],
        "has_more": more,
        "next_after_id": entries[-1].order.ts if more else None,
    }
    if limit_applied is not None:
        result["limit_applied"] = limit_applied
    if not entries:
        later = f" after {after_id}" if after_id is not None else ""
        result["note"] = f"no messages in {place}{later} as of {format_instant(view.now)}"
    return result


def _after(messages: Sequence[Message], after_id: str, place: str) -> int:
    """The index after the message of that id. Raises OperationError: message_not_found."""
    match = _TS.fullmatch(after_id.strip())
    if match is not None:
        order = Order(int(match[1]), int(match[2].ljust(6, "0")))
        index = position(messages, order)
        if index < len(messages) and messages[index].order == order:
            return index + 1
    raise OperationError(
        "message_not_found",
        f"there is no message {shown(after_id)!r} in {place}",
        hint="ids look like 1747299600.000100; leave `after_id` out to start with the oldest message",
    )
