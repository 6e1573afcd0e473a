"""A sweep: every tool with a generous choice of arguments, right and wrong, of all times; pages are followed.

What is asked depends on the scenario and on what earlier answers hold, never on the instant: so two worlds that are
equal at an instant are asked the same. A tool that nobody thought of here is swept too, by the names of its parameters.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from envs.canonical import dumps
from envs.checks.events import fields, values
from envs.clock import format_instant
from envs.protocol import Json, Tools, ToolSpec
from scenarios.scenario import Scenario

Names = Mapping[str, Sequence[Json]]
"""Name of a parameter -> the values to try."""

_PAGES = 1000
_UNKNOWN = "nowhere-to-be-found"
_REVISION = re.compile(r"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")


class _Breadth(NamedTuple):
    """How many values of an optional parameter are tried, and with how many of the required ones, spread evenly."""

    optional: int
    bases: int


_QUICK = _Breadth(12, 3)
_SLOW = _Breadth(3, 1)
_FIRST, _OTHERS = 200, 2
"""Values tried of the first required parameter, and of each other one."""
_WHOLE = frozenset({"ref", "number"})
"""Parameters of which a thorough sweep tries every value: so each commit and pull request is read."""
_REFS = ("ref", "base", "target")


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
    """Repositories, branches, tags, pull requests and paths of every time."""
    given = [fields(event) for event in scenario.events if event.platform in ("git", "files")]
    refs = ["HEAD", *(each[key] for each in given for key in ("branch", "tag") if isinstance(each.get(key), str))]
    written = [str(path) for each in given for key in ("write", "rename", "delete") for path in each.get(key, ())]
    written += [each["path"] for each in given if isinstance(each.get("path"), str)]
    folders = [path.rpartition("/")[0] for path in written if "/" in path]
    repositories = [repository.name for repository in scenario.org.git.repositories]
    numbers = [each["number"] for each in given if "number" in each]
    cloned = [f"{each['repo']}/{path}" for each in given if "repo" in each for path in each.get("write", ())]
    return {
        "repository": repositories,
        "files.path": [".", *repositories, *folders, *written, *cloned],
        "path": [*folders, *written],
        "pattern": [".", "TODO"],
        "number": numbers,
        "offset": [0, 1],
        "git.after_id": numbers,
        **dict.fromkeys(_REFS, refs),
    }


def _is_day(value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII) is not None


def _wrong(pool: Sequence[Json]) -> list[Json]:
    return [_UNKNOWN] if all(isinstance(each, str) for each in pool) else [_UNKNOWN, -1]


async def sweep(
    tools: Tools, names: Names, *, platforms: Collection[str] | None = None, thorough: bool = False
) -> AsyncIterator[Read]:
    """Every read, in a fixed order. Tools that change the caller's own state come first, so that the rest sees it.

    `platforms`: only their tools. `thorough`: everything is read, not just two hundred tickets and a few commits.
    """
    pools = {name: list(pool) for name, pool in names.items()}
    specs = [spec for spec in tools.specs() if platforms is None or _platform(spec) in platforms]
    for spec in sorted(specs, key=lambda spec: not spec.writes):
        breadth = _SLOW if _platform(spec) == "git" else _QUICK
        for arguments in _arguments(spec, pools, breadth, thorough):
            async for read in _pages(tools, spec, arguments):
                if _platform(spec) == "git":
                    _discover(pools, read.text)
                yield read
        yield await _read(tools, spec, {"unknown_argument": 1})
    if platforms is None:
        yield Read("no_such_tool", {}, (await tools.call("no_such_tool", {})).text)


def _platform(spec: ToolSpec) -> str:
    return spec.op.partition(".")[0]


def _arguments(
    spec: ToolSpec, pools: Mapping[str, Sequence[Json]], breadth: _Breadth, thorough: bool
) -> Iterator[dict[str, Json]]:
    """Each value of the first required parameter with a few of the others; the optional ones' values with a few of
    those."""
    properties: Mapping[str, Any] = spec.schema["properties"]
    required = [name for name in spec.schema.get("required", ()) if name in properties]
    bases: list[dict[str, Json]] = [{}]
    for place, name in enumerate(required):
        pool = list(_pool(pools, spec, name))
        most = _FIRST if place == 0 else _OTHERS
        chosen = pool if thorough and (place == 0 or name in _WHOLE) else _spread(pool, most)
        bases = [{**base, name: value} for base in bases for value in chosen]
    yield from bases
    for name in properties:
        if name in required:
            continue
        pool = list(_pool(pools, spec, name))
        whole = thorough and name in _WHOLE
        for value in pool if whole else _spread(pool, breadth.optional):
            for base in bases if whole else _spread(bases, breadth.bases):
                yield {**base, name: value}


def _pool(pools: Mapping[str, Sequence[Json]], spec: ToolSpec, name: str) -> Sequence[Json]:
    """The values for a parameter: of its platform, or else of its name."""
    return pools.get(f"{_platform(spec)}.{name}") or pools.get(name) or (_UNKNOWN,)


def _spread(pool: Sequence[Any], most: int) -> list[Any]:
    """At most `most` entries, evenly spread, the first and the last among them."""
    if len(pool) <= most or most == 1:
        return list(pool[:most])
    return [pool[(index * (len(pool) - 1)) // (most - 1)] for index in range(most)]


async def _pages(tools: Tools, spec: ToolSpec, arguments: Mapping[str, Json]) -> AsyncIterator[Read]:
    """The call and, where nothing is left out or narrowed, all that its result says may follow."""
    given = dict(arguments)
    whole = arguments.keys() <= set(spec.schema.get("required", ()))
    for _ in range(_PAGES):
        read = await _read(tools, spec, given)
        yield read
        onward = _onward(spec, read.text)
        if not onward or not whole:
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
    for name in _REFS:
        pool = pools.setdefault(name, [])
        pool += [commit for commit in dict.fromkeys(_REVISION.findall(text)) if commit not in pool]
