"""Packs that leak on purpose: each plants what is later, by one surface, into results that are right otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import orjson

from envs.checks.leaks import World, workplace
from envs.errors import OperationError
from envs.protocol import Json, ToolPack, ToolSpec
from scenarios.scenario import Event, Scenario

Plant = Callable[[Scenario, datetime, str, Mapping[str, Json], Any], Any]
"""What a leaking store makes of a result: scenario (with what is later), time, op, arguments, honest result."""

SEARCH = ToolSpec(
    name="search_messages",
    op="slack.search_messages",
    summary="Messages that hold a text.",
    description="Messages that hold a text.",
    schema={"type": "object", "properties": {"query": {"type": "string"}}, "required": []},
)


class LeakingPack:
    """A pack whose results a plant has changed."""

    def __init__(self, pack: ToolPack, scenario: Scenario, plant: Plant) -> None:
        self._pack = pack
        self._scenario = scenario
        self._plant = plant

    def specs(self) -> Sequence[ToolSpec]:
        searched = self._plant is search and any(spec.op.startswith("slack.") for spec in self._pack.specs())
        return [*self._pack.specs(), *([SEARCH] if searched else [])]

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        try:
            honest = {} if op == SEARCH.op else orjson.loads(await self._pack.run(op, arguments, now))
        except OperationError as refused:
            raise self._plant(self._scenario, now, "error", arguments, refused) or refused from None
        changed = self._plant(self._scenario, now, op, arguments, honest)
        return orjson.dumps(honest if changed is None else changed).decode()


def leaking(plant: Plant) -> World:
    """The workplace with a plant in every pack."""

    @asynccontextmanager
    async def world(scenario: Scenario) -> AsyncIterator[Sequence[ToolPack]]:
        async with workplace(scenario) as packs:
            yield [LeakingPack(pack, scenario, plant) for pack in packs]

    return world


def later(scenario: Scenario, now: datetime, *kinds: str) -> list[Event]:
    return [event for event in scenario.events if event.time > now and event.kind in kinds]


def count(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """Channels count those who join later."""
    for channel in result["channels"] if op == "slack.list_channels" else ():
        channel["num_members"] += len(later(scenario, now, "slack.join"))


def cursor(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """A last page says that there is more where more comes later."""
    if op == "linear.list_tickets" and "limit" in arguments:
        result["has_more"] = result["has_more"] or bool(later(scenario, now, "linear.create"))


def last_updated(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """A ticket was last changed at its last change of all."""
    if op == "linear.get_ticket":
        changes = later(scenario, now, "linear.update")
        if changes:
            result["ticket"]["updated_at"] = changes[-1].time.isoformat()


def reply_count(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """Messages count the messages to come as replies."""
    for message in result["messages"] if op == "slack.get_channel_messages" else ():
        message["reply_count"] = len(later(scenario, now, "slack.message"))


def search(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """A search over an index of the whole timeline."""
    if op != SEARCH.op:
        return None
    found = [event for event in scenario.events if event.kind == "slack.message"]
    return {"messages": [getattr(event.payload, "text", "") for event in found]}


def member_list(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """A team already has those who come later."""
    for team in result["teams"] if op == "linear.list_team_members" else ():
        team["members"] += [getattr(event.payload, "person", "") for event in later(scenario, now, "linear.add_member")]


def error_text(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """An error offers tickets that don't exist yet."""
    if op != "error" or result.code != "ticket_not_found":
        return None
    names = tuple(getattr(event.payload, "title", "") for event in later(scenario, now, "linear.create"))
    return OperationError(result.code, result.message, hint=result.hint, candidates=names)


def id_counter(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """Comments are numbered down from the number of all events."""
    if op == "linear.get_ticket":
        most = len(scenario.events)
        for place, comment in enumerate(result["comments"]):
            comment["id"] = f"K{most - place}"


def git_ref(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """Repositories list the branches to come."""
    for repository in result["repositories"] if op == "git.list_remote_git_repositories" else ():
        repository["branches"] += [getattr(event.payload, "branch", "") for event in later(scenario, now, "git.branch")]


def file_time(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """Everything on the agent's machine was changed when it is last changed of all."""
    for entry in result["entries"] if op == "files.list_directory" else ():
        entry["modified"] = scenario.events[-1].time.isoformat()


def nothing(scenario: Scenario, now: datetime, op: str, arguments: Mapping[str, Json], result: Any) -> Any:
    """No leak: what the wrapping itself does must be found to be harmless."""


PLANTS: Mapping[str, Plant] = {
    "count": count,
    "cursor": cursor,
    "last-updated": last_updated,
    "reply count": reply_count,
    "search": search,
    "member list": member_list,
    "error text": error_text,
    "id counter": id_counter,
    "git ref": git_ref,
    "file time": file_time,
}
"""Surface -> a store that leaks by it."""
