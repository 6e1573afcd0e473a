"""Git's tools: the company's repositories as of now, clones that stay as they are, and reading these."""

from collections.abc import Sequence
from typing import Any

import pytest

from git_company import commit, git_company, git_event
from scenarios.scenario import Event
from servers.gateway import Gateway
from small_company import answer, event, instant, refusal, tools_at

FILES = {"README.md": "One\r\n", "src/a.py": "a = 1\n"}
BASE = (
    commit("begin", "2025-05-01T09:00", message="Begin\n\nWith a body", write=FILES),
    git_event("branch", "2025-05-01T10:00", branch="topic"),
    commit("work", "2025-05-01T11:00", by="bo.lin", branch="topic", message="Work", write={"src/a.py": "a = 2\n"}),
    git_event("tag", "2025-05-01T12:00", tag="v1", message="Release 1", target="begin"),
    git_event("open_pull", "2025-05-01T13:00", number=7, source="topic", title="Two", body="See ENG-1"),
    git_event("review_pull", "2025-05-01T14:00", number=7, by="bo.lin", verdict="approve", body="Fine"),
    git_event("comment_pull", "2025-05-01T15:00", number=7, body="Why?", path="src/a.py", line=1),
    git_event("merge_pull", "2025-05-02T09:00", number=7),
    git_event("delete_branch", "2025-05-02T10:00", branch="topic"),
    commit("tidy", "2025-05-02T11:00", message="Tidy", rename={"README.md": "docs/README.md"}, delete=["src/a.py"]),
)  # fmt: skip
END = "2025-05-03T00:00"


def tools(time: str = END, *, events: Sequence[Event] = BASE) -> Gateway:
    return tools_at(time, git_company(*events))


def later(gateway: Gateway, time: str) -> None:
    """Moves the gateway's clock on."""
    clock: Any = gateway._clock
    clock.advance(instant(time))


async def cloned(time: str = END, **arguments: Any) -> Gateway:
    gateway = tools(time)
    await answer(gateway, "clone_repository", repository="app", **arguments)
    return gateway


async def subjects(gateway: Gateway, **arguments: Any) -> list[str]:
    log = await answer(gateway, "git_log", repository="app", **arguments)
    return [commit["subject"] for commit in log["commits"]]


async def test_the_list_shows_each_repository_as_it_stands() -> None:
    (before,) = (await answer(tools("2025-05-01T08:00"), "list_remote_git_repositories"))["repositories"]
    assert before == {
        "name": "app",
        "description": "What customers see",
        "clone_url": "https://git.birch-sons.example/app.git",
        "default_branch": "main",
        "head": None,
        "commit_count": 0,
        "branches": [],
    }
    (during,) = (await answer(tools("2025-05-01T11:00"), "list_remote_git_repositories"))["repositories"]
    assert (during["commit_count"], during["branches"]) == (1, ["main", "topic"])
    (after,) = (await answer(tools(), "list_remote_git_repositories"))["repositories"]
    assert (after["commit_count"], after["branches"]) == (4, ["main"])
    head = after["head"]
    assert (head["author"], head["time"], head["subject"], len(head["sha"])) == (
        "Kim Roe <kim@birch.example>", "2025-05-02T11:00:00Z", "Tidy", 40,
    )  # fmt: skip


@pytest.mark.parametrize("spelling", ["app", "APP", " app ", "app.git", "https://git.birch-sons.example/app.git"])
async def test_a_repository_is_named_by_name_or_url(spelling: str) -> None:
    assert (await answer(tools(), "clone_repository", repository=spelling))["repository"] == "app"


async def test_a_clone_is_a_working_copy_in_the_agents_directory() -> None:
    gateway = tools("2025-05-01T12:00")
    made = await answer(gateway, "clone_repository", repository="app")
    assert (made["directory"], made["ref"], made["fetched"], made["changed_files"]) == ("app", "main", False, 2)
    assert (made["branches"], made["tags"]) == (["main", "topic"], ["v1"])
    assert (await answer(gateway, "read_file", path="app/README.md"))["content"] == "One\r\n"
    listed = await answer(gateway, "list_directory", path="app")
    assert [entry["name"] for entry in listed["entries"]] == ["README.md", "src"]
    assert {entry["modified"] for entry in listed["entries"]} == {"2025-05-01T12:00:00Z"}
    other = await answer(gateway, "clone_repository", repository="app", directory="deep/er", ref="topic")
    assert (other["directory"], other["ref"]) == ("deep/er", "topic")
    assert (await answer(gateway, "read_file", path="deep/er/src/a.py"))["content"] == "a = 2\n"


async def test_a_clone_stays_as_it_was_until_it_is_cloned_again() -> None:
    gateway = await cloned("2025-05-01T12:00")
    later(gateway, END)
    assert await subjects(gateway) == ["Begin"]
    assert (await answer(gateway, "git_log", repository="app"))["as_of"] == "2025-05-01T12:00:00Z"
    assert (await answer(gateway, "read_file", path="app/README.md"))["content"] == "One\r\n"
    again = await answer(gateway, "clone_repository", repository="app")
    assert (again["fetched"], again["changed_files"], again["branches"]) == (True, 3, ["main"])
    assert "fetched over the clone of 2025-05-01T12:00:00Z" in again["note"]
    assert await subjects(gateway) == ["Tidy", "Merge pull request #7 from topic", "Work", "Begin"]
    listed = await answer(gateway, "list_directory", path="app")
    assert [entry["name"] for entry in listed["entries"]] == ["docs"], "git leaves no empty directory"


