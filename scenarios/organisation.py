"""The company as a scenario begins: names that must be unique, members that must be people, days in order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from scenarios.git_schema import Git
from scenarios.mistake import KeyPath, Mistake, quoted, require, require_unique
from scenarios.schema import AgentRole, Linear, Org, Person, Slack
from scenarios.zones import checked_zone

_NOT_IN_IDENTITIES = re.compile(r"[<>\x00-\x1f\x7f]")


def check_organisation(org: Org, agent: AgentRole) -> Mapping[str, Person]:
    """The people by handle. Raises Mistake. Two people may have one display name."""
    people = {person.handle: person for person in org.people}
    path: KeyPath = ("org", "people")
    require_unique((((p.handle), (*path, i, "handle")) for i, p in enumerate(org.people)), "handle")
    require_unique((((p.email), (*path, i, "email")) for i, p in enumerate(org.people)), "e-mail address")
    for index, person in enumerate(org.people):
        if person.zone is not None:
            checked_zone(person.zone, (*path, index, "zone"))
    _check_slack(org.slack, people)
    _check_linear(org.linear, people)
    _check_git(org.git, people)
    require(agent.handle, people, ("agent", "handle"), "person")
    return people


def check_days(start: str | None, end: str | None, path: KeyPath) -> None:
    """Raises Mistake at `path` where `end` lies before `start`."""
    if start is not None and end is not None and end < start:
        raise Mistake(path, f"the end {end} lies before the start {start}; swap them or correct one")


def check_members(members: Iterable[str], people: Collection[str], path: KeyPath) -> None:
    """Raises Mistake where a member isn't a person of the company, or is named twice."""
    seen: set[str] = set()
    for index, handle in enumerate(members):
        require(handle, people, (*path, index), "person")
        if handle in seen:
            raise Mistake((*path, index), f"the member {quoted(handle)} is there twice; remove one")
        seen.add(handle)


def _check_slack(slack: Slack, people: Collection[str]) -> None:
    path: KeyPath = ("org", "slack", "channels")
    require_unique(((c.name, (*path, i, "name")) for i, c in enumerate(slack.channels)), "channel")
    for index, channel in enumerate(slack.channels):
        check_members(channel.members, people, (*path, index, "members"))


def _check_linear(linear: Linear, people: Collection[str]) -> None:
    path: KeyPath = ("org", "linear", "teams")
    require_unique(((team.key, (*path, i, "key")) for i, team in enumerate(linear.teams)), "team key")
    require_unique(((team.name, (*path, i, "name")) for i, team in enumerate(linear.teams)), "team name")
    for index, team in enumerate(linear.teams):
        where = (*path, index)
        check_members(team.members, people, (*where, "members"))
        states = ((state.name, (*where, "states", i, "name")) for i, state in enumerate(team.states))
        require_unique(states, "status")
        require_unique(((label, (*where, "labels", i)) for i, label in enumerate(team.labels)), "label")
    projects: KeyPath = ("org", "linear", "projects")
    require_unique(((p.name, (*projects, i, "name")) for i, p in enumerate(linear.projects)), "project")
    for index, project in enumerate(linear.projects):
        if project.lead is not None:
            require(project.lead, people, (*projects, index, "lead"), "person")
    milestones: KeyPath = ("org", "linear", "milestones")
    require_unique(((m.name, (*milestones, i, "name")) for i, m in enumerate(linear.milestones)), "milestone")
    for index, milestone in enumerate(linear.milestones):
        check_days(milestone.start, milestone.end, (*milestones, index, "end"))


def _check_git(git: Git, people: Mapping[str, Person]) -> None:
    path: KeyPath = ("org", "git", "repositories")
    require_unique(((repo.name, (*path, i, "name")) for i, repo in enumerate(git.repositories)), "repository")
    for index, repository in enumerate(git.repositories):
        if repository.name.endswith((".git", ".lock")):
            raise Mistake((*path, index, "name"), "a repository's name ends in neither .git nor .lock; cut that off")
    if git.repositories:
        for index, person in enumerate(people.values()):
            _check_identity(person, ("org", "people", index))


def _check_identity(person: Person, path: KeyPath) -> None:
    """Raises Mistake where Git can't write the person as a commit's author."""
    for key, text in (("name", person.name), ("email", person.email)):
        found = _NOT_IN_IDENTITIES.search(text)
        if found is not None:
            raise Mistake((*path, key), f"Git can't have {quoted(found[0])} in an author's {key}; leave it out")
