"""Reading the agent's own directory: what the scenario's events put there, as of now, unchanged."""

from datetime import datetime
from typing import Any

import pytest

from scenarios.scenario import Event
from servers.files.text import MOST_CHARACTERS
from small_company import answer, event, refusal, tools_at, with_events

T1, T2, T3 = "2025-05-01T09:00", "2025-05-01T10:00", "2025-05-01T11:00"
LATE = "2025-05-02T00:00"


def write(path: str, text: str, time: str = T1, mode: str = "100644") -> Event:
    return event(f"w-{time}-{path}", time, "files.write", path=path, text=text, mode=mode)


def gone(path: str, time: str) -> Event:
    return event(f"d-{time}-{path}", time, "files.delete", path=path)


async def told(events: list[Event], tool: str, time: str = LATE, **arguments: Any) -> Any:
    return await answer(tools_at(time, with_events(*events)), tool, **arguments)


async def refused(events: list[Event], tool: str, **arguments: Any) -> Any:
    return await refusal(tools_at(LATE, with_events(*events)), tool, **arguments)


async def test_a_file_appears_changes_and_disappears() -> None:
    events = [write("notes/a.txt", "one\n", T1), write("notes/a.txt", "two\n", T2), gone("notes/a.txt", T3)]
    assert (await refused([], "read_file", path="notes/a.txt"))["error"] == "path_not_found"
    assert (await told(events, "read_file", T1, path="notes/a.txt"))["content"] == "one\n"
    assert (await told(events, "read_file", T2, path="notes/a.txt"))["content"] == "two\n"
    listed = await told(events, "list_directory", T3, path="notes")
    assert listed["entries"] == []
    assert listed["note"] == "nothing there as of 2025-05-01T11:00:00Z"


async def test_a_machine_that_is_used_all_along_ends_as_one_that_is_used_late() -> None:
    events = [write("a/x", "1\n", T1), write("b", "2\n", T1), write("a", "now a file\n", T2), gone("b", T3)]
    company = with_events(*events)
    along = tools_at(T1, company)
    clock: Any = along._clock
    for time in (T1, T2, T3, LATE):
        clock.advance(datetime.fromisoformat(f"{time}:00+00:00"))
        seen = [await answer(along, "list_directory"), await along.call("read_file", {"path": "a"})]
        late = tools_at(time, company)
        assert seen == [await answer(late, "list_directory"), await late.call("read_file", {"path": "a"})], time


async def test_a_directory_lists_names_types_sizes_and_simulated_times() -> None:
    events = [
        write("run.sh", "#!/bin/sh\n", T2, "100755"),
        write("docs/plan.md", "Grüße\r\n", T1),
        write("latest", "docs/plan.md", T3, "120000"),
    ]
    assert await told(events, "list_directory") == {
        "path": ".",
        "entries": [
            {"name": "docs", "type": "directory", "size": None, "modified": "2025-05-01T09:00:00Z"},
            {"name": "latest", "type": "link", "size": None, "modified": "2025-05-01T11:00:00Z"},
            {"name": "run.sh", "type": "file", "size": 10, "modified": "2025-05-01T10:00:00Z"},
        ],
        "has_more": False,
        "next_after_name": None,
    }
    assert (await told(events, "list_directory", path="docs"))["entries"][0]["size"] == 9


async def test_a_long_directory_comes_in_pages() -> None:
    events = [write(f"d/{number:03}", "") for number in range(7)]
    tools = tools_at(LATE, with_events(*events))
    names: list[str] = []
    after = None
    while True:
        page = await answer(tools, "list_directory", path="d", limit=3, after_name=after)
        names += [entry["name"] for entry in page["entries"]]
        after = page["next_after_name"]
        if not page["has_more"]:
            break
    assert names == [f"{number:03}" for number in range(7)]
    assert (await refusal(tools, "list_directory", limit=0))["error"] == "invalid_limit"


@pytest.mark.parametrize(
    "text", ["\ufeffbyte order mark\r\nand\rodd\r\n\r\nends", "no end", "\n", "", "tab\tand \u2028 and \x0b\x85"]
)
async def test_the_bytes_of_a_file_are_kept_as_they_are(text: str) -> None:
    read = await told([write("f", text)], "read_file", path="f")
    assert read["content"] == text
    assert read["total_lines"] == text.count("\n") + (not text.endswith("\n") and text != "")
    assert not read["truncated"]


