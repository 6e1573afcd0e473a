"""The company's repositories over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from threading import RLock

from scenarios.git_history import repository_of
from scenarios.git_schema import Repository
from scenarios.scenario import Scenario
from servers.git.building import Built, build
from servers.git.command import check_git
from servers.git.store import RepositoryStore
from servers.git.stream import Authors, HistoryStream
from servers.git.view import Remote
from servers.identity import slug


class Remotes:
    """Gives the repositories at any instant, from exactly the events with time <= it.

    Histories are folded and repositories built when they are asked for and no further; several threads may ask.
    """

    def __init__(self, scenario: Scenario, store: Callable[[], RepositoryStore]) -> None:
        """`store` is asked for when the first repository is built."""
        people = {person.handle: person for person in scenario.org.people}
        authors = Authors(people, scenario.zone)
        host = f"git.{slug(scenario.org.name, 'company')}.example"
        self._remotes = {
            repository.name: _RemoteHistory(repository, authors, f"https://{host}/{repository.name}.git", store)
            for repository in scenario.org.git.repositories
        }
        self._events = [event for event in scenario.events if event.platform == "git"]
        self._applied = 0
        self._store = store
        self._lock = RLock()

    def check(self) -> None:
        """Raises UserError where repositories can't be built here: no git, or no place for them."""
        if self._remotes:
            check_git()
            self._store()

    def at(self, now: datetime) -> Mapping[str, Remote]:
        """Each repository as of `now`, by name, in the order of the company's list."""
        with self._lock:
            while self._applied < len(self._events) and self._events[self._applied].time <= now:
                event = self._events[self._applied]
                self._remotes[repository_of(event)].stream.apply(event)
                self._applied += 1
            return {name: remote.at(now) for name, remote in self._remotes.items()}


class _RemoteHistory:
    """One repository: its history so far, and what was built of it."""

    def __init__(
        self, repository: Repository, authors: Authors, url: str, store: Callable[[], RepositoryStore]
    ) -> None:
        self._repository = repository
        self._url = url
        self._store = store
        self._built: dict[int, Built] = {}
        self._lock = RLock()
        self.stream = HistoryStream(repository, authors)

    def at(self, now: datetime) -> Remote:
        count = self.stream.count_at(now)
        return Remote(self._repository, self._url, self.stream.state(count), self.stream, partial(self._open, count))

    def _open(self, count: int) -> Built:
        """The repository after `count` events, added to the nearest one that stands already."""
        with self._lock:
            if count not in self._built:
                earlier = max((known for known in self._built if known < count), default=None)
                base = None if earlier is None else self._built[earlier]
                branch = self._repository.default_branch
                folder = self._store().repository(
                    self.stream.key(count), lambda place: build(place, self.stream, count, branch, base)
                )
                self._built[count] = Built(folder, count)
            return self._built[count]
