"""The inbox: who is told of what, as it stands now, page by page."""

from typing import Any

import pytest

from scenarios.scenario import Event, Scenario
from scenarios.schema import SlackRenameChannel
from small_company import answer, event, instant, refusal, small_company, tools_at, with_events

LATE = "2025-05-09T00:00"


def message(text: str, time: str = "2025-05-01T10:00", **payload: Any) -> Event:
    given = {"sender": "bo.lin", "text": text, **({} if "dm" in payload else {"channel": "general"}), **payload}
    return event(f"m-{time.replace(':', '').lower()}", time, "slack.message", **given)


def ticket(time: str = "2025-05-01T10:00", **payload: Any) -> Event:
    return event("created", time, "linear.create", **{"issue": "ENG-1", "by": "bo.lin", "title": "Search", **payload})


def update(time: str = "2025-05-01T11:00", **payload: Any) -> Event:
    return event(f"u-{time}", time, "linear.update", **{"issue": "ENG-1", "by": "bo.lin", **payload})


def noon(kind: str, **payload: Any) -> Event:
    return event("at-noon", "2025-05-01T12:00", kind, **payload)


async def inbox(*events: Event, viewer: str = "ada", time: str = LATE, **arguments: Any) -> list[Any]:
    told = await answer(tools_at(time, with_events(*events, viewer=viewer)), "list_notifications", **arguments)
    notifications: list[Any] = told["notifications"]
    return notifications


async def kinds(*events: Event, viewer: str = "ada") -> list[str]:
    return [entry["kind"] for entry in await inbox(*events, viewer=viewer)]


async def test_a_mention_is_told_with_where_it_is_and_what_it_says() -> None:
    (entry,) = await inbox(message("Ask @ada, please"))
    assert entry.pop("id").startswith("N")
    assert entry == {
        "time": "2025-05-01T10:00:00Z",
        "kind": "mention",
        "platform": "slack",
        "ref": "#general 1746093600.000100",
        "sender": "bo.lin",
        "preview": "Ask @ada, please",
        "read": False,
    }


@pytest.mark.parametrize(
    ("events", "viewer", "expected"),
    [
        ((message("Hello all"),), "ada", []),
        ((message("To @channel"),), "ada", ["mention"]),
        ((message("To @here", channel="sales"),), "ada", []),
        ((message("To @ada", channel="sales"),), "ada", ["mention"]),
        ((message("To @ada", channel="board"),), "ada", []),
        ((message("To @kimr", channel="board"),), "kimr", ["mention"]),
        ((message("I, @ada", sender="ada"),), "ada", []),
        ((message("Hi", dm="ada"),), "ada", ["dm"]),
        ((message("Hi", dm="kim"),), "ada", []),
        ((message("Hi", sender="ada", dm="kim"),), "ada", []),
        ((noon("slack.offline_message", sender="kim", to="ada", text="Hi"),), "ada", ["dm"]),
        ((ticket(lead="ada"),), "ada", ["ticket_assigned"]),
        ((ticket(by="ada", lead="ada"),), "ada", []),
        ((ticket(lead="kim"),), "ada", []),
        ((ticket(lead="kim"), update(lead="ada")), "ada", ["ticket_assigned"]),
        ((ticket(by="ada"), update(status="Done")), "ada", ["ticket_updated"]),
        ((ticket(lead="ada"), update(lead="kim")), "ada", ["ticket_assigned", "ticket_updated"]),
        ((ticket(by="ada"), update(by="ada", status="Done")), "ada", []),
        ((ticket(by="ada"), update(status="Backlog")), "ada", []),
        ((ticket(by="ada"), noon("linear.comment", issue="ENG-1", by="kim", body="Hm")), "ada", ["ticket_updated"]),
        ((ticket(), noon("linear.comment", issue="ENG-1", by="kim", body="Ask @ada?")), "ada", ["mention"]),
        ((ticket(), noon("linear.comment", issue="ENG-1", by="kim", body="Hm")), "ada", []),
        ((noon("linear.milestone", milestone="Alpha", by="kim"),), "ada", ["milestone"]),
        ((noon("linear.progress", milestone="Beta", by="kim", rate=0.5),), "ada", ["milestone"]),
        ((noon("linear.progress", milestone="Beta", by="ada", rate=0.5),), "ada", []),
        ((noon("notify.reminder", text="Stand-up"),), "ada", ["reminder"]),
        ((noon("notify.notice", source="door", text="Open"),), "ada", ["notice"]),
    ],
)  # fmt: skip
async def test_who_is_told_of_what(events: tuple[Event, ...], viewer: str, expected: list[str]) -> None:
    assert await kinds(*events, viewer=viewer) == expected


