"""The agent's own machine in one episode: its directory, and what it has cloned there."""

from __future__ import annotations

from datetime import datetime

from scenarios.scenario import Scenario
from servers.files.home import Home
from servers.files.operations import FilesView
from servers.git.clones import Clones
from servers.git.remotes import Remotes
from servers.git.view import GitView


class Machine:
    """Nothing of it is on the host before a tool needs it, and nothing is left after `close`."""

    def __init__(self, home: Home, clones: Clones) -> None:
        self._home = home
        self._clones = clones

    @classmethod
    def of(cls, scenario: Scenario) -> Machine:
        """A machine on which nothing has happened yet."""
        home = Home([event for event in scenario.events if event.platform == "files"])
        return cls(home, Clones(home))

    def files(self, now: datetime) -> FilesView:
        """Its directory as of `now`."""
        self._home.advance(now)
        return FilesView(self._home, now)

    def git(self, remotes: Remotes, now: datetime) -> GitView:
        """Its clones as of `now`, beside the company's repositories."""
        self._home.advance(now)
        return GitView(remotes.at(now), self._clones, now)

    def fork(self) -> Machine:
        """A machine of its own with the same content."""
        home = self._home.fork()
        return Machine(home, self._clones.fork(home))

    def close(self) -> None:
        """Removes its directory; a second time does nothing."""
        self._home.close()
