"""Finding what a caller names: every spelling of an entity, candidates where it is ambiguous or unknown.

Candidates come only from what the caller may see now, so that an error never reveals anything later or private.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar
from zoneinfo import ZoneInfo

from envs.errors import OperationError
from scenarios.schema import Person
from servers.identity import vendor_id

T = TypeVar("T")

_LONGEST = 80


def folded(text: str) -> str:
    """The form in which names are compared."""
    return text.strip().casefold()


def shown(text: str) -> str:
    """What a caller sent, short enough to be repeated in an error."""
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def nearest(text: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """At most three of the values of `names` whose keys, in folded form, are spelt most like `text`, best first."""
    close = get_close_matches(folded(text)[:_LONGEST], names, n=6, cutoff=0.6)
    return tuple(dict.fromkeys(names[key] for key in close))[:3]


def not_found(kind: str, text: str, names: Mapping[str, str]) -> OperationError:
    """`{kind}_not_found` for `text`, with the nearest of `names` (folded name -> how it is shown)."""
    return OperationError(
        f"{kind}_not_found", f"there is no {kind} {shown(text)!r} that you can see", candidates=nearest(text, names)
    )


def single(kind: str, text: str, matches: Sequence[T], label: Callable[[T], str], names: Mapping[str, str]) -> T:
    """The one match. Raises OperationError: `{kind}_not_found` for none, `ambiguous_name` for several."""
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise not_found(kind, text, names)
    labels = tuple(label(match) for match in matches)
    raise OperationError(
        "ambiguous_name", f"{shown(text)!r} names more than one {kind}", hint="use one of these", candidates=labels
    )


@dataclass(frozen=True, slots=True)
class Member:
    """A person with the id and the time zone that the platforms show."""

    id: str
    person: Person
    zone: str

    @property
    def handle(self) -> str:
        return self.person.handle


class People:
    """The company's people in the order of the file; they don't change over time."""

    def __init__(self, scenario: str, people: Iterable[Person], zone: ZoneInfo) -> None:
        self.members = tuple(
            Member(vendor_id("U", scenario, "user", person.handle), person, person.zone or zone.key)
            for person in people
        )
        self._by_handle = {member.handle: member for member in self.members}
        self._exact: dict[str, Member] = {}
        self._named: dict[str, list[Member]] = {}
        for member in self.members:
            for spelling in (member.id, member.person.email, member.handle):
                self._exact[folded(spelling)] = member
            self._named.setdefault(folded(member.person.name), []).append(member)
        self._names = {folded(member.person.name): member.handle for member in self.members}
        self._names |= {member.handle: member.handle for member in self.members}

    def __getitem__(self, handle: str) -> Member:
        return self._by_handle[handle]

    def __contains__(self, handle: str) -> bool:
        return handle in self._by_handle

    def find(self, text: str, viewer: str) -> Member:
        """The person named by id, handle, `@handle`, `<@id>`, e-mail, display name or `me`.

        Raises OperationError: user_not_found, ambiguous_name.
        """
        name = folded(text)
        if name == "me":
            return self._by_handle[viewer]
        if name.startswith("<@") and name.endswith(">"):
            name = name[2:-1].partition("|")[0]
        name = name.removeprefix("@")
        exact = self._exact.get(name)
        if exact is not None:
            return exact
        return single("user", text, self._named.get(name, ()), lambda member: member.handle, self._names)
