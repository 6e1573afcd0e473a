"""What the agent's account has been notified of, at one instant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from envs.clock import format_instant, parse_instant
from scenarios.scenario import Scenario
from servers.linear.state import LinearState
from servers.linear.state import initial_state as initial_linear
from servers.slack.state import Message, Place, SlackState, position
from servers.slack.state import initial_state as initial_slack

Kind = Literal["mention", "dm", "ticket_assigned", "ticket_updated", "milestone", "reminder", "notice"]


@dataclass(frozen=True, slots=True)
class Notification:
    """`sender`: a handle, or the system that tells. `text`: None where `message` is what it is about.

    What became of a message, a ticket or a milestone is looked up when the inbox is read, so that what was deleted or
    edited shows here as on its platform.
    """

    id: str
    time: str
    kind: Kind
    platform: Literal["slack", "linear", "notify"]
    sender: str | None
    text: str | None
    message: Place | None = None
    ticket: str | None = None
    milestone: str | None = None


@dataclass(slots=True)
class Inbox:
    """`entries` in the order of events. `slack` and `linear` are as of the same event.

    `read_until`: entries up to that time count as read, None: none do.
    """

    scenario: str
    viewer: str
    slack: SlackState
    linear: LinearState
    read_until: str | None
    entries: list[Notification]

    def copy(self) -> Inbox:
        """A copy that can be changed: all but the frozen entries is its own."""
        return replace(self, slack=self.slack.copy(), linear=self.linear.copy(), entries=list(self.entries))

    def is_read(self, entry: Notification) -> bool:
        return self.read_until is not None and entry.time <= self.read_until

    def message_of(self, place: Place) -> Message | None:
        """The message as it stands, None: deleted, or in a channel that the viewer can't see any more."""
        channel = self.slack.channels.get(place.conversation)
        if channel is not None and not channel.visible_to(self.viewer):
            return None
        messages = self.slack.messages(place.conversation)
        index = position(messages, place.order)
        if index == len(messages) or messages[index].order != place.order or messages[index].deleted:
            return None
        return messages[index]

    def visible(self) -> list[Notification]:
        """The entries whose thing still exists for the viewer."""
        return [entry for entry in self.entries if self._exists(entry)]

    def _exists(self, entry: Notification) -> bool:
        if entry.message is not None:
            return self.message_of(entry.message) is not None
        return entry.ticket is None or entry.ticket in self.linear.tickets


def initial_state(scenario: Scenario) -> Inbox:
    """The empty inbox before the first event."""
    role = scenario.agent
    return Inbox(scenario.id, role.handle, initial_slack(scenario), initial_linear(scenario), _read_until(scenario), [])


def _read_until(scenario: Scenario) -> str | None:
    """`all` means what there is when the first question comes."""
    said = scenario.agent.initial_read
    if said == "none":
        return None
    time: datetime = scenario.questions[0].time if said == "all" else parse_instant(said, scenario.zone)
    return format_instant(time)
