"""The scenario format: what a YAML file may say, as types.

A file is read into these by `scenarios.loader`, which adds what a schema can't say (references, time, order). Event
payloads are the loaded form too: stores fold them. A text field takes text only; YAML's retyped scalars are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from scenarios.git_schema import GIT_EVENTS, FilePath, Git
from scenarios.machine_schema import FILES_EVENTS, NOTIFY_EVENTS
from scenarios.part import Part
from scenarios.question_schema import QuestionEntry
from scenarios.scalars import ChannelName, Day, Email, Emoji, EventId, Handle, IssueId, Number, TeamKey, Text

Priority = Annotated[StrictInt, Field(ge=0, le=4)]
StateType = Literal["triage", "backlog", "unstarted", "started", "completed", "canceled"]


class Person(Part):
    handle: Handle
    name: Text
    email: Email
    role: Text
    team: Text | None = None
    admin: StrictBool = False
    zone: Text | None = None
    """IANA zone of the person where it differs from the scenario's."""


class Channel(Part):
    name: ChannelName
    topic: str = ""
    purpose: str = ""
    members: tuple[Handle, ...]
    private: StrictBool = False


class Slack(Part):
    channels: tuple[Channel, ...] = ()


class WorkflowState(Part):
    name: Text
    type: StateType


DEFAULT_STATES = tuple(
    WorkflowState(name=name, type=kind)
    for name, kind in (
        ("Triage", "triage"),
        ("Backlog", "backlog"),
        ("Todo", "unstarted"),
        ("In Progress", "started"),
        ("In Review", "started"),
        ("Done", "completed"),
        ("Canceled", "canceled"),
    )
)


class Team(Part):
    key: TeamKey
    name: Text
    members: tuple[Handle, ...]
    states: tuple[WorkflowState, ...] = DEFAULT_STATES
    labels: tuple[Text, ...] = ()


class Milestone(Part):
    name: Text
    description: str = ""
    start: Day | None = None
    end: Day | None = None


class Project(Part):
    name: Text
    description: str = ""
    lead: Handle | None = None


