"""What Slack's tools answer: the result types, keys in the order in which they are sent."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from servers.entities import People
from servers.slack.state import Channel, Message


class ReactionResult(TypedDict):
    name: str
    count: int


class FileResult(TypedDict):
    name: str
    text: str


class MessageResult(TypedDict):
    """`offline` is there on messages left for somebody who was away, `files` where some are attached."""

    id: str
    ts: str
    time: str
    user: str
    user_id: str
    text: str
    mentions: list[str]
    reply_to: str | None
    reactions: list[ReactionResult]
    edited: bool
    offline: NotRequired[bool]
    files: NotRequired[list[FileResult]]


class MessagePage(TypedDict):
    """What every page of messages ends with. `note` says what was searched where nothing was found."""

    messages: list[MessageResult]
    has_more: bool
    next_after_id: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class ChannelMessages(TypedDict):
    channel: str
    messages: list[MessageResult]
    has_more: bool
    next_after_id: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class DirectMessages(TypedDict):
    with_user: str
    messages: list[MessageResult]
    has_more: bool
    next_after_id: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class ChannelResult(TypedDict):
    """`is_archived` is there on archived channels."""

    id: str
    name: str
    topic: str
    purpose: str
    is_private: bool
    is_member: bool
    num_members: int
    is_archived: NotRequired[bool]


class Channels(TypedDict):
    channels: list[ChannelResult]
    note: NotRequired[str]


class UserResult(TypedDict):
    id: str
    username: str
    name: str
    email: str
    title: str
    team: str | None
    is_admin: bool
    timezone: str


class Users(TypedDict):
    users: list[UserResult]


def message_result(message: Message, people: People) -> MessageResult:
    ts = message.order.ts
    result: MessageResult = {
        "id": ts,
        "ts": ts,
        "time": message.time,
        "user": message.sender,
        "user_id": people[message.sender].id,
        "text": message.text,
        "mentions": list(message.mentions),
        "reply_to": None if message.root is None else message.root.ts,
        "reactions": [{"name": name, "count": len(senders)} for name, senders in message.reactions],
        "edited": message.edited,
    }
    if message.offline:
        result["offline"] = True
    if message.files:
        result["files"] = [{"name": file.name, "text": file.text} for file in message.files]
    return result


def channel_result(channel: Channel, viewer: str) -> ChannelResult:
    result: ChannelResult = {
        "id": channel.id,
        "name": channel.name,
        "topic": channel.topic,
        "purpose": channel.purpose,
        "is_private": channel.private,
        "is_member": viewer in channel.members,
        "num_members": len(channel.members),
    }
    if channel.archived:
        result["is_archived"] = True
    return result
