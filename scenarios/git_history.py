"""What the Git events of a scenario add up to: each repository's commits, and its refs after each event.

    histories = git_histories(scenario.org.git.repositories, scenario.events)   # by name of the repository
    history = histories["app"]
    state = history.at(time)          # branches, tags and pull requests as of then; None before the first event
    state.branches["main"]            # a commit's id, which is that of the event that made it
    history.commits["fix"].tree       # the whole tree: `files()`, `get(path)`
    history.commits_of(state)         # what is reachable from the refs, parents first
    history.bases("fix", "c12")       # their merge bases

Nothing here is an object of Git: hashes, identities and texts of commits are made from it by whoever builds the
repositories. A loaded scenario has been checked (`scenarios.git_references`), so that applying its events never fails.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from scenarios.git_graph import Commit, is_ancestor, merge_bases, reachable
from scenarios.git_pulls import PullComment, PullRequest, Review
from scenarios.git_schema import (
    ORDINARY,
    Content,
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
from scenarios.git_tree import EMPTY, Blob, Tree, changed, merged
from scenarios.scenario import Event


@dataclass(frozen=True, slots=True)
class Tag:
    """`commit`: an id. Annotated where it has a `message`."""

    name: str
    commit: str
    by: str
    time: datetime
    message: str | None


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """A repository after `event`: branch -> commit id, tag name -> tag, number -> pull request, in order of making."""

    event: str
    time: datetime
    branches: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, Tag] = field(default_factory=dict)
    pulls: Mapping[int, PullRequest] = field(default_factory=dict)


class RepositoryHistory:
    """One repository over time. `apply` takes its events in their order; the rest reads."""

    def __init__(self, repository: Repository) -> None:
        self.name = repository.name
        self.description = repository.description
        self.default_branch = repository.default_branch
        self._commits: dict[str, Commit] = {}
        self._states: list[RepositoryState] = []

    @property
    def commits(self) -> Mapping[str, Commit]:
        """Every commit that was ever made, by id, parents first."""
        return MappingProxyType(self._commits)

    @property
    def states(self) -> tuple[RepositoryState, ...]:
        """One for each event of the repository."""
        return tuple(self._states)

    @property
    def state(self) -> RepositoryState | None:
        """After the last event applied."""
        return self._states[-1] if self._states else None

    def at(self, time: datetime) -> RepositoryState | None:
        """After the last event not later than `time`."""
        index = bisect_right(self._states, time, key=lambda state: state.time)
        return self._states[index - 1] if index else None

    def commits_of(self, state: RepositoryState) -> list[Commit]:
        """What branches and tags of `state` reach, parents first."""
        return reachable(self._commits, [*state.branches.values(), *(tag.commit for tag in state.tags.values())])

    def bases(self, one: str, other: str) -> tuple[str, ...]:
        """The merge bases of two commits, the latest first."""
        return merge_bases(self._commits, one, other)

    def contains(self, commit: str, other: str) -> bool:
        """Whether `commit` is `other` or came after it."""
        return is_ancestor(self._commits, other, commit)

    def target(self, name: str | None) -> str:
        """The commit that `name` is the branch or the id of; the default branch's without a name.

        Raises KeyError where there is none.
        """
        branches = self.state.branches if self.state is not None else {}
        name = name or self.default_branch
        return branches[name] if name in branches else self._commits[name].id

    def merge(self, ours: str, theirs: str) -> tuple[Tree, tuple[str, ...]]:
        """The merge of commit `theirs` into `ours`, and the paths in conflict. Raises ValueError for several bases."""
        (base,) = self.bases(ours, theirs)
        return merged(*(self._commits[commit].tree for commit in (base, ours, theirs)))

    # ---- the fold

    def apply(self, event: Event) -> None:
        """Takes an event of this repository. Raises KeyError, ValueError or Mistake for one that doesn't fit."""
        old = self.state
        state = RepositoryState(event.id, event.time, *((old.branches, old.tags, old.pulls) if old else ()))
        match event.payload:
            case GitCommit() | GitMerge() | GitPullMerge():
                state = self._committed(state, event)
            case GitBranch(branch=name, start=start):
                state = replace(state, branches={**state.branches, name: self.target(start)})
            case GitForcePush(branch=name, to=to):
                state = _moved(state, name, self.target(to))
            case GitDeleteBranch(branch=name):
                state = replace(state, branches={other: at for other, at in state.branches.items() if other != name})
            case GitTag() as tag:
                made = Tag(tag.tag, self.target(tag.target), tag.by, event.time, tag.message)
                state = replace(state, tags={**state.tags, tag.tag: made})
            case _:
                state = self._discussed(state, event)
        self._states.append(state)

    def _committed(self, state: RepositoryState, event: Event) -> RepositoryState:
        match event.payload:
            case GitCommit() as commit:
                branch = commit.branch or self.default_branch
                parent = state.branches.get(branch)
                old = EMPTY if parent is None else self._commits[parent].tree
                tree = changed(old, delete=commit.delete, rename=commit.rename, write=blobs(commit.write))
                self._add(event, () if parent is None else (parent,), tree, commit.by, commit.message)
                return _moved(state, branch, event.id)
            case GitMerge() as merge:
                branch = merge.branch or self.default_branch
                parents = (state.branches[branch], state.branches[merge.source])
                tree = changed(self.merge(*parents)[0], delete=merge.delete, write=blobs(merge.write))
                into = "" if branch == self.default_branch else f" into {branch}"
                message = merge.message or f"Merge branch '{merge.source}'{into}"
                self._add(event, parents, tree, merge.by, message)
                return _moved(state, branch, event.id)
            case GitPullMerge() as merge:
                pull = state.pulls[merge.number]
                tree, _ = self.merge(pull.target, pull.head)
                message = merge.message or f"Merge pull request #{pull.number} from {pull.source}\n\n{pull.title}"
                self._add(event, (pull.target, pull.head), tree, merge.by, message)
                ended = replace(pull, state="merged", merge=event.id, ended=event.time, ended_by=merge.by)
                return _moved(_with_pull(state, ended), pull.into, event.id)
            case payload:
                raise AssertionError(f"an event that makes no commit: {type(payload).__name__}")

    def _add(self, event: Event, parents: tuple[str, ...], tree: Tree, by: str, message: str) -> None:
        self._commits[event.id] = Commit(event.id, len(self._commits), parents, tree, by, event.time, message)

    def _discussed(self, state: RepositoryState, event: Event) -> RepositoryState:
        match event.payload:
            case GitPullOpen() as new:
                into = new.into or self.default_branch
                head, target = state.branches[new.source], state.branches[into]
                made = PullRequest(
                    new.number, new.title, new.body, new.by, event.time, new.source, into, head=head, target=target
                )
                return _with_pull(state, made)
            case GitPullReview() as review:
                pull = state.pulls[review.number]
                given = Review(event.id, review.by, event.time, review.verdict, review.body)
                return _with_pull(state, replace(pull, reviews=(*pull.reviews, given)))
            case GitPullComment() as comment:
                pull = state.pulls[comment.number]
                said = PullComment(event.id, comment.by, event.time, comment.body, comment.path, comment.line)
                return _with_pull(state, replace(pull, comments=(*pull.comments, said)))
            case GitPullClose() as close:
                pull = state.pulls[close.number]
                return _with_pull(state, replace(pull, state="closed", ended=event.time, ended_by=close.by))
            case payload:
                raise AssertionError(f"no event of a repository: {type(payload).__name__}")


