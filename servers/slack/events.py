"""The fold: how each Slack event changes the state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from envs.clock import format_instant
from scenarios.scenario import Event
from scenarios.schema import (
    SlackArchiveChannel,
    SlackCreateChannel,
    SlackDelete,
    SlackEdit,
    SlackFile,
    SlackJoin,
    SlackLeave,
    SlackMessage,
    SlackOfflineMessage,
    SlackReact,
    SlackRenameChannel,
    SlackSetTopic,
)
from servers.entities import People
from servers.slack.state import Message, Order, Place, SlackState, direct_key, position

_MENTION = re.compile(r"(?<![\w@./-])@([A-Za-z][A-Za-z0-9._-]*)")
_GROUPS = frozenset(("channel", "here", "everyone"))
_FIRST_ORDINAL = 100
_TOMBSTONE = "[deleted]"


def apply(state: SlackState, event: Event) -> None:
    """Changes `state`, a private copy, by one event. Raises KeyError for what isn't there at its time."""
    _APPLIERS[event.kind](state, event, event.payload)


def mentioned(text: str, people: People) -> tuple[str, ...]:
    """Handles and group words after an @, each once, in order; a sentence's full stop isn't part of a handle."""
    if "@" not in text:
        return ()
    found: dict[str, None] = {}
    for match in _MENTION.finditer(text):
        name = match[1].lower()
        while name not in people and name not in _GROUPS and not name[-1].isalnum():
            name = name[:-1]
        if name in people or name in _GROUPS:
            found[name] = None
    return tuple(found)


def _message(state: SlackState, event: Event, payload: SlackMessage) -> None:
    if payload.dm is not None:
        conversation = direct_key(payload.sender, payload.dm)
    else:
        conversation = state.named(payload.channel or "").id
    _post(state, event, conversation, payload.sender, payload.text, thread=payload.thread, files=payload.files)


def _offline_message(state: SlackState, event: Event, payload: SlackOfflineMessage) -> None:
    _post(state, event, direct_key(payload.sender, payload.to), payload.sender, payload.text, offline=True)


def _post(
    state: SlackState,
    event: Event,
    conversation: str,
    sender: str,
    text: str,
    *,
    thread: str | None = None,
    offline: bool = False,
    files: tuple[SlackFile, ...] = (),
) -> None:
    second = int(event.time.timestamp())
    before = state.latest.get(conversation)
    ordinal = before.ordinal + 1 if before is not None and before.second == second else _FIRST_ORDINAL
    order = state.latest[conversation] = Order(second, ordinal)
    root = None if thread is None else state.places[thread].order
    state.places[event.id] = Place(conversation, order)
    mentions = mentioned(text, state.people)
    time = format_instant(event.time)
    message = Message(order, time, sender, text, mentions, root=root, offline=offline, files=files)
    state.conversations.setdefault(conversation, []).append(message)
    if root is not None:
        _count_reply(state, Place(conversation, root), 1)


def _edit(state: SlackState, event: Event, payload: SlackEdit) -> None:
    mentions = mentioned(payload.text, state.people)
    _revise(state, payload.message, lambda old: replace(old, text=payload.text, mentions=mentions, edited=True))


def _react(state: SlackState, event: Event, payload: SlackReact) -> None:
    def reacted(old: Message) -> Message:
        given = dict(old.reactions)
        senders = given.get(payload.emoji, ())
        if payload.sender in senders:
            return old
        given[payload.emoji] = (*senders, payload.sender)
        return replace(old, reactions=tuple(given.items()))

    _revise(state, payload.message, reacted)


def _delete(state: SlackState, event: Event, payload: SlackDelete) -> None:
    buried = _revise(
        state,
        payload.message,
        lambda old: replace(old, text=_TOMBSTONE, mentions=(), reactions=(), edited=False, deleted=True, files=()),
    )
    place = state.places[payload.message]
    _bury(state, place)
    if buried.root is not None:
        _count_reply(state, Place(place.conversation, buried.root), -1)


def _revise(state: SlackState, event: str, change: Callable[[Message], Message]) -> Message:
    """Puts a changed message in place of the one of an event. Raises KeyError where that is deleted."""
    place = state.places[event]
    messages = state.conversations[place.conversation]
    index = _index(messages, place.order)
    if index is None or messages[index].deleted:
        raise KeyError(event)
    messages[index] = change(messages[index])
    return messages[index]


def _count_reply(state: SlackState, root: Place, step: int) -> None:
    """Counts a reply more or less to the first message of a thread."""
    messages = state.conversations[root.conversation]
    index = _index(messages, root.order)
    if index is None:
        raise KeyError(root.order.ts)
    messages[index] = replace(messages[index], replies=messages[index].replies + step)
    _bury(state, root)


def _bury(state: SlackState, place: Place) -> None:
    """Removes the message where it is deleted and no reply holds it in place."""
    messages = state.conversations[place.conversation]
    index = _index(messages, place.order)
    if index is not None and messages[index].deleted and not messages[index].replies:
        del messages[index]


def _index(messages: Sequence[Message], order: Order) -> int | None:
    index = position(messages, order)
    return index if index < len(messages) and messages[index].order == order else None


def _create_channel(state: SlackState, event: Event, payload: SlackCreateChannel) -> None:
    members = tuple(dict.fromkeys((payload.by, *payload.members)))
    state.add_channel(payload.channel, payload.topic, payload.purpose, payload.private, members)


def _archive_channel(state: SlackState, event: Event, payload: SlackArchiveChannel) -> None:
    channel = state.named(payload.channel)
    state.channels[channel.id] = replace(channel, archived=True)


def _rename_channel(state: SlackState, event: Event, payload: SlackRenameChannel) -> None:
    channel = state.named(payload.channel)
    state.channels[channel.id] = replace(channel, name=payload.name, former=(*channel.former, channel.name))


def _set_topic(state: SlackState, event: Event, payload: SlackSetTopic) -> None:
    channel = state.named(payload.channel)
    state.channels[channel.id] = replace(channel, topic=payload.topic)


def _join(state: SlackState, event: Event, payload: SlackJoin) -> None:
    channel = state.named(payload.channel)
    if payload.person not in channel.members:
        state.channels[channel.id] = replace(channel, members=(*channel.members, payload.person))


def _leave(state: SlackState, event: Event, payload: SlackLeave) -> None:
    channel = state.named(payload.channel)
    remaining = tuple(member for member in channel.members if member != payload.person)
    state.channels[channel.id] = replace(channel, members=remaining)


# Each applier takes the payload class of its kind, which a table can't say.
_APPLIERS: Mapping[str, Callable[[SlackState, Event, Any], None]] = {
    "slack.message": _message,
    "slack.edit": _edit,
    "slack.delete": _delete,
    "slack.react": _react,
    "slack.create_channel": _create_channel,
    "slack.archive_channel": _archive_channel,
    "slack.rename_channel": _rename_channel,
    "slack.join": _join,
    "slack.leave": _leave,
    "slack.set_topic": _set_topic,
    "slack.offline_message": _offline_message,
}