async def test_a_change_is_told_as_the_history_has_it() -> None:
    (entry,) = await inbox(ticket(by="ada"), update(status="Done", priority=1))
    assert entry["preview"] == "status: Backlog -> Done; priority: No priority -> Urgent"
    assert (entry["ref"], entry["sender"], entry["platform"]) == ("ENG-1", "bo.lin", "linear")
    (notice,) = await inbox(event("n", "2025-05-01T12:00", "notify.notice", source="door", text="Open"))
    assert (notice["ref"], notice["sender"], notice["preview"]) == (None, "door", "Open")


async def test_what_was_edited_deleted_or_renamed_shows_here_as_on_its_platform() -> None:
    first = message("Launch @ada on Monday")
    edit = event("e", "2025-05-01T11:00", "slack.edit", message=first.id, text="Launch on Tuesday")
    renaming = SlackRenameChannel(channel="general", by="kim", name="all")
    rename = Event("n", instant("2025-05-01T12:00"), "slack.rename_channel", renaming)
    (entry,) = await inbox(first, edit, rename)
    assert (entry["preview"], entry["ref"]) == ("Launch on Tuesday", "#all 1746093600.000100")
    assert await inbox(first, event("d", "2025-05-01T11:00", "slack.delete", message=first.id)) == []
    gone = event("d", "2025-05-01T12:00", "linear.delete", issue="ENG-1", by="bo.lin")
    assert await inbox(ticket(lead="ada"), update(status="Done"), gone) == []


async def test_a_private_channel_that_one_left_tells_nothing_more() -> None:
    told = message("To @kimr", channel="board")
    left = event("l", "2025-05-01T12:00", "slack.leave", channel="board", person="kimr")
    assert await inbox(told, left, viewer="kimr") == []


async def test_a_long_text_is_cut() -> None:
    (entry,) = await inbox(message("@ada " + "x" * 500))
    assert entry["preview"] == "@ada " + "x" * 195 + " ... (truncated)"


async def test_pages_hold_every_entry_once_and_ids_stay() -> None:
    events = [message(f"{number} @ada", f"2025-05-01T10:{number:02}") for number in range(5)]
    tools = tools_at(LATE, with_events(*events))
    seen: list[Any] = []
    page: Any = {"has_more": True, "next_after_id": None}
    while page["has_more"]:
        page = await answer(tools, "list_notifications", limit=2, after_id=page["next_after_id"])
        seen += page["notifications"]
    assert [entry["preview"] for entry in seen] == [f"{number} @ada" for number in range(5)]
    assert seen == await inbox(*events)
    assert seen[:3] == await inbox(*events, time="2025-05-01T10:02")
    assert (await refusal(tools, "list_notifications", after_id="N123"))["error"] == "notification_not_found"
    assert (await refusal(tools, "list_notifications", limit=0))["error"] == "invalid_limit"


def reading(scenario: Scenario, until: str) -> Scenario:
    role = scenario.agent.model_copy(update={"initial_read": until})
    return Scenario(**{**{name: getattr(scenario, name) for name in Scenario.__slots__}, "agent": role})


@pytest.mark.parametrize(
    ("until", "unread"),
    [("none", 3), ("all", 1), ("2025-05-01T12:00", 2), ("2025-05-01T10:00Z", 2), ("2030-01-01T00:00", 0)],
)
async def test_what_counts_as_read(until: str, unread: int) -> None:
    """Times without an offset are the scenario's, two hours before UTC; the first question comes on the second."""
    times = ("2025-05-01T10:00", "2025-05-02T09:00", "2025-05-03T09:00")
    company = reading(with_events(*(message(f"@ada {time}", time) for time in times)), until)
    tools = tools_at(LATE, company)
    everything = (await answer(tools, "list_notifications"))["notifications"]
    assert [entry["read"] for entry in everything] == [True] * (3 - unread) + [False] * unread
    told = await answer(tools, "list_notifications", unread_only=True)
    assert len(told["notifications"]) == unread
    if not unread:
        assert told["note"] == "no unread notifications there as of 2025-05-09T00:00:00Z"


async def test_the_small_companys_inbox() -> None:
    listed = (await answer(tools_at(LATE, small_company()), "list_notifications"))["notifications"]
    assert [entry["kind"] for entry in listed] == [
        "ticket_assigned", "dm", "dm", "milestone", "milestone", "reminder", "notice",
    ]  # fmt: skip