def git_histories(repositories: Iterable[Repository], events: Iterable[Event]) -> dict[str, RepositoryHistory]:
    """Every repository by name, after those of `events` that are Git's; the others are passed over."""
    histories = {repository.name: RepositoryHistory(repository) for repository in repositories}
    for event in events:
        if event.platform == "git":
            histories[repository_of(event)].apply(event)
    return histories


def repository_of(event: Event) -> str:
    """The name of the repository that a Git event is about."""
    assert isinstance(event.payload, GitPart)
    return event.payload.repo


def blobs(write: Mapping[str, Content]) -> dict[str, Blob]:
    """What a commit writes, path -> file. Raises ValueError for a file whose text hasn't been read."""
    return {path: _blob(content) for path, content in write.items()}


def _blob(content: Content) -> Blob:
    if isinstance(content, str):
        return Blob(content, ORDINARY)
    if content.text is None:
        raise ValueError("a file that is taken `from` another must be read first")
    return Blob(content.text, content.mode)


def _moved(state: RepositoryState, branch: str, commit: str) -> RepositoryState:
    """`state` with the branch at `commit`; open pull requests follow."""
    pulls = {
        number: replace(
            pull,
            head=commit if pull.source == branch else pull.head,
            target=commit if pull.into == branch else pull.target,
        )
        if pull.state == "open" and branch in (pull.source, pull.into)
        else pull
        for number, pull in state.pulls.items()
    }
    return replace(state, branches={**state.branches, branch: commit}, pulls=pulls)


def _with_pull(state: RepositoryState, pull: PullRequest) -> RepositoryState:
    return replace(state, pulls={**state.pulls, pull.number: pull})