class Linear(Part):
    teams: tuple[Team, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    projects: tuple[Project, ...] = ()


class Org(Part):
    name: Text
    people: Annotated[tuple[Person, ...], Field(min_length=1)]
    slack: Slack = Slack()
    linear: Linear = Linear()
    git: Git = Git()


class AgentRole(Part):
    """Who the agent is in this company; `handle` is one of the people. Whether it may do admin work is `is_admin`.

    `initial_read`: what of the messages it has read when the first question comes: `none`, `all`, or those up to an
    instant.
    """

    handle: Handle
    is_admin: StrictBool = False
    initial_read: Text = "none"
    briefing: Text


# ---- timeline events: one class a kind, named by its key in the file


class SlackFile(Part):
    """A text file that is attached to a message."""

    name: Text
    text: Text


class SlackMessage(Part):
    """In `channel`, or a direct message to the person `dm`. `thread`: the event id of the message it replies to."""

    sender: Handle = Field(alias="from")
    channel: ChannelName | None = None
    dm: Handle | None = None
    text: Text
    thread: EventId | None = None
    files: tuple[SlackFile, ...] = ()


class SlackEdit(Part):
    message: EventId
    text: Text


class SlackDelete(Part):
    message: EventId


class SlackReact(Part):
    message: EventId
    sender: Handle = Field(alias="from")
    emoji: Emoji


class SlackCreateChannel(Part):
    channel: ChannelName
    by: Handle
    topic: str = ""
    purpose: str = ""
    members: tuple[Handle, ...] = ()
    private: StrictBool = False


class SlackArchiveChannel(Part):
    channel: ChannelName
    by: Handle


class SlackRenameChannel(Part):
    channel: ChannelName
    by: Handle
    name: ChannelName


class SlackJoin(Part):
    channel: ChannelName
    person: Handle


class SlackLeave(Part):
    channel: ChannelName
    person: Handle


class SlackSetTopic(Part):
    channel: ChannelName
    by: Handle
    topic: str


class SlackOfflineMessage(Part):
    """A direct message left for somebody who is away; it shows as a DM flagged offline."""

    sender: Handle = Field(alias="from")
    to: Handle
    text: Text


class Relations(Part):
    blocks: tuple[IssueId, ...] = ()
    blocked_by: tuple[IssueId, ...] = ()
    related_to: tuple[IssueId, ...] = ()
    duplicate_of: IssueId | None = None


class LinearCreate(Part):
    issue: IssueId
    by: Handle
    title: Text
    description: str = ""
    status: Text = "Backlog"
    lead: Handle | None = None
    priority: Priority = 0
    labels: tuple[Text, ...] = ()
    estimate: StrictInt | None = None
    milestone: Text | None = None
    parent: IssueId | None = None
    start_date: Day | None = None
    due_date: Day | None = None
    relations: Relations = Relations()


class LinearUpdate(Part):
    """The fields given change, each to the value given; null clears an optional one."""

    clearable: ClassVar[frozenset[str]] = frozenset(
        {"lead", "estimate", "milestone", "parent", "start_date", "due_date"}
    )

    issue: IssueId
    by: Handle
    title: Text | None = None
    description: str | None = None
    status: Text | None = None
    lead: Handle | None = None
    priority: Priority | None = None
    labels: tuple[Text, ...] | None = None
    estimate: StrictInt | None = None
    milestone: Text | None = None
    parent: IssueId | None = None
    start_date: Day | None = None
    due_date: Day | None = None
    relations: Relations | None = None


class LinearComment(Part):
    issue: IssueId
    by: Handle
    body: Text


class LinearDelete(Part):
    issue: IssueId
    by: Handle


class LinearMilestone(Part):
    milestone: Text
    by: Handle
    description: str = ""
    start: Day | None = None
    end: Day | None = None


class LinearProgress(Part):
    milestone: Text
    by: Handle
    rate: Annotated[Number, Field(ge=0, le=1)]


class LinearProjectUpdate(Part):
    """A status report on a project that the company's Linear has."""

    project: Text
    by: Handle
    health: Literal["on_track", "at_risk", "off_track"]
    body: Text


class LinearAddMember(Part):
    team: TeamKey
    person: Handle
    by: Handle


class LinearRemoveMember(Part):
    team: TeamKey
    person: Handle
    by: Handle


EVENT_KINDS: dict[str, type[Part]] = {
    "slack.message": SlackMessage,
    "slack.edit": SlackEdit,
    "slack.delete": SlackDelete,
    "slack.react": SlackReact,
    "slack.create_channel": SlackCreateChannel,
    "slack.archive_channel": SlackArchiveChannel,
    "slack.rename_channel": SlackRenameChannel,
    "slack.join": SlackJoin,
    "slack.leave": SlackLeave,
    "slack.set_topic": SlackSetTopic,
    "slack.offline_message": SlackOfflineMessage,
    "linear.create": LinearCreate,
    "linear.update": LinearUpdate,
    "linear.comment": LinearComment,
    "linear.delete": LinearDelete,
    "linear.milestone": LinearMilestone,
    "linear.progress": LinearProgress,
    "linear.add_member": LinearAddMember,
    "linear.remove_member": LinearRemoveMember,
    "linear.project_update": LinearProjectUpdate,
    **GIT_EVENTS,
    **FILES_EVENTS,
    **NOTIFY_EVENTS,
}
"""Key in a timeline entry -> its payload. A platform's store folds the kinds that begin with its name."""


class Provenance(Part):
    """What a bottom-up scenario was made from: the issue, the merged change, and the files that it touches."""

    issue: IssueId
    change: Text
    files: Annotated[tuple[FilePath, ...], Field(min_length=1, max_length=2)]


class ErratumEntry(Part):
    """A gold that was found wrong. The question keeps it; `answer` is what it should have been.

    `version` counts the errata of a question from 1.
    """

    question: EventId
    version: Annotated[StrictInt, Field(ge=1)]
    note: Text
    answer: dict[str, Any]


CALL_SECONDS = 30


def _only_default(seconds: int) -> int:
    """`seconds` unchanged. Raises ValueError where it isn't the default: no clock charges for calls so far."""
    if seconds != CALL_SECONDS:
        raise ValueError("`call_seconds` is not supported yet, since no clock moves with calls; leave it out")
    return seconds


class ScenarioFile(Part):
    """The top level. `timeline` entries stay raw here: each is `at`, an optional `id` and one key of EVENT_KINDS."""

    id: EventId
    title: Text
    origin: Literal["bottom-up", "top-down", "hybrid", "generated"]
    summary: Text
    zone: Text
    canary: Text
    org: Org
    agent: AgentRole
    source: Provenance | None = None
    clock: Literal["frozen"] = "frozen"
    call_seconds: Annotated[StrictInt, AfterValidator(_only_default)] = CALL_SECONDS
    write_policy: Literal["deny"] = "deny"
    push: Literal["none"] = "none"
    unscored: Mapping[EventId, Text] = Field(default_factory=dict)
    """Question id -> why its answers don't count."""
    timeline: Annotated[list[dict[str, Any]], Field(min_length=1)]
    questions: Annotated[tuple[QuestionEntry, ...], Field(min_length=1)]
    errata: tuple[ErratumEntry, ...] = ()
