"""What Slack events refer to, followed in time order: channels as they are then, members, messages, threads."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from scenarios.mistake import KeyPath, Mistake, absent, quoted, require
from scenarios.organisation import check_members
from scenarios.part import Part
from scenarios.schema import (
    Channel,
    SlackArchiveChannel,
    SlackCreateChannel,
    SlackDelete,
    SlackEdit,
    SlackJoin,
    SlackLeave,
    SlackMessage,
    SlackOfflineMessage,
    SlackReact,
    SlackRenameChannel,
    SlackSetTopic,
)
from scenarios.timeline import Entry


@dataclass(slots=True)
class _Channel:
    name: str
    members: set[str]
    archived: bool = False


@dataclass(slots=True)
class _Message:
    place: _Channel | frozenset[str]
    """The channel, or the two people of a direct message."""
    reply: bool
    deleted: bool = False
    reactions: set[tuple[str, str]] = field(default_factory=set)


class SlackReferences:
    """The state that the events checked so far have left."""

    def __init__(self, channels: Iterable[Channel], people: Collection[str], ids: Collection[str]) -> None:
        self._people = people
        self._ids = ids
        self._channels = {channel.name: _Channel(channel.name, set(channel.members)) for channel in channels}
        self._renamed: dict[str, _Channel] = {}
        self._messages: dict[str, _Message] = {}

    def check(self, entry: Entry) -> None:
        """Takes one Slack event. Raises Mistake for what isn't there at its time."""
        path, event = entry.path, entry.event
        match event.payload:
            case SlackMessage() as message:
                self._messages[event.id] = self._posted(message, path)
            case SlackOfflineMessage() as message:
                pair = self._pair(message.sender, message.to, path, "to")
                self._messages[event.id] = _Message(pair, reply=False)
            case SlackEdit() | SlackDelete() | SlackReact() as change:
                self._change(change, path)
            case SlackJoin() | SlackLeave() as move:
                self._move(move, path)
            case payload:
                self._channel_event(payload, path)

    def _posted(self, message: SlackMessage, path: KeyPath) -> _Message:
        place: _Channel | frozenset[str]
        if message.channel is not None and message.dm is not None:
            raise Mistake((*path, "dm"), "a message goes to `channel` or to `dm`, not to both; remove one", at_key=True)
        if message.channel is not None:
            self._person(message.sender, path, "from")
            place = self._live_channel(message.channel, (*path, "channel"))
            self._require_member(message.sender, place, (*path, "from"))
        elif message.dm is not None:
            place = self._pair(message.sender, message.dm, path, "dm")
        else:
            raise Mistake(path, "a message needs `channel` (a channel's name) or `dm` (a person's handle)")
        if message.thread is not None:
            where = (*path, "thread")
            parent = self._message(message.thread, where)
            if parent.place != place:
                raise Mistake(where, f"{quoted(message.thread)} is in another conversation; reply where it was written")
            if parent.reply:
                raise Mistake(where, f"{quoted(message.thread)} is a reply itself; name the thread's first message")
        return _Message(place, reply=message.thread is not None)

    def _change(self, change: SlackEdit | SlackDelete | SlackReact, path: KeyPath) -> None:
        message = self._message(change.message, (*path, "message"))
        if isinstance(message.place, _Channel):
            self._require_live(message.place, (*path, "message"))
        match change:
            case SlackDelete():
                message.deleted = True
            case SlackReact(sender=sender, emoji=emoji):
                self._person(sender, path, "from")
                where = (*path, "from")
                if isinstance(message.place, _Channel):
                    self._require_member(sender, message.place, where)
                elif sender not in message.place:
                    raise Mistake(where, f"{quoted(sender)} can't see that direct message; its two people can")
                if (sender, emoji) in message.reactions:
                    raise Mistake((*path, "emoji"), f"{quoted(sender)} reacted with {emoji} before; remove one")
                message.reactions.add((sender, emoji))
            case SlackEdit():
                pass

    def _move(self, move: SlackJoin | SlackLeave, path: KeyPath) -> None:
        channel = self._live_channel(move.channel, (*path, "channel"))
        self._person(move.person, path, "person")
        if isinstance(move, SlackLeave):
            self._require_member(move.person, channel, (*path, "person"))
            channel.members.remove(move.person)
        elif move.person in channel.members:
            raise Mistake((*path, "person"), f"{quoted(move.person)} is in #{channel.name} already; remove this event")
        else:
            channel.members.add(move.person)

    def _channel_event(self, payload: Part, path: KeyPath) -> None:
        match payload:
            case SlackCreateChannel():
                self._person(payload.by, path, "by")
                check_members(payload.members, self._people, (*path, "members"))
                self._require_free(payload.channel, (*path, "channel"))
                self._channels[payload.channel] = _Channel(payload.channel, {payload.by, *payload.members})
            case SlackArchiveChannel():
                self._person(payload.by, path, "by")
                self._live_channel(payload.channel, (*path, "channel")).archived = True
            case SlackRenameChannel():
                self._person(payload.by, path, "by")
                channel = self._live_channel(payload.channel, (*path, "channel"))
                self._require_free(payload.name, (*path, "name"))
                del self._channels[payload.channel]
                channel.name = payload.name
                self._channels[payload.name] = channel
                self._renamed[payload.channel] = channel
            case SlackSetTopic():
                self._person(payload.by, path, "by")
                self._live_channel(payload.channel, (*path, "channel"))
            case _:
                raise AssertionError(f"a Slack event without a check: {type(payload).__name__}")

    # ---- what must be there

    def _person(self, handle: str, path: KeyPath, key: str) -> None:
        require(handle, self._people, (*path, key), "person")

    def _pair(self, sender: str, to: str, path: KeyPath, key: str) -> frozenset[str]:
        self._person(sender, path, "from")
        self._person(to, path, key)
        if sender == to:
            raise Mistake((*path, key), f"{quoted(to)} would write to themselves; name somebody else")
        return frozenset((sender, to))

    def _live_channel(self, name: str, path: KeyPath) -> _Channel:
        renamed = self._renamed.get(name)
        if renamed is not None:
            raise Mistake(path, f"#{name} is called #{renamed.name} by then; write {quoted(renamed.name)}")
        require(name, self._channels, path, "channel at that time called")
        self._require_live(self._channels[name], path)
        return self._channels[name]

    @staticmethod
    def _require_live(channel: _Channel, path: KeyPath) -> None:
        if channel.archived:
            raise Mistake(path, f"#{channel.name} is archived by then; use another channel or an earlier time")

    @staticmethod
    def _require_member(handle: str, channel: _Channel, path: KeyPath) -> None:
        if handle not in channel.members:
            message = f"{quoted(handle)} is not in #{channel.name} then; add a `slack.join` before, or a member"
            raise Mistake(path, message)

    def _require_free(self, name: str, path: KeyPath) -> None:
        if name in self._channels or name in self._renamed:
            raise Mistake(path, f"#{name} is or was a channel's name already; choose another")

    def _message(self, event_id: str, path: KeyPath) -> _Message:
        message = self._messages.get(event_id)
        if message is None:
            if event_id in self._ids:
                raise Mistake(path, f"{quoted(event_id)} is no message before this event; name an earlier one")
            raise Mistake(path, absent(event_id, self._messages, "earlier message"))
        if message.deleted:
            raise Mistake(path, f"{quoted(event_id)} is deleted by then; name another message or an earlier time")
        return message
