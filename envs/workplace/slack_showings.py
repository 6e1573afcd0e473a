"""Where Slack shows what an event said: its conversation's messages, and the list of channels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.clock import format_instant
from envs.workplace.showing import Locator, Search, Showing
from scenarios.evidence import folded
from scenarios.schema import SlackEdit, SlackMessage, SlackOfflineMessage, SlackReact


async def _message(search: Search) -> Showing | None:
    """A message of the same sender in the same conversation says the words; or its sender is what they name."""
    posted = search.event
    messages = await _conversation(search, posted.payload)
    sender = _sender(posted.payload)
    own = [message for message in messages if message["user"] == sender]
    said = [message for message in own if any(map(search.told, (message["text"], *_attached(message))))]
    if not said and folded(sender) == folded(search.words):
        said = [message for message in own if message["time"] == format_instant(posted.time)]
    return _shown(said)


async def _edit(search: Search) -> Showing | None:
    """The message as it reads after the edit."""
    payload = search.event.payload
    assert isinstance(payload, SlackEdit)
    original = search.events[payload.message].payload
    messages = await _conversation(search, original)
    return _shown(
        [
            message
            for message in messages
            if message["user"] == _sender(original) and message["edited"] and search.told(message["text"])
        ]
    )


async def _react(search: Search) -> Showing | None:
    """The emoji under the message; who gave it, Slack's tools don't tell."""
    payload = search.event.payload
    assert isinstance(payload, SlackReact)
    original = search.events[payload.message]
    messages = await _conversation(search, original.payload)
    return _shown(
        [
            message
            for message in messages
            if message["time"] == format_instant(original.time)
            and any(search.told(reaction["name"]) for reaction in message["reactions"])
        ]
    )


async def _channel(search: Search) -> Showing | None:
    """What the list of channels says of the channel."""
    channel = await _listed(search)
    if channel is None:
        return None
    texts = [channel[key] for key in ("name", "topic", "purpose") if search.told(channel[key])]
    return Showing(tuple(texts)) if texts else None


async def _archived(search: Search) -> Showing | None:
    channel = await _listed(search)
    return Showing((channel["name"],)) if channel is not None and channel.get("is_archived") else None


async def _membership(search: Search) -> Showing | None:
    """Slack's tools tell of the agent's own membership only."""
    channel = await _listed(search)
    if channel is None or getattr(search.event.payload, "person", None) != search.viewer:
        return None
    joined = search.event.kind == "slack.join"
    return Showing((channel["name"],), (search.viewer,)) if channel["is_member"] == joined else None


async def _conversation(search: Search, payload: object) -> list[Any]:
    """The messages of a message's conversation, none where the agent has no part in it."""
    if isinstance(payload, SlackMessage) and payload.channel is not None:
        return await search.enquiry.entries("slack.get_channel_messages", "messages", channel=payload.channel)
    assert isinstance(payload, SlackMessage | SlackOfflineMessage)
    pair = (payload.sender, (payload.dm or "") if isinstance(payload, SlackMessage) else payload.to)
    if search.viewer not in pair:
        return []
    other = pair[0] if pair[1] == search.viewer else pair[1]
    return await search.enquiry.entries("slack.get_direct_messages", "messages", with_user=other)


def _attached(message: Mapping[str, Any]) -> list[str]:
    """Names and texts of the files attached to a message."""
    return [text for file in message.get("files", ()) for text in (file["name"], file["text"])]


def _sender(payload: object) -> str:
    assert isinstance(payload, SlackMessage | SlackOfflineMessage)
    return payload.sender


def _shown(messages: list[Any]) -> Showing | None:
    if not messages:
        return None
    people = [handle for message in messages for handle in (message["user"], *message["mentions"])]
    texts = [text for message in messages for text in (message["text"], *_attached(message))]
    return Showing(tuple(texts), tuple(dict.fromkeys(people)), time=messages[0]["time"])


async def _listed(search: Search) -> Any:
    """The event's channel in the list of channels, under the name that it has now."""
    name = getattr(search.event.payload, "name", None) or getattr(search.event.payload, "channel", "")
    page = await search.enquiry.ask("slack.get_channel_messages", channel=name, limit=1)
    current = name if page is None else page["channel"]
    listed = await search.enquiry.ask("slack.list_channels")
    found = [] if listed is None else [each for each in listed["channels"] if each["name"] == current]
    return found[0] if found else None


SLACK: Mapping[str, Locator] = {
    "slack.message": _message,
    "slack.offline_message": _message,
    "slack.edit": _edit,
    "slack.react": _react,
    "slack.create_channel": _channel,
    "slack.rename_channel": _channel,
    "slack.set_topic": _channel,
    "slack.archive_channel": _archived,
    "slack.join": _membership,
    "slack.leave": _membership,
}
"""Event kind -> where its words are looked for. A deletion leaves nothing that could be read."""
