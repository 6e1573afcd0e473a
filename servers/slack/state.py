"""What Slack holds at one instant."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from scenarios.scenario import Scenario
from scenarios.schema import SlackFile
from servers.entities import People
from servers.identity import vendor_id


class Order(NamedTuple):
    """The place of a message in its conversation, from what came before it only, so that nothing later moves it."""

    second: int
    ordinal: int

    @property
    def ts(self) -> str:
        """The message's id as Slack writes it: `1747299600.000100`."""
        return f"{self.second}.{self.ordinal:06d}"


class Place(NamedTuple):
    """Where an event's message stands."""

    conversation: str
    order: Order


@dataclass(frozen=True, slots=True)
class Message:
    """`root`: the first message of its thread, None outside of one. `replies`: how many there are now.

    `reactions`: emoji and who gave it, in the order first seen. `deleted`: it stands here only for its replies.
    """

    order: Order
    time: str
    sender: str
    text: str
    mentions: tuple[str, ...]
    root: Order | None = None
    offline: bool = False
    edited: bool = False
    reactions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    replies: int = 0
    deleted: bool = False
    files: tuple[SlackFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Channel:
    """`former`: names that it had before, oldest first."""

    id: str
    name: str
    topic: str
    purpose: str
    private: bool
    members: tuple[str, ...]
    archived: bool = False
    former: tuple[str, ...] = ()

    def visible_to(self, handle: str) -> bool:
        return not self.private or handle in self.members


@dataclass(slots=True)
class SlackState:
    """`conversations`: messages in order, by channel id or `direct_key`. `places`: by event id.

    `latest`: the last order given out in each conversation, be it to a message since deleted.
    """

    scenario: str
    people: People
    channels: dict[str, Channel]
    conversations: dict[str, list[Message]]
    places: dict[str, Place]
    latest: dict[str, Order]

    def copy(self) -> SlackState:
        """A copy that can be changed: all but the frozen entries is its own."""
        return replace(
            self,
            channels=dict(self.channels),
            conversations={key: list(messages) for key, messages in self.conversations.items()},
            places=dict(self.places),
            latest=dict(self.latest),
        )

    def messages(self, conversation: str) -> Sequence[Message]:
        return self.conversations.get(conversation, ())

    def named(self, name: str) -> Channel:
        """The channel that has this name now. Raises KeyError."""
        for channel in self.channels.values():
            if channel.name == name:
                return channel
        raise KeyError(name)

    def add_channel(self, name: str, topic: str, purpose: str, private: bool, members: tuple[str, ...]) -> None:
        """A new channel. No name is used twice in a scenario, so that the first one makes the id."""
        key = vendor_id("C", self.scenario, "channel", name)
        self.channels[key] = Channel(key, name, topic, purpose, private, members)


def direct_key(one: str, other: str) -> str:
    """The key of two people's direct conversation; of one person's notes to themselves too."""
    return "D:" + ":".join(sorted((one, other)))


def position(messages: Sequence[Message], order: Order) -> int:
    """The index of the first message at or after `order`."""
    return bisect_left(messages, order, key=attrgetter("order"))


def initial_state(scenario: Scenario) -> SlackState:
    """The company's Slack before the first event."""
    people = People(scenario.id, scenario.org.people, scenario.zone)
    state = SlackState(scenario.id, people, {}, {}, {}, {})
    for channel in scenario.org.slack.channels:
        state.add_channel(channel.name, channel.topic, channel.purpose, channel.private, channel.members)
    return state