async def test_a_long_file_comes_in_pages_of_whole_lines() -> None:
    text = "".join(f"line {number}\r\n" for number in range(5000)) + "last"
    tools = tools_at(LATE, with_events(write("long.txt", text)))
    page: Any = {"next_offset": 0, "truncated": True}
    parts = []
    while page["truncated"]:
        offset = page["next_offset"]
        page = await answer(tools, "read_file", path="long.txt", offset=offset)
        assert page["start_line"] == offset + 1
        parts.append(page["content"])
    assert page["next_offset"] is None
    assert ("".join(parts), len(parts)) == (text, 3)
    beyond = await answer(tools, "read_file", path="long.txt", offset=9999)
    assert (beyond["content"], beyond["truncated"]) == ("", False)
    for arguments in ({"offset": -1}, {"limit": 0}):
        assert (await refusal(tools, "read_file", path="long.txt", **arguments))["error"].startswith("invalid_")


async def test_long_lines_end_a_page_early_and_one_that_no_page_holds_is_refused() -> None:
    half = "x" * (MOST_CHARACTERS // 2 + 1) + "\n"
    page = await told([write("wide", half * 3)], "read_file", path="wide")
    assert (page["content"], page["next_offset"]) == (half, 1)
    assert (await refused([write("wider", half[:-1] * 2)], "read_file", path="wider"))["error"] == "too_large"


async def test_what_is_no_text_or_no_file_is_refused() -> None:
    tools = tools_at(LATE, with_events(write("d/f", "text\n")))
    assert (await refusal(tools, "read_file", path="d"))["error"] == "invalid_arguments"
    assert (await refusal(tools, "list_directory", path="d/f"))["error"] == "invalid_arguments"
    assert (await refusal(tools, "read_file", path="d/f/g"))["error"] == "path_not_found"
    near = await refusal(tools, "read_file", path="d/ff")
    assert near["candidates"] == ["d/f"]


async def test_a_search_names_file_line_and_text() -> None:
    events = [
        write("b.md", "Launch\r\nlaunch day\r\n"),
        write("a/deep/c.py", "# launch\nx = 1\n"),
        write("a/z.md", "nothing\n"),
        write("link.md", "b.md", mode="120000"),
    ]
    found = await told(events, "search_file", pattern="(?i)launch")
    assert [(match["path"], match["line"], match["text"]) for match in found["matches"]] == [
        ("a/deep/c.py", 1, "# launch"),
        ("b.md", 1, "Launch"),
        ("b.md", 2, "launch day"),
    ]
    assert not found["truncated"]

    async def paths(**arguments: str) -> list[str]:
        matches = (await told(events, "search_file", pattern="(?i)launch", **arguments))["matches"]
        return sorted({match["path"] for match in matches})

    assert await paths(include="*.py") == ["a/deep/c.py"]
    assert await paths(include="a/*") == ["a/deep/c.py"]
    assert await paths(path="a", include="deep/*.py") == ["a/deep/c.py"]
    assert await paths(path="b.md") == ["b.md"]
    assert await paths(path="link.md") == ["b.md"]
    nothing = await told(events, "search_file", pattern="xyz")
    assert nothing["note"] == "no line of the files searched matches as of 2025-05-02T00:00:00Z"


async def test_a_search_stops_at_the_number_asked_for_and_says_so() -> None:
    events = [write("f", "hit\n" * 5)]
    assert (await told(events, "search_file", pattern="hit", max_results=5))["truncated"] is False
    cut = await told(events, "search_file", pattern="hit", max_results=4)
    assert (len(cut["matches"]), cut["truncated"]) == (4, True)
    assert (await told(events, "search_file", pattern="hit", max_results=9999))["limit_applied"] == 200
    assert (await refused(events, "search_file", pattern="hit", max_results=0))["error"] == "invalid_limit"


@pytest.mark.parametrize("pattern", ["(", "[a-z", r"(a)\1", "(?=a)", "", "x" * 501, r"(\w{100}){9}"])
async def test_a_pattern_that_the_search_does_not_take_is_refused(pattern: str) -> None:
    error = await refused([write("f", "a\n")], "search_file", pattern=pattern)
    assert error["error"] == "invalid_arguments"
    assert "pydantic" not in str(error)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*a){25}b", "(a?){30}a{30}b", "(a{30}){30}b"])
async def test_no_pattern_hangs_the_search(pattern: str) -> None:
    """Patterns on which a backtracking engine needs more than the age of the universe."""
    found = await told([write("f", "a" * 20_000 + "!\n")], "search_file", pattern=pattern)
    assert found["matches"] == []
