"""What Linear holds at one instant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scenarios.scenario import Scenario
from scenarios.schema import WorkflowState
from servers.entities import People, folded
from servers.identity import slug, vendor_id

PRIORITIES = ("No priority", "Urgent", "High", "Medium", "Low")


@dataclass(frozen=True, slots=True)
class Team:
    key: str
    name: str
    members: tuple[str, ...]
    states: tuple[WorkflowState, ...]

    def workflow_state(self, name: str) -> WorkflowState:
        """The team's state of that name, in any case. Raises KeyError."""
        for state in self.states:
            if folded(state.name) == folded(name):
                return state
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Milestone:
    """`start`, `end`: days as written. `rate`: share done, 0 to 1."""

    id: str
    name: str
    description: str
    start: str | None
    end: str | None
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class Ticket:
    """`sequence` orders tickets by creation and is never shown. `milestone`: its name. Days are as written.

    Instants are in the one form in which results show them, which also sorts them.
    """

    id: str
    sequence: int
    team: str
    title: str
    description: str
    status: WorkflowState
    lead: str | None
    creator: str
    priority: int
    labels: tuple[str, ...]
    estimate: int | None
    milestone: str | None
    parent: str | None
    start_date: str | None
    due_date: str | None
    created: str
    updated: str
    started: str | None = None
    completed: str | None = None


class ProjectUpdate(NamedTuple):
    time: str
    author: str
    health: str
    body: str


@dataclass(frozen=True, slots=True)
class Project:
    """`updates`: its status reports, oldest first."""

    id: str
    name: str
    description: str
    lead: str | None
    updates: tuple[ProjectUpdate, ...] = ()


class Change(NamedTuple):
    """One field's change as the history shows it."""

    time: str
    actor: str
    field: str
    old: str | None
    new: str | None


class Comment(NamedTuple):
    id: str
    time: str
    author: str
    body: str


class Edge(NamedTuple):
    """A relation between two tickets, kept under both. `related` has no direction."""

    kind: Literal["blocks", "related", "duplicates"]
    source: str
    target: str


@dataclass(slots=True)
class LinearState:
    """`tickets` in the order of creation; `history`, `comments` and `edges` by ticket id, the others by name.

    `created`: how many tickets there ever were.
    """

    scenario: str
    workspace: str
    people: People
    teams: dict[str, Team]
    milestones: dict[str, Milestone]
    tickets: dict[str, Ticket]
    history: dict[str, list[Change]]
    comments: dict[str, list[Comment]]
    edges: dict[str, dict[Edge, None]]
    projects: dict[str, Project]
    created: int = 0

    def copy(self) -> LinearState:
        """A copy that can be changed: all but the frozen entries is its own."""
        return replace(
            self,
            teams=dict(self.teams),
            milestones=dict(self.milestones),
            tickets=dict(self.tickets),
            history={key: list(changes) for key, changes in self.history.items()},
            comments={key: list(comments) for key, comments in self.comments.items()},
            edges={key: dict(edges) for key, edges in self.edges.items()},
            projects=dict(self.projects),
        )

    def add_milestone(self, name: str, description: str, start: str | None, end: str | None) -> None:
        key = vendor_id("M", self.scenario, "milestone", name)
        self.milestones[name] = Milestone(key, name, description, start, end)


def initial_state(scenario: Scenario) -> LinearState:
    """The company's Linear before the first event."""
    org = scenario.org
    people = People(scenario.id, org.people, scenario.zone)
    workspace = slug(org.name, "workspace")
    teams = {team.key: Team(team.key, team.name, team.members, team.states) for team in org.linear.teams}
    projects = {
        project.name: Project(
            vendor_id("P", scenario.id, "project", project.name), project.name, project.description, project.lead
        )
        for project in org.linear.projects
    }
    state = LinearState(scenario.id, workspace, people, teams, {}, {}, {}, {}, {}, projects)
    for milestone in org.linear.milestones:
        state.add_milestone(milestone.name, milestone.description, milestone.start, milestone.end)
    return state