async def test_a_fetch_touches_only_what_changed() -> None:
    local = event("local", "2025-05-01T13:00", "files.write", path="app/src/local.env", text="mine\n")
    gateway = tools("2025-05-01T12:00", events=(*BASE, local))
    await answer(gateway, "clone_repository", repository="app")
    later(gateway, "2025-05-01T23:00")
    again = await answer(gateway, "clone_repository", repository="app")
    assert again["changed_files"] == 0
    (entry,) = (await answer(gateway, "list_directory", path="app", limit=1))["entries"]
    assert entry["modified"] == "2025-05-01T12:00:00Z"
    later(gateway, END)
    await answer(gateway, "clone_repository", repository="app")
    assert (await answer(gateway, "read_file", path="app/src/local.env"))["content"] == "mine\n"


async def test_where_a_clone_can_go() -> None:
    blocking = event("f", "2025-05-01T09:00", "files.write", path="taken/file", text="x")
    gateway = tools(events=(*BASE, blocking))
    assert (await refusal(gateway, "clone_repository", repository="app", directory="taken"))["error"] == "name_taken"
    assert (await refusal(gateway, "clone_repository", repository="app", directory="taken/file"))[
        "error"
    ] == "name_taken"
    assert (await refusal(gateway, "clone_repository", repository="app", directory="taken/file/x"))["error"] == (
        "path_not_found"
    )
    assert (await refusal(gateway, "clone_repository", repository="app", directory="."))["error"] == "invalid_arguments"
    assert (await refusal(gateway, "clone_repository", repository="app", directory="x" * 256))["error"] == (
        "invalid_arguments"
    )
    assert (await refusal(gateway, "clone_repository", repository="nothing"))["error"] == "repo_not_found"
    for number in range(32):
        await answer(gateway, "clone_repository", repository="app", directory=f"c{number}")
    assert (await refusal(gateway, "clone_repository", repository="app", directory="more"))["error"] == "too_large"
    ambiguous = await refusal(gateway, "git_log", repository="app")
    assert ambiguous["error"] == "ambiguous_name"
    assert "c31" in ambiguous["candidates"]
    assert len((await answer(gateway, "git_log", repository="./c31/"))["commits"]) == 4


async def test_reading_needs_a_clone() -> None:
    error = await refusal(tools(), "git_log", repository="app")
    assert (error["error"], error["hint"]) == ("not_cloned", "call clone_repository with app first")
    assert (await refusal(tools(), "git_log", repository="nothing"))["error"] == "repo_not_found"


async def test_an_empty_repository_can_be_cloned_and_has_no_log() -> None:
    gateway = tools("2025-05-01T08:00")
    made = await answer(gateway, "clone_repository", repository="app")
    assert (made["head"], made["changed_files"]) == (None, 0)
    assert (await answer(gateway, "list_directory", path="app"))["entries"] == []
    assert (await answer(gateway, "git_log", repository="app"))["commits"] == []
    assert (await refusal(gateway, "git_show", repository="app"))["error"] == "ref_not_found"
    assert (await refusal(gateway, "git_log", repository="app", ref="main"))["error"] == "ref_not_found"
    later(gateway, END)
    assert (await answer(gateway, "clone_repository", repository="app"))["changed_files"] == 1


async def test_a_log_is_filtered_and_paged() -> None:
    gateway = await cloned()
    first = (await answer(gateway, "git_log", repository="app", ref="v1"))["commits"][0]
    assert first["time"] == "2025-05-01T09:00:00Z", "made at 18:00 in Tokyo"
    assert await subjects(gateway, path="src/a.py") == ["Tidy", "Work", "Begin"]
    assert await subjects(gateway, path="src") == ["Tidy", "Work", "Begin"]
    assert await subjects(gateway, author="bo@birch") == ["Work"]
    assert await subjects(gateway, author="KIM ROE") == ["Tidy", "Merge pull request #7 from topic", "Begin"]
    assert await subjects(gateway, since="2025-05-02") == ["Tidy", "Merge pull request #7 from topic"]
    assert await subjects(gateway, until="2025-05-01T11:00:00Z") == ["Begin"]
    assert await subjects(gateway, ref="v1") == ["Begin"]
    assert await subjects(gateway, ref="HEAD~1^2") == ["Work", "Begin"]
    nothing = await answer(gateway, "git_log", repository="app", author="nobody")
    assert nothing["note"] == "no such commit in the clone, which is as of 2025-05-03T00:00:00Z"
    seen: list[str] = []
    page: Any = {"next_after_id": None, "has_more": True}
    while page["has_more"]:
        page = await answer(gateway, "git_log", repository="app", limit=1, after_id=page["next_after_id"])
        seen += [commit["subject"] for commit in page["commits"]]
    assert seen == await subjects(gateway)
    assert (await refusal(gateway, "git_log", repository="app", after_id="0" * 40))["error"] == "ref_not_found"
    assert (await refusal(gateway, "git_log", repository="app", since="soon"))["error"] == "invalid_date"


