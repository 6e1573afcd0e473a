"""The fold of Git's events: trees, merges, refs and pull requests after each event."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.git_graph import Commit, is_ancestor, merge_bases, reachable
from scenarios.git_history import RepositoryHistory, git_histories
from scenarios.git_schema import Repository
from scenarios.git_tree import EMPTY, Blob, Tree, changed, merged
from scenarios.mistake import Mistake
from scenarios.scenario import Event, Scenario
from scenarios.schema import EVENT_KINDS

START = datetime(2025, 10, 1, 9, tzinfo=UTC)
Files = Mapping[str, str]


@pytest.fixture
def history(git: str, load_text: Callable[[str], Scenario]) -> RepositoryHistory:
    scenario = load_text(git)
    return git_histories(scenario.org.git.repositories, scenario.events)["postage"]


def texts(tree: Tree) -> dict[str, str]:
    return {path: blob.text for path, blob in tree.files()}


def tree_of(files: Files) -> Tree:
    return changed(EMPTY, write={path: Blob(text, "100644") for path, text in files.items()})


# ---- a whole repository


def test_commits_have_their_parents_trees_and_messages(history: RepositoryHistory) -> None:
    parents = {commit.id: commit.parents for commit in history.commits.values()}
    assert parents == {
        "root": (),
        "fixed": ("root",),
        "moved": ("root",),
        "merged": ("moved", "fixed"),
        "hotfixed": ("fixed",),
        "changed": ("merged",),
        "joined": ("changed", "hotfixed"),
        "aslip": ("root",),
    }
    root = dict(history.commits["root"].tree.files())
    assert root["run"] == Blob("#!/bin/sh\npython -m src.total\n", "100755")
    assert root["latest"] == Blob("src/total.py", "120000")
    assert root["old/notes.txt"].text == "odd\r\nline ends"
    assert root["src/total.py"].text.startswith("def total(items: list[float])")
    merge = history.commits["merged"]
    assert texts(merge.tree)["src/total.py"].endswith("round(sum(items), 2)\n")
    assert set(texts(merge.tree)) == {"README.md", "docs/notes.txt", "run", "src/total.py"}
    assert (merge.by, merge.message) == ("kim", "Merge pull request #7 from fix/rounding\n\nRound once")
    assert history.commits["joined"].message == "Merge branch 'release'"
    assert texts(history.commits["joined"].tree)["src/total.py"] == "cents = 100\neuros = 1\n"


def test_refs_are_those_of_the_instant(history: RepositoryHistory) -> None:
    assert history.at(history.states[0].time - timedelta(seconds=1)) is None
    at = {state.event: dict(state.branches) for state in history.states}
    assert at["branched"] == {"main": "root", "fix/rounding": "root"}
    assert at["merged"] == {"main": "merged", "fix/rounding": "fixed"}
    assert (at["hotfixed"]["release"], at["undone"]["release"]) == ("hotfixed", "fixed")
    assert at["aslip"]["side"] == "aslip"
    assert "side" not in at["dropped"]
    tagged = next(state for state in history.states if state.event == "tagged")
    assert history.at(tagged.time) == tagged
    assert history.at(tagged.time - timedelta(seconds=1)) == history.states[history.states.index(tagged) - 1]
    assert [(tag.name, tag.commit, tag.message) for tag in tagged.tags.values()] == [("v1.1", "merged", "Rounds once")]


def test_only_what_refs_reach_is_in_the_repository(history: RepositoryHistory) -> None:
    """The deleted branch's commit is gone, the moved one's stays, for a merge holds it."""
    last = history.states[-1]
    reached = [commit.id for commit in history.commits_of(last)]
    assert reached == ["root", "fixed", "moved", "merged", "hotfixed", "changed", "joined"]


def test_pull_requests_follow_their_branches_while_open(history: RepositoryHistory) -> None:
    def pull(event: str, number: int) -> tuple[str, str, str, str | None]:
        found = next(state for state in history.states if state.event == event).pulls[number]
        return found.state, found.head, found.target, found.merge

    assert pull("opened", 7) == ("open", "fixed", "moved", None)
    assert pull("merged", 7) == ("merged", "fixed", "moved", "merged")
    assert pull("dropped", 7) == ("merged", "fixed", "moved", "merged")
    assert pull("rejected", 9) == ("closed", "aslip", "joined", None)
    last = history.states[-1].pulls[7]
    assert [(review.by, review.verdict) for review in last.reviews] == [("kim", "approve")]
    assert [(comment.path, comment.line) for comment in last.comments] == [("src/total.py", 2)]
    assert history.bases(last.target, last.head) == ("root",)


def test_the_state_at_a_time_is_that_of_the_events_before(
    history: RepositoryHistory, git: str, load_text: Callable[[str], Scenario]
) -> None:
    scenario = load_text(git)
    for cut, state in enumerate(history.states, start=1):
        events = [event for event in scenario.events if event.platform == "git"][:cut]
        part = git_histories(scenario.org.git.repositories, events)["postage"]
        assert part.state == state
        assert part.commits_of(state) == history.commits_of(state)


def test_an_open_pull_request_moves_with_both_branches() -> None:
    history = repository(
        ("git.commit", {"message": "a", "write": {"a": "1"}}),
        ("git.branch", {"branch": "side"}),
        ("git.commit", {"message": "b", "branch": "side", "write": {"b": "1"}}),
        ("git.open_pull", {"number": 1, "source": "side", "title": "t"}),
        ("git.commit", {"message": "c", "branch": "side", "write": {"c": "1"}}),
        ("git.commit", {"message": "d", "write": {"d": "1"}}),
    )
    assert history.state is not None
    pull = history.state.pulls[1]
    assert (pull.head, pull.target) == ("e4", "e5")


def repository(*events: tuple[str, dict[str, object]]) -> RepositoryHistory:
    history = RepositoryHistory(Repository(name="app"))
    for index, (kind, payload) in enumerate(events):
        payload = {"repo": "app", "by": "kim", **payload}
        time = START + timedelta(minutes=index)
        history.apply(Event(f"e{index}", time, kind, EVENT_KINDS[kind].model_validate(payload)))
    return history


# ---- trees


def test_a_changed_tree_shares_what_is_untouched() -> None:
    old = tree_of({"a/x": "1", "b/y": "2", "b/c/z": "3"})
    new = changed(old, write={"a/x": Blob("9", "100644")})
    assert new.get("b") is old.get("b")
    assert texts(old)["a/x"] == "1"


def test_renames_happen_at_once_and_before_the_writes() -> None:
    tree = tree_of({"a": "1", "b": "2", "docs/x": "3"})
    new = changed(tree, rename={"a": "b", "b": "a", "docs": "doc/old"}, write={"b": Blob("new", "100644")})
    assert texts(new) == {"a": "2", "b": "new", "doc/old/x": "3"}
    with pytest.raises(Mistake, match="lies in what is renamed too"):
        changed(tree, rename={"docs": "d", "docs/x": "y"}, write={})


def test_empty_folders_go_with_their_last_file() -> None:
    tree = changed(tree_of({"a/b/c": "1", "d": "2"}), delete=["a/b/c"], write={})
    assert tree == tree_of({"d": "2"})
    assert changed(tree, delete=["d"], write={}) == EMPTY


PATHS = ["a", "b", "c/d", "c/e", "c/f/g"]
FILES = st.dictionaries(st.sampled_from(PATHS), st.sampled_from("123"), max_size=5)


@settings(deadline=None, max_examples=200)
@given(FILES, FILES, FILES)
def test_a_merge_is_that_of_each_path(base: Files, ours: Files, theirs: Files) -> None:
    tree, conflicts = merged(tree_of(base), tree_of(ours), tree_of(theirs))
    expected: dict[str, str] = {}
    wrong = []
    for path in PATHS:
        before, one, other = (side.get(path) for side in (base, ours, theirs))
        if one != other and before not in (one, other):
            wrong.append(path)
            kept = other if one is None else one
        else:
            kept = one if before == other else other
        if kept is not None:
            expected[path] = kept
    assert (texts(tree), list(conflicts)) == (expected, wrong)


def test_a_file_against_a_folder_is_one_conflict() -> None:
    base, ours, theirs = tree_of({"a": "1"}), tree_of({"a/b": "1"}), tree_of({"a": "2"})
    assert merged(base, ours, theirs) == (ours, ("a",))
    assert merged(base, theirs, ours) == (theirs, ("a",))


# ---- descent


def graph(parents: Iterable[tuple[int, ...]]) -> dict[str, Commit]:
    return {
        str(place): Commit(str(place), place, tuple(map(str, above)), EMPTY, "kim", START, "m")
        for place, above in enumerate(parents)
    }


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Commit]:
    size = draw(st.integers(1, 9))
    above = [st.lists(st.integers(0, place - 1), min_size=1, max_size=2, unique=True) for place in range(1, size)]
    return graph([(), *(tuple(draw(parents)) for parents in above)])


@settings(deadline=None, max_examples=100)
@given(graphs())
def test_merge_bases_are_the_best_common_ancestors(commits: dict[str, Commit]) -> None:
    before = {commit: {other.id for other in reachable(commits, [commit])} for commit in commits}
    for one, other in itertools.product(commits, commits):
        common = before[one] & before[other]
        best = {commit for commit in common if not any(commit in before[x] for x in common - {commit})}
        found = merge_bases(commits, one, other)
        assert set(found) == best
        assert list(found) == sorted(found, key=lambda commit: -commits[commit].place)
        assert is_ancestor(commits, one, other) == (one in before[other])


def test_a_long_history_is_cheap_to_hold() -> None:
    """A commit that changes one of 400 files in 20 folders makes two folders anew."""
    files = {f"d{folder}/f{file}": "x" for folder in range(20) for file in range(20)}
    events: list[tuple[str, dict[str, object]]] = [("git.commit", {"message": "m", "write": files})]
    events += [("git.commit", {"message": "m", "write": {f"d{n % 20}/f1": str(n)}}) for n in range(300)]
    history = repository(*events)
    folders = {
        id(folder) for commit in history.commits.values() for folder in (commit.tree, *commit.tree.entries.values())
    }
    assert len(folders) == 21 + 2 * 300
