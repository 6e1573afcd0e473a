"""What Git events refer to, followed in time order: repositories, branches, commits, files, pull requests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from scenarios.git_history import RepositoryHistory, RepositoryState, blobs
from scenarios.git_pulls import PullRequest
from scenarios.git_schema import (
    GitBranch,
    GitCommit,
    GitDeleteBranch,
    GitForcePush,
    GitMerge,
    GitPart,
    GitPullClose,
    GitPullComment,
    GitPullMerge,
    GitPullOpen,
    GitPullReview,
    GitTag,
    Repository,
)
from scenarios.git_tree import Blob, check_link
from scenarios.mistake import KeyPath, Mistake, absent, quoted, require
from scenarios.timeline import Entry


class GitReferences:
    """The histories that the events checked so far have left, by repository."""

    def __init__(self, repositories: Iterable[Repository], people: Collection[str]) -> None:
        self._people = people
        self._histories = {repository.name: RepositoryHistory(repository) for repository in repositories}

    def check(self, entry: Entry) -> None:
        """Takes one Git event. Raises Mistake for what isn't there at its time, or can't be done then."""
        path, payload = entry.path, entry.event.payload
        assert isinstance(payload, GitPart)
        require(payload.repo, self._histories, (*path, "repo"), "repository")
        require(payload.by, self._people, (*path, "by"), "person")
        checks = _Checks(self._histories[payload.repo], path)
        match payload:
            case GitCommit() | GitMerge():
                checks.writing(payload)
            case GitBranch() | GitForcePush() | GitDeleteBranch() | GitTag():
                checks.refs(payload)
            case _:
                checks.pulls(payload)
        try:
            checks.history.apply(entry.event)
        except Mistake as mistake:
            raise Mistake((*path, *mistake.path), mistake.message, at_key=mistake.at_key) from None
        if isinstance(payload, GitCommit):
            _check_changes(checks.history, entry)


def _check_changes(history: RepositoryHistory, entry: Entry) -> None:
    commit = history.commits[entry.event.id]
    if commit.parents and commit.tree == history.commits[commit.parents[0]].tree:
        raise Mistake(entry.path, "this commit changes nothing; give a file in `write`, `delete` or `rename`")


class _Checks:
    """The rules for one event, before it is applied: what is there in its repository then."""

    def __init__(self, history: RepositoryHistory, path: KeyPath) -> None:
        self.history = history
        self.path = path
        state = history.state
        self._branches: Mapping[str, str] = state.branches if state is not None else {}
        self._state: RepositoryState | None = state

    # ---- commits and merges

    def writing(self, payload: GitCommit | GitMerge) -> None:
        for name, blob in blobs(payload.write).items():
            check_link(blob, (*self.path, "write", name))
        for index, name in enumerate(payload.delete):
            if name in payload.write:
                raise Mistake((*self.path, "delete", index), f"{quoted(name)} is in `write` too; remove one of them")
        if isinstance(payload, GitCommit):
            self._commit(payload)
            return
        self._branch(payload.source, "source")
        into = self._branch(payload.branch, "branch")
        conflicts = self._merge(self._branches[into], self._branches[payload.source], "source")
        settled = {*payload.write, *payload.delete}
        for conflict in conflicts:
            if conflict not in settled:
                stated = f"both sides changed {quoted(conflict)}; say in `write` or `delete` what it is after the merge"
                raise Mistake(self.path, stated)

    def _commit(self, commit: GitCommit) -> None:
        if self._branches:
            self._branch(commit.branch, "branch")
            return
        if commit.branch not in (None, self.history.default_branch):
            message = f"the first commit of {self.history.name} goes to {quoted(self.history.default_branch)}"
            raise Mistake((*self.path, "branch"), f"{message}; leave `branch` out, and make the branch afterwards")
        if not commit.write:
            raise Mistake(self.path, "the first commit of a repository needs files; give `write`")

    def _merge(self, ours: str, theirs: str, key: str) -> tuple[str, ...]:
        """The conflicts of a merge that has something to merge."""
        where = (*self.path, key)
        if self.history.contains(ours, theirs):
            raise Mistake(where, "there is nothing to merge: the target has all of it; remove this event")
        if len(self.history.bases(ours, theirs)) > 1:
            message = "these branches were merged into each other crosswise, which isn't followed here"
            raise Mistake(where, f"{message}; merge only one of the two into the other")
        return self.history.merge(ours, theirs)[1]

    # ---- branches and tags

    def refs(self, payload: GitBranch | GitForcePush | GitDeleteBranch | GitTag) -> None:
        match payload:
            case GitBranch():
                self._free(payload.branch, self._branches, "branch")
                self._target(payload.start, "start")
            case GitForcePush():
                self._branch(payload.branch, "branch")
                if self._target(payload.to, "to") == self._branches[payload.branch]:
                    raise Mistake((*self.path, "to"), "the branch is there already; name another commit")
            case GitDeleteBranch():
                self._deletion(payload)
            case GitTag():
                self._free(payload.tag, self._state.tags if self._state is not None else {}, "tag")
                self._target(payload.target, "target")

    def _deletion(self, payload: GitDeleteBranch) -> None:
        self._branch(payload.branch, "branch")
        where = (*self.path, "branch")
        if payload.branch == self.history.default_branch:
            raise Mistake(where, f"{quoted(payload.branch)} is the default branch, which stays; delete another")
        for pull in self._pulls().values():
            if pull.state == "open" and payload.branch in (pull.source, pull.into):
                raise Mistake(where, f"pull request {pull.number} is open on it; merge or close that first")

    def _free(self, name: str, taken: Collection[str], key: str) -> None:
        where = (*self.path, key)
        if name in taken:
            raise Mistake(where, f"the {key} {quoted(name)} is there then; choose another name")
        for other in taken:
            if other.startswith(f"{name}/") or name.startswith(f"{other}/"):
                raise Mistake(where, f"Git can't have {quoted(name)} beside {quoted(other)}; choose another name")

    def _branch(self, name: str | None, key: str) -> str:
        """The branch called `name`, or the default one, which must be there."""
        if not self._branches:
            raise Mistake(self.path, f"{self.history.name} has no commit before this; begin with a `git.commit`")
        name = name or self.history.default_branch
        require(name, self._branches, (*self.path, key), "branch at that time called")
        return name

    def _target(self, name: str | None, key: str) -> str:
        """The commit that a branch or an event names."""
        where, commits = (*self.path, key), self.history.commits
        if name is None or not self._branches:
            return self._branches[self._branch(name, key)]
        if name not in self._branches and name not in commits:
            raise Mistake(where, absent(name, {*self._branches, *commits}, "branch or earlier commit"))
        if name in commits and self._branches.get(name, name) != name:
            raise Mistake(where, f"{quoted(name)} is a branch and the id of another commit; rename one of them")
        return self.history.target(name)

    # ---- pull requests

    def pulls(self, payload: GitPart) -> None:
        match payload:
            case GitPullOpen():
                self._opening(payload)
            case GitPullReview():
                pull = self._open(payload.number)
                if payload.verdict != "comment" and payload.by == pull.by:
                    raise Mistake((*self.path, "by"), f"{quoted(pull.by)} opened it; somebody else must judge it")
            case GitPullComment():
                self._comment(payload)
            case GitPullMerge():
                pull = self._open(payload.number)
                conflicts = self._merge(pull.target, pull.head, "number")
                if conflicts:
                    stated = f"both sides changed {quoted(conflicts[0])}"
                    raise Mistake((*self.path, "number"), f"{stated}; merge {pull.into} into {pull.source} before")
            case GitPullClose():
                self._open(payload.number)
            case _:
                raise AssertionError(f"a Git event without a check: {type(payload).__name__}")

    def _opening(self, new: GitPullOpen) -> None:
        source, into = self._branch(new.source, "source"), self._branch(new.into, "into")
        for pull in self._pulls().values():
            if pull.number == new.number:
                message = f"pull request {new.number} was opened before; choose another number"
                raise Mistake((*self.path, "number"), message)
            if pull.state == "open" and (pull.source, pull.into) == (source, into):
                message = f"pull request {pull.number} is open from there to there; close it before"
                raise Mistake((*self.path, "source"), message)
        if self.history.contains(self._branches[into], self._branches[source]):
            message = f"{quoted(source)} has no commit that {quoted(into)} hasn't; commit to it before"
            raise Mistake((*self.path, "source"), message)

    def _comment(self, comment: GitPullComment) -> None:
        pull = self._known(comment.number)
        if comment.path is None:
            if comment.line is not None:
                raise Mistake((*self.path, "line"), "a line needs the `path` of its file; add it", at_key=True)
            return
        sides = [self.history.commits[commit].tree.get(comment.path) for commit in (pull.head, pull.target)]
        files = [side for side in sides if isinstance(side, Blob)]
        if not files:
            raise Mistake((*self.path, "path"), f"the pull request has no file {quoted(comment.path)}; name one of its")
        longest = max(len(file.text.splitlines()) for file in files)
        if comment.line is not None and comment.line > longest:
            raise Mistake((*self.path, "line"), f"the file has {longest} lines; name one of them")

    def _pulls(self) -> Mapping[int, PullRequest]:
        return self._state.pulls if self._state is not None else {}

    def _known(self, number: int) -> PullRequest:
        pulls = self._pulls()
        if number not in pulls:
            there = f"there is {', '.join(map(str, pulls))}" if pulls else "there is none"
            raise Mistake((*self.path, "number"), f"there is no pull request {number} then; {there}")
        return pulls[number]

    def _open(self, number: int) -> PullRequest:
        pull = self._known(number)
        if pull.state != "open":
            raise Mistake((*self.path, "number"), f"pull request {number} is {pull.state} by then; name an open one")
        return pull