async def test_a_commit_is_shown_with_message_and_patch() -> None:
    gateway = await cloned()
    shown = await answer(gateway, "git_show", repository="app", ref="HEAD~1^2")
    assert shown["commit"]["message"] == "Work"
    assert shown["commit"]["author"] == "Bo Lin <bo@birch.example>"
    assert "-a = 1\n+a = 2\n" in shown["content"]
    root = await answer(gateway, "git_show", repository="app", ref="v1")
    assert root["commit"]["message"] == "Begin\n\nWith a body"
    assert root["commit"]["parents"] == []
    assert root["tag"] == {
        "name": "v1", "author": "Kim Roe <kim@birch.example>", "time": "2025-05-01T12:00:00Z", "message": "Release 1",
    }  # fmt: skip
    merge = await answer(gateway, "git_show", repository="app", ref="HEAD~1")
    assert len(merge["commit"]["parents"]) == 2
    assert "+a = 2" in merge["content"], "against its first parent"
    moved = await answer(gateway, "git_show", repository="app")
    assert "rename from README.md\nrename to docs/README.md" in moved["content"]


async def test_a_file_or_a_directory_is_shown_as_it_was() -> None:
    gateway = await cloned()
    show = {"repository": "app", "ref": "v1"}
    assert (await answer(gateway, "git_show", **show, path="README.md"))["content"] == "One\r\n"
    assert (await answer(gateway, "git_show", **show, path="./src/"))["content"] == "a.py\n"
    assert (await refusal(gateway, "git_show", **show, path="docs/README.md"))["error"] == "path_not_found"


async def test_patches_come_in_pages() -> None:
    gateway = await cloned()
    whole = await answer(gateway, "git_diff", repository="app", base="v1", target="HEAD")
    assert "deleted file mode 100644" in whole["content"]
    parts = []
    for offset in range(whole["total_lines"]):
        page = await answer(gateway, "git_diff", repository="app", base="v1", target="HEAD", offset=offset, limit=1)
        parts.append(page["content"])
        assert page["truncated"] == (offset + 1 < whole["total_lines"])
    assert "".join(parts) == whole["content"]
    only = await answer(gateway, "git_diff", repository="app", base="v1", target="HEAD~1", path="src")
    assert only["content"].count("diff --git") == 1
    same = await answer(gateway, "git_diff", repository="app", base="HEAD", target="main")
    assert (same["content"], same["note"]) == ("", "no difference")


async def test_a_pull_request_as_it_stands_at_each_time() -> None:
    assert (await answer(tools("2025-05-01T12:00"), "list_pull_requests", repository="app"))["pull_requests"] == []
    assert (await refusal(tools("2025-05-01T12:00"), "get_pull_request", repository="app", number=7))["error"] == (
        "pull_request_not_found"
    )
    opened = await answer(tools("2025-05-01T14:00"), "get_pull_request", repository="app", number=7)
    assert opened["pull_request"] == {
        "number": 7, "title": "Two", "state": "open", "author": "kim", "source": "topic", "into": "main",
        "opened_at": "2025-05-01T13:00:00Z", "ended_at": None,
    }  # fmt: skip
    assert (opened["body"], opened["merge"], opened["comments"]) == ("See ENG-1", None, [])
    assert [(each["author"], each["verdict"]) for each in opened["reviews"]] == [("bo.lin", "approve")]
    merged = await answer(tools(), "get_pull_request", repository="app", number=7)
    assert merged["pull_request"]["state"] == "merged"
    assert merged["comments"][0]["path"] == "src/a.py"
    assert "-a = 1\n+a = 2\n" in merged["content"] == opened["content"]
    listed = await answer(tools(), "list_pull_requests", repository="app", state="Open")
    assert listed["note"] == "no such pull requests as of 2025-05-03T00:00:00Z"
    assert (await refusal(tools(), "list_pull_requests", repository="app", state="new"))["error"] == "invalid_arguments"


async def test_what_was_pushed_away_is_in_no_clone() -> None:
    """As with git: the hash of a commit that no ref leads to any more names nothing in a fresh clone."""
    away = (*BASE[:1], commit("slip", "2025-05-01T10:00", message="Slip", write={"s": ""}),
            git_event("force_push", "2025-05-01T12:00", branch="main", to="begin"))  # fmt: skip
    early = tools("2025-05-01T11:00", events=away)
    sha = (await answer(early, "clone_repository", repository="app"))["head"]["sha"]
    late = tools(events=away)
    await answer(late, "clone_repository", repository="app")
    assert (await refusal(late, "git_show", repository="app", ref=sha))["error"] == "ref_not_found"
    later(early, END)
    assert (await answer(early, "git_show", repository="app", ref=sha))["commit"]["message"] == "Slip"
