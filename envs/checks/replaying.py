"""Replay: every event can happen when its turn comes, and every repository can be built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from envs.checks.finding import Note
from envs.errors import Fault
from scenarios.git_history import RepositoryHistory, repository_of
from scenarios.mistake import Mistake, quoted
from scenarios.scenario import Event, Scenario
from servers.files.home import Home
from servers.git.remotes import Remotes
from servers.git.store import user_store
from servers.notify.events import apply
from servers.notify.state import initial_state


async def replays(scenario: Scenario) -> list[Note]:
    """Replaying raises nothing."""
    home = Home([event for event in scenario.events if event.platform == "files"])
    histories = {repository.name: RepositoryHistory(repository) for repository in scenario.org.git.repositories}
    # The inbox follows Slack and Linear by their own rules.
    told = partial(apply, initial_state(scenario))
    folds: Mapping[str, Callable[[Event], None]] = {
        **dict.fromkeys(("slack", "linear", "notify"), told),
        "git": lambda event: histories[repository_of(event)].apply(event),
        "files": lambda event: home.advance(event.time),
    }
    try:
        for event in scenario.events:
            try:
                folds[event.platform](event)
            except (LookupError, ValueError, TypeError, Mistake) as error:
                reason = f"{type(error).__name__}: {error}"
                message = f"{quoted(event.id)} can't happen at its time ({reason}); correct what it refers to"
                return [Note(("timeline",), message, at_key=True)]
    finally:
        home.close()
    return []


async def builds(scenario: Scenario) -> list[Note]:
    """The repositories of every question's instant can be built."""
    remotes = Remotes(scenario, user_store)
    for index, question in enumerate(scenario.questions):
        for name, remote in remotes.at(question.time).items():
            try:
                remote.open()
            except Fault as fault:
                message = f"the repository {quoted(name)} can't be built ({fault}); is git installed and the disk free?"
                return [Note(("questions", index), message)]
    return []
