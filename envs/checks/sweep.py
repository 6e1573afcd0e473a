"""A sweep: every tool with a generous choice of arguments, right and wrong, of all times; pages are followed.

What is asked depends on the scenario and on what earlier answers hold, never on the instant: so two worlds that are
equal at an instant are asked the same. A tool that nobody thought of here is swept too, by the names of its parameters.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from envs.canonical import dumps
from envs.checks.events import fields, values
from envs.clock import format_instant
from envs.protocol import Json, Tools, ToolSpec
from scenarios.scenario import Scenario

Names = Mapping[str, Sequence[Json]]
"""Name of a parameter -> the values to try."""

_MOST_OPTIONAL = 24
"""Values tried of a parameter that may be left out, spread over what there is."""
_FEW = 3
"""Values of the required parameters that each optional one is tried with."""
_PAGES = 1000
_UNKNOWN = "nowhere-to-be-found"
_REVISION = re.compile(r"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")


@dataclass(frozen=True, slots=True)
class Read:
    """One call and all that came back."""

    tool: str
    arguments: Mapping[str, Json]
    text: str

    @property
    def call(self) -> str:
        return f"{self.tool} {dumps(dict(self.arguments)).decode()}"


def names_of(scenario: Scenario) -> dict[str, list[Json]]:
    """What a scenario's tools can be asked for, of every time, the future's names too; and names that nothing has."""
    org = scenario.org
    given = [(event, fields(event)) for event in scenario.events]
    people = [name for person in org.people for name in (person.handle, person.name)]
    people += [f"@{org.people[0].handle}", org.people[0].email, "me"]
    channels = [channel.name for channel in org.slack.channels]
    channels += [each[key] for event, each in given for key in ("channel", "name") if key in each]
    tickets = [each["issue"] for _, each in given if "issue" in each]
    milestones = [milestone.name for milestone in org.linear.milestones]
    milestones += [each["milestone"] for _, each in given if each.get("milestone") is not None]
    states = [name for team in org.linear.teams for state in team.states for name in (state.name, state.type)]
    stamps = [f"{int(event.time.timestamp())}.000100" for event in scenario.events if event.platform == "slack"]
    instants = [format_instant(event.time) for event in scenario.events]
    days = [value for _, each in given for value in values(each) if _is_day(value)]
    found: dict[str, Sequence[Json]] = {
        "channel": [*channels, f"#{channels[0]}" if channels else "#general"],
        "with_user": people,
        "lead": people,
        "ticket_id": tickets,
        "team": [name for team in org.linear.teams for name in (team.key, team.name.lower())],
        "status": states,
        "milestone": milestones,
        "priority": ["0", "1", "2", "3", "4", "urgent"],
        "label": [label for team in org.linear.teams for label in team.labels],
        "after_id": [*stamps, *tickets],
        "limit": [1, 0, 500],
        **dict.fromkeys(("created_after", "created_before", "updated_after"), instants),
        **dict.fromkeys(("due_after", "due_before"), days or instants),
        **_git_names(scenario),
    }
    return {name: [*dict.fromkeys(pool), *_wrong(pool)] for name, pool in found.items()}


def _git_names(scenario: Scenario) -> dict[str, Sequence[Json]]:
    """Repositories, branches, tags and paths of every time."""
    given = [fields(event) for event in scenario.events if event.platform in ("git", "files")]
    refs = [each[key] for each in given for key in ("branch", "tag", "source") if isinstance(each.get(key), str)]
    written = [str(path) for each in given for key in ("write", "rename", "delete") for path in each.get(key, ())]
    written += [each["path"] for each in given if isinstance(each.get("path"), str)]
    repositories = [each["repo"] for each in given if "repo" in each]
    folders = [path.rpartition("/")[0] for path in written if "/" in path]
    return {
        **dict.fromkeys(("repo", "repository", "url"), repositories),
        **{key: ["HEAD", *refs] for key in ("revision", "ref", "branch", "target", "base")},
        **{key: [".", *folders, *written] for key in ("path", "directory")},
        "pattern": [".", "TODO"],
        "offset": [0, 1],
    }


def _is_day(value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII) is not None


def _wrong(pool: Sequence[Json]) -> list[Json]:
    return [_UNKNOWN] if all(isinstance(each, str) for each in pool) else [_UNKNOWN, -1]


async def sweep(tools: Tools, names: Names) -> AsyncIterator[Read]:
    """Every read, in a fixed order. Tools that change the caller's own state come first, so that the rest sees it."""
    pools = {name: list(pool) for name, pool in names.items()}
    specs = sorted(tools.specs(), key=lambda spec: not spec.writes)
    for spec in specs:
        for arguments in _arguments(spec, pools):
            async for read in _pages(tools, spec, arguments):
                _discover(pools, read.text)
                yield read
        yield await _read(tools, spec, {"unknown_argument": 1})
    yield Read("no_such_tool", {}, (await tools.call("no_such_tool", {})).text)


def _arguments(spec: ToolSpec, pools: Mapping[str, Sequence[Json]]) -> Iterator[dict[str, Json]]:
    """Each value of the required parameters; each optional parameter's values with a few of those."""
    properties: Mapping[str, Any] = spec.schema["properties"]
    required = [name for name in spec.schema.get("required", ()) if name in properties]
    bases = _bases(required, pools)
    yield from bases
    for name in properties:
        if name in required:
            continue
        for value in _spread(pools.get(name, (_UNKNOWN,)), _MOST_OPTIONAL):
            for base in _spread(bases, _FEW):
                yield {**base, name: value}


def _bases(required: Sequence[str], pools: Mapping[str, Sequence[Json]]) -> list[dict[str, Json]]:
    bases: list[dict[str, Json]] = [{}]
    for place, name in enumerate(required):
        pool = pools.get(name, (_UNKNOWN,))
        chosen = list(pool) if place == 0 else _spread(pool, _FEW)
        bases = [{**base, name: value} for base in bases for value in chosen]
    return bases


def _spread(pool: Sequence[Any], most: int) -> list[Any]:
    """At most `most` entries, evenly spread, the last one among them."""
    if len(pool) <= most:
        return list(pool)
    return [pool[(index * (len(pool) - 1)) // (most - 1)] for index in range(most)]


async def _pages(tools: Tools, spec: ToolSpec, arguments: Mapping[str, Json]) -> AsyncIterator[Read]:
    """The call and, with the largest pages, all that its result says may follow."""
    given = dict(arguments)
    for _ in range(_PAGES):
        read = await _read(tools, spec, given)
        yield read
        onward = _onward(spec, read.text)
        if not onward or "limit" in arguments:
            return
        given = {**given, **onward}
    raise RuntimeError(f"{spec.name} has more than {_PAGES} pages for {dict(arguments)}")


def _onward(spec: ToolSpec, text: str) -> dict[str, Json]:
    """The arguments with which a result says to go on: `next_after_id` is the next call's `after_id`."""
    result = orjson.loads(text)
    properties = spec.schema["properties"]
    return {
        key.removeprefix("next_"): value
        for key, value in result.items()
        if key.startswith("next_") and value is not None and key.removeprefix("next_") in properties
    }


async def _read(tools: Tools, spec: ToolSpec, arguments: Mapping[str, Json]) -> Read:
    return Read(spec.name, dict(arguments), (await tools.call(spec.name, arguments)).text)


def _discover(pools: dict[str, list[Json]], text: str) -> None:
    """Commits that an answer names are asked for afterwards."""
    for name in ("revision", "ref"):
        pool = pools.setdefault(name, [])
        pool += [commit for commit in dict.fromkeys(_REVISION.findall(text)) if commit not in pool]
