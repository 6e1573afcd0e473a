"""What Linear events refer to, followed in time order: teams, issues, statuses, labels, milestones, parents."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scenarios.mistake import KeyPath, Mistake, quoted, require
from scenarios.organisation import check_days
from scenarios.part import Part
from scenarios.schema import (
    Linear,
    LinearAddMember,
    LinearComment,
    LinearCreate,
    LinearDelete,
    LinearMilestone,
    LinearProgress,
    LinearProjectUpdate,
    LinearRemoveMember,
    LinearUpdate,
    Relations,
    Team,
)
from scenarios.timeline import Entry


@dataclass(slots=True)
class _Issue:
    team: Team
    parent: str | None = None
    start: str | None = None
    due: str | None = None
    deleted: bool = False


class LinearReferences:
    """The state that the events checked so far have left."""

    def __init__(self, linear: Linear, people: Collection[str]) -> None:
        self._people = people
        self._teams = {team.key: team for team in linear.teams}
        self._members = {team.key: set(team.members) for team in linear.teams}
        self._milestones = {milestone.name for milestone in linear.milestones}
        self._projects = {project.name for project in linear.projects}
        self._issues: dict[str, _Issue] = {}

    def check(self, entry: Entry) -> None:
        """Takes one Linear event. Raises Mistake for what isn't there at its time."""
        path = entry.path
        match entry.event.payload:
            case LinearCreate() as create:
                self._create(create, path)
            case LinearUpdate() as update:
                self._update(update, path)
            case LinearComment() as comment:
                self._person(comment.by, path, "by")
                self._issue(comment.issue, (*path, "issue"))
            case LinearDelete() as delete:
                self._person(delete.by, path, "by")
                self._issue(delete.issue, (*path, "issue")).deleted = True
            case LinearAddMember() | LinearRemoveMember() as move:
                self._move(move, path)
            case LinearProjectUpdate() as report:
                self._person(report.by, path, "by")
                require(report.project, self._projects, (*path, "project"), "project")
            case payload:
                self._milestone_event(payload, path)

    def _create(self, create: LinearCreate, path: KeyPath) -> None:
        where = (*path, "issue")
        if create.issue in self._issues:
            raise Mistake(where, f"the issue {create.issue} was created before; choose another number")
        key = create.issue.partition("-")[0]
        require(key, self._teams, where, "team with the key")
        issue = _Issue(self._teams[key])
        self._check_fields(create, issue, path)
        if "status" not in create.model_fields_set and create.status not in _states(issue.team):
            states = ", ".join(_states(issue.team))
            raise Mistake(path, f"the team {key} has no {quoted(create.status)} to start in; give `status`: {states}")
        self._apply(create, create.issue, issue, path)
        self._issues[create.issue] = issue

    def _update(self, update: LinearUpdate, path: KeyPath) -> None:
        issue = self._issue(update.issue, (*path, "issue"))
        if update.model_fields_set <= {"issue", "by"}:
            raise Mistake(path, "this update changes nothing; give a field, such as `status`")
        self._check_fields(update, issue, path)
        self._apply(update, update.issue, issue, path)

    def _check_fields(self, change: LinearCreate | LinearUpdate, issue: _Issue, path: KeyPath) -> None:
        self._person(change.by, path, "by")
        if change.lead is not None:
            self._person(change.lead, path, "lead")
        if change.status is not None and "status" in change.model_fields_set:
            require(change.status, _states(issue.team), (*path, "status"), f"status of {issue.team.key} called")
        for index, label in enumerate(change.labels or ()):
            where = (*path, "labels", index)
            require(label, issue.team.labels, where, f"label of {issue.team.key} called")
            if label in (change.labels or ())[:index]:
                raise Mistake(where, f"the label {quoted(label)} is there twice; remove one")
        if change.milestone is not None:
            require(change.milestone, self._milestones, (*path, "milestone"), "milestone at that time called")
        if change.relations is not None:
            self._check_relations(change.relations, change.issue, (*path, "relations"))

    def _check_relations(self, relations: Relations, own: str, path: KeyPath) -> None:
        for name in ("blocks", "blocked_by", "related_to"):
            for index, other in enumerate(getattr(relations, name)):
                self._other(other, own, (*path, name, index))
        if relations.duplicate_of is not None:
            self._other(relations.duplicate_of, own, (*path, "duplicate_of"))

    def _apply(self, change: LinearCreate | LinearUpdate, own: str, issue: _Issue, path: KeyPath) -> None:
        given = change.model_fields_set
        if "parent" in given:
            if change.parent is not None:
                self._check_parent(change.parent, own, (*path, "parent"))
            issue.parent = change.parent
        if "start_date" in given:
            issue.start = change.start_date
        if "due_date" in given:
            issue.due = change.due_date
        if given & {"start_date", "due_date"}:
            check_days(issue.start, issue.due, (*path, "due_date" if "due_date" in given else "start_date"))

    def _check_parent(self, parent: str, own: str, path: KeyPath) -> None:
        self._other(parent, own, path)
        above: str | None = parent
        while above is not None:
            if above == own:
                raise Mistake(path, f"{parent} lies under {own} already; choose another parent")
            above = self._issues[above].parent

    def _move(self, move: LinearAddMember | LinearRemoveMember, path: KeyPath) -> None:
        require(move.team, self._teams, (*path, "team"), "team with the key")
        self._person(move.person, path, "person")
        self._person(move.by, path, "by")
        members, where = self._members[move.team], (*path, "person")
        if isinstance(move, LinearAddMember):
            if move.person in members:
                raise Mistake(where, f"{quoted(move.person)} is in {move.team} already; remove this event")
            members.add(move.person)
        else:
            if move.person not in members:
                raise Mistake(where, f"{quoted(move.person)} is not in {move.team} then; remove this event")
            members.remove(move.person)

    def _milestone_event(self, payload: Part, path: KeyPath) -> None:
        where = (*path, "milestone")
        match payload:
            case LinearMilestone():
                self._person(payload.by, path, "by")
                taken = {name.casefold() for name in self._milestones}
                if payload.milestone.casefold() in taken:
                    raise Mistake(where, f"the milestone {quoted(payload.milestone)} exists; choose another name")
                check_days(payload.start, payload.end, (*path, "end"))
                self._milestones.add(payload.milestone)
            case LinearProgress():
                self._person(payload.by, path, "by")
                require(payload.milestone, self._milestones, where, "milestone at that time called")
            case _:
                raise AssertionError(f"a Linear event without a check: {type(payload).__name__}")

    # ---- what must be there

    def _person(self, handle: str, path: KeyPath, key: str) -> None:
        require(handle, self._people, (*path, key), "person")

    def _issue(self, issue_id: str, path: KeyPath) -> _Issue:
        require(issue_id, self._issues, path, "earlier issue")
        if self._issues[issue_id].deleted:
            raise Mistake(path, f"{issue_id} is deleted by then; name another issue or an earlier time")
        return self._issues[issue_id]

    def _other(self, issue_id: str, own: str, path: KeyPath) -> None:
        if issue_id == own:
            raise Mistake(path, f"{own} can't refer to itself; name another issue")
        self._issue(issue_id, path)


def _states(team: Team) -> tuple[str, ...]:
    return tuple(state.name for state in team.states)
