"""Slack's reading tools at an instant: who sees what, threads, edits, deletions, names, pages."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.scenario import Event
from servers.gateway import Gateway
from small_company import END, answer, event, refusal, small_company, tools_at, with_events


async def messages(tools: Gateway, channel: str, **arguments: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await answer(tools, "get_channel_messages", channel=channel, **arguments))[
        "messages"
    ]
    return found


def post(name: str, time: str, text: str, **more: Any) -> Event:
    return event(name, time, "slack.message", **{"sender": "bo.lin", "channel": "search", "text": text} | more)


async def test_a_message_in_full() -> None:
    first, second = await messages(tools_at("2025-05-01T09:00"), "search")
    assert first == {
        "id": "1746090000.000100",
        "ts": "1746090000.000100",
        "time": "2025-05-01T09:00:00Z",
        "user": "bo.lin",
        "user_id": "U4MHG6J9K3",
        "text": "c01x Launch Monday, @kim and @channel.",
        "mentions": ["kim", "channel"],
        "reply_to": None,
        "reactions": [],
        "edited": False,
    }
    assert (second["id"], second["reply_to"]) == ("1746090000.000101", first["id"])


async def test_nothing_exists_before_its_instant() -> None:
    page = await answer(tools_at("2025-05-01T08:59:59"), "get_channel_messages", channel="search")
    assert page == {
        "channel": "search",
        "messages": [],
        "has_more": False,
        "next_after_id": None,
        "note": "no messages in #search as of 2025-05-01T08:59:59Z",
    }


async def test_an_edited_message_shows_its_current_text_only() -> None:
    first, _ = await messages(tools_at("2025-05-02T10:00"), "search")
    assert (first["text"], first["mentions"], first["edited"]) == ("c09x Launch Tuesday, @bo.lin.", ["bo.lin"], True)


async def test_reactions_are_counted_in_the_order_first_seen() -> None:
    first, _ = await messages(tools_at("2025-05-02T10:00"), "search")
    assert first["reactions"] == [{"name": "c08x", "count": 2}, {"name": "eyes", "count": 1}]


async def test_a_deleted_message_with_replies_leaves_a_mark_and_nothing_of_itself() -> None:
    first, second = await messages(tools_at("2025-05-04T09:00"), "search")
    assert (first["text"], first["mentions"], first["reactions"], first["edited"]) == ("[deleted]", [], [], False)
    assert second["reply_to"] == first["id"]


async def test_the_mark_goes_with_the_last_reply() -> None:
    events = (
        post("a", "2025-05-01T09:00", "Root"),
        post("b", "2025-05-01T09:01", "Reply", thread="a"),
        event("c", "2025-05-01T09:02", "slack.delete", message="a"),
        event("d", "2025-05-01T09:03", "slack.delete", message="b"),
    )
    assert await messages(tools_at(END, with_events(*events)), "search") == []
    swapped = (*events[:2], event("c", "2025-05-01T09:02", "slack.delete", message="b"), events[3])
    root_only = with_events(*swapped[:3])
    assert [m["text"] for m in await messages(tools_at(END, root_only), "search")] == ["Root"]


async def test_a_deleted_message_without_replies_vanishes() -> None:
    assert len(await messages(tools_at("2025-05-04T09:29"), "c10x-launch")) == 1
    assert await messages(tools_at("2025-05-04T09:30"), "c10x-launch") == []


async def test_direct_messages_are_the_viewers_own() -> None:
    tools = tools_at(END)
    with_kim = await answer(tools, "get_direct_messages", with_user="kim@birch.example")
    assert [m["text"] for m in with_kim["messages"]] == ["c06x Between us"]
    with_bo = await answer(tools, "get_direct_messages", with_user="@bo.lin")
    assert [(m["text"], m.get("offline")) for m in with_bo["messages"]] == [("c07x When you are back", True)]
    assert "offline" not in with_kim["messages"][0]
    empty = await answer(tools, "get_direct_messages", with_user="kimr")
    assert empty["note"] == "no messages in your direct messages with @kimr as of 2025-05-09T00:00:00Z"


async def test_a_private_channel_does_not_exist_for_others() -> None:
    tools = tools_at(END)
    unknown = await refusal(tools, "get_channel_messages", channel="boarx")
    private = await refusal(tools, "get_channel_messages", channel="board")
    assert private["message"].replace("board", "boarx") == unknown["message"]
    assert private["error"] == unknown["error"] == "channel_not_found"
    assert "board" not in str(unknown)
    assert "board" not in [c["name"] for c in (await answer(tools, "list_channels"))["channels"]]
    member = tools_at(END, with_events(*small_company().events, viewer="kimr"))
    assert [m["text"] for m in await messages(member, "board")] == ["hidden board message"]


async def test_a_public_channel_of_others_is_listed_but_not_read() -> None:
    tools = tools_at(END)
    assert (await refusal(tools, "get_channel_messages", channel="#sales"))["error"] == "not_in_channel"
    sales = next(c for c in (await answer(tools, "list_channels"))["channels"] if c["name"] == "sales")
    assert (sales["is_member"], sales["num_members"]) == (False, 1)


async def test_members_come_and_go() -> None:
    kim = with_events(*small_company().events, viewer="kim")
    for time, members, listed in (
        ("2025-05-03T09:04", 2, False),
        ("2025-05-03T09:05", 3, True),
        ("2025-05-03T09:10", 2, False),
    ):
        channels = (await answer(tools_at(time, kim), "list_channels"))["channels"]
        found = next(c for c in channels if c["name"] == "c10x-launch")
        assert (found["num_members"], found["is_member"]) == (members, listed)


@pytest.mark.parametrize("spelling", ["c13x-find", "#c13x-find", "C13X-Find", " #c13x-find ", "search", "#search"])
async def test_a_channel_is_found_by_its_names(spelling: str) -> None:
    page = await answer(tools_at(END), "get_channel_messages", channel=spelling)
    assert page["channel"] == "c13x-find"
    assert len(page["messages"]) == 3


async def test_a_channel_is_found_by_its_id_which_renaming_keeps() -> None:
    before = {c["name"]: c["id"] for c in (await answer(tools_at("2025-05-04T00:00"), "list_channels"))["channels"]}
    after = {c["name"]: c["id"] for c in (await answer(tools_at(END), "list_channels"))["channels"]}
    assert before["search"] == after["c13x-find"]
    assert (await answer(tools_at(END), "get_channel_messages", channel=before["search"]))["channel"] == "c13x-find"


async def test_the_new_name_is_unknown_before_the_renaming() -> None:
    told = await refusal(tools_at("2025-05-04T00:00"), "get_channel_messages", channel="c13x-find")
    assert told["error"] == "channel_not_found"


async def test_an_archived_channel_stays_readable_and_says_so() -> None:
    tools = tools_at(END)
    channels = {c["name"]: c for c in (await answer(tools, "list_channels"))["channels"]}
    assert channels["c10x-launch"]["is_archived"] is True
    assert "is_archived" not in channels["general"]
    assert await messages(tools, "c10x-launch") == []


async def test_channels_show_topic_and_purpose_as_of_now() -> None:
    def topics(page: Any) -> dict[str, str]:
        return {c["name"]: c["topic"] for c in page["channels"]}

    assert topics(await answer(tools_at("2025-05-03T09:59"), "list_channels"))["search"] == ""
    assert topics(await answer(tools_at("2025-05-03T10:00"), "list_channels"))["search"] == "c12x Finding things"


async def test_users_in_full() -> None:
    users = (await answer(tools_at(END), "list_users"))["users"]
    assert [user["username"] for user in users] == ["ada", "bo.lin", "kim", "kimr"]
    assert users[0] == {
        "id": "UBPADH2X5D",
        "username": "ada",
        "name": "Ada Moss",
        "email": "ada@birch.example",
        "title": "Assistant",
        "team": "Engineering",
        "is_admin": False,
        "timezone": "Europe/Berlin",
    }
    assert users[2]["timezone"] == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@kim.", ["kim"]),
        ("(@bo.lin)", ["bo.lin"]),
        ("@bo.lin... and @kim", ["bo.lin", "kim"]),
        ("@KIM", ["kim"]),
        ("@kim @kim", ["kim"]),
        ("@here @everyone", ["here", "everyone"]),
        ("bo@kim.example", []),
        ("@nobody @", []),
        ("@kimr's", ["kimr"]),
    ],
)
async def test_mentions(text: str, found: list[str]) -> None:
    only = with_events(post("a", "2025-05-01T09:00", text))
    assert (await messages(tools_at(END, only), "search"))[0]["mentions"] == found


# ---- pages


CROWD = with_events(
    *(post(f"m{n}", f"2025-05-01T09:00:{n // 4:02d}", f"n{n}") for n in range(230)),
)


async def pages(limit: int) -> list[str]:
    """Every text of the channel, read page by page."""
    tools, texts, after = tools_at(END, CROWD), [], None
    while True:
        page = await answer(tools, "get_channel_messages", channel="search", limit=limit, after_id=after)
        assert len(page["messages"]) <= limit
        texts += [m["text"] for m in page["messages"]]
        after = page["next_after_id"]
        assert page["has_more"] == (after is not None)
        if after is None:
            return texts


@given(st.integers(1, 250))
@settings(deadline=None, max_examples=15)
async def test_pages_of_any_size_give_everything_once_in_order(limit: int) -> None:
    assert await pages(limit) == [f"n{n}" for n in range(230)]


async def test_a_limit_above_the_most_is_cut_and_said() -> None:
    tools = tools_at(END, CROWD)
    page = await answer(tools, "get_channel_messages", channel="search", limit="500")
    assert (page["limit_applied"], len(page["messages"])) == (200, 200)
    assert "limit_applied" not in await answer(tools, "get_channel_messages", channel="search", limit=200)


@pytest.mark.parametrize("limit", [0, -1, "0"])
async def test_a_limit_below_one_is_refused(limit: object) -> None:
    assert (await refusal(tools_at(END), "get_channel_messages", channel="search", limit=limit))[
        "error"
    ] == "invalid_limit"


@pytest.mark.parametrize("after", ["", "x", "1746090000.000999", "1.1", "17460900000000000000000.1", "1746090000"])
async def test_an_unknown_bound_is_refused(after: str) -> None:
    told = await refusal(tools_at(END), "get_channel_messages", channel="search", after_id=after)
    assert told["error"] == "message_not_found"


async def test_the_page_after_the_last_message_says_what_was_searched() -> None:
    tools = tools_at(END)
    last = (await messages(tools, "search"))[-1]["id"]
    page = await answer(tools, "get_channel_messages", channel="search", after_id=last)
    assert page["note"] == f"no messages in #c13x-find after {last} as of 2025-05-09T00:00:00Z"
