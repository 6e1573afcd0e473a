"""Linear's reading tools at an instant: history, relations, filters, names, pages."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.scenario import Event, Scenario
from servers.gateway import Gateway
from small_company import END, answer, event, refusal, tools_at, with_events


def create(number: int, time: str = "2025-05-01T09:00", **more: Any) -> Event:
    fields = {"issue": f"ENG-{number}", "by": "kim", "title": f"Ticket {number}"} | more
    return event(f"t{fields['issue']}", time, "linear.create", **fields)


def update(name: str, time: str, issue: str, **fields: Any) -> Event:
    return event(name, time, "linear.update", issue=issue, by="bo.lin", **fields)


async def ticket(tools: Gateway, ticket_id: str) -> Any:
    return await answer(tools, "get_ticket", ticket_id=ticket_id)


async def ids(tools: Gateway, **filters: Any) -> list[str]:
    return [found["id"] for found in (await answer(tools, "list_tickets", **filters))["tickets"]]


async def test_a_ticket_in_full() -> None:
    found = (await ticket(tools_at("2025-05-01T10:00"), "ENG-1"))["ticket"]
    assert found == {
        "id": "ENG-1",
        "title": "c03x Search",
        "description": "c03d What to build",
        "team": "Engineering",
        "status": "Todo",
        "status_type": "unstarted",
        "priority": {"value": 2, "name": "High"},
        "lead": "ada",
        "creator": "bo.lin",
        "labels": ["bug"],
        "estimate": 3,
        "milestone": "Beta",
        "created_at": "2025-05-01T10:00:00Z",
        "updated_at": "2025-05-01T10:00:00Z",
        "started_at": None,
        "completed_at": None,
        "start_date": None,
        "due_date": "2025-05-20",
        "parent": None,
        "url": "https://linear.app/birch-sons/issue/ENG-1",
    }


async def test_the_history_gives_each_field_from_and_to() -> None:
    history = (await ticket(tools_at("2025-05-06T10:00"), "ENG-1"))["history"]
    told = [(entry["actor"], entry["field"], entry["from"], entry["to"]) for entry in history]
    assert told == [
        ("bo.lin", "created", None, "c03x Search"),
        ("ada", "status", "Todo", "In Progress"),
        ("ada", "lead", "ada", "bo.lin"),
        ("ada", "title", "c03x Search", "c15x Search, twice"),
        ("ada", "priority", "High", "Urgent"),
        ("ada", "labels", "bug", "bug, ui"),
        ("ada", "related_to", "ML-1", None),
        ("ada", "duplicate_of", None, "ML-1"),
    ]
    assert history[1]["time"] == "2025-05-06T09:00:00Z"


async def test_null_clears_and_the_history_says_so() -> None:
    company = with_events(
        create(1, lead="ada", due_date="2025-05-20", estimate=3, milestone="Beta"),
        update("u", "2025-05-02T09:00", "ENG-1", lead=None, due_date=None, estimate=None, milestone=None),
    )
    found = await ticket(tools_at(END, company), "ENG-1")
    assert {found["ticket"][name] for name in ("lead", "due_date", "estimate", "milestone")} == {None}
    assert [(e["field"], e["from"], e["to"]) for e in found["history"][1:]] == [
        ("lead", "ada", None),
        ("estimate", "3", None),
        ("milestone", "Beta", None),
        ("due_date", "2025-05-20", None),
    ]


async def test_started_and_completed_follow_the_state() -> None:
    steps = (
        ("02", "In Progress"),
        ("03", "In Review"),
        ("04", "Done"),
        ("05", "In Progress"),
        ("06", "Done"),
        ("07", "Todo"),
    )
    company = with_events(
        create(1), *(update(f"u{day}", f"2025-05-{day}T09:00", "ENG-1", status=status) for day, status in steps)
    )
    seen = []
    for day, _ in steps:
        found = (await ticket(tools_at(f"2025-05-{day}T09:00", company), "ENG-1"))["ticket"]
        seen.append(tuple(value and value[8:10] for value in (found["started_at"], found["completed_at"])))
    assert seen == [("02", None), ("02", None), ("02", "04"), ("02", None), ("02", "06"), (None, None)]


async def test_comments_come_in_order_and_touch_the_ticket() -> None:
    found = await ticket(tools_at(END), "ENG-1")
    assert [(c["author"], c["body"]) for c in found["comments"]] == [
        ("kim", "c16x I disagree"),
        ("bo.lin", "c17x So be it"),
    ]
    assert len({c["id"] for c in found["comments"]}) == 2
    assert (await ticket(tools_at("2025-05-06T11:00"), "ENG-1"))["ticket"]["updated_at"] == "2025-05-06T11:00:00Z"


async def test_relations_are_seen_from_both_ends() -> None:
    tools = tools_at("2025-05-06T10:00")
    nothing: dict[str, Any] = {
        "blocks": [],
        "blocked_by": [],
        "related_to": [],
        "duplicate_of": None,
        "duplicated_by": [],
        "children": [],
    }
    assert (await ticket(tools, "ENG-1"))["relations"] == nothing | {
        "blocked_by": ["ENG-2"], "duplicate_of": "ML-1", "children": ["ENG-2"],
    }  # fmt: skip
    assert (await ticket(tools, "ENG-2"))["relations"] == nothing | {"blocks": ["ENG-1"]}
    assert (await ticket(tools, "ML-1"))["relations"] == nothing | {"duplicated_by": ["ENG-1"]}


async def test_an_update_replaces_relations_whoever_declared_them() -> None:
    before = await ticket(tools_at("2025-05-06T09:59"), "ML-1")
    assert before["relations"]["related_to"] == ["ENG-1"]
    assert (await ticket(tools_at("2025-05-06T10:00"), "ML-1"))["relations"]["related_to"] == []


async def test_a_deleted_ticket_is_gone_with_every_mention_in_lists() -> None:
    tools = tools_at(END)
    assert (await refusal(tools, "get_ticket", ticket_id="ML-1"))["error"] == "ticket_not_found"
    assert await ids(tools) == ["ENG-1", "ENG-2"]
    assert (await ticket(tools, "ENG-1"))["relations"]["duplicate_of"] is None
    milestones = (await answer(tools, "list_milestones"))["milestones"]
    assert milestones[0]["tickets"] == ["ENG-1"]


async def test_a_child_of_a_deleted_ticket_has_no_parent() -> None:
    company = with_events(
        create(1), create(2, parent="ENG-1"), event("x", "2025-05-02T09:00", "linear.delete", issue="ENG-1", by="kim")
    )
    assert (await ticket(tools_at(END, company), "ENG-2"))["ticket"]["parent"] is None


@pytest.mark.parametrize(
    "spelling",
    [
        "ENG-1",
        "eng-1",
        " ENG-1 ",
        "#ENG-1",
        "https://linear.app/birch-sons/issue/ENG-1",
        "https://linear.app/birch-sons/issue/ENG-1/search-twice?x=1#comment",
        "linear.app/birch-sons/issue/eng-1",
    ],
)
async def test_each_spelling_names_the_ticket(spelling: str) -> None:
    assert (await ticket(tools_at(END), spelling))["ticket"]["id"] == "ENG-1"


@pytest.mark.parametrize("text", ["ENG-99", "ENG", "1", "", "XYZ-1", "ENG-1-2", "ENG-01", "x" * 50_000])
async def test_anything_else_is_not_found(text: str) -> None:
    told = await refusal(tools_at(END), "get_ticket", ticket_id=text)
    assert told["error"] == "ticket_not_found"
    assert len(str(told)) < 300


# ---- filters


def crowd() -> Scenario:
    events = [
        create(n, f"2025-05-{n:02d}T09:00", status=status, priority=n % 5, labels=("bug",) if n % 2 else (), lead=lead)
        for n, status, lead in (
            (1, "Backlog", None),
            (2, "Todo", "ada"),
            (3, "In Progress", "bo.lin"),
            (4, "Done", "ada"),
            (5, "Triage", "ada"),
        )
    ]
    events += [
        create(6, "2025-05-06T09:00", issue="ML-1", milestone="Beta", due_date="2025-05-10"),
        create(7, "2025-05-06T09:00", issue="ML-2", due_date="2025-05-11", description="d" * 600),
        update("u", "2025-05-07T09:00", "ENG-1", title="Changed"),
    ]
    return with_events(*events)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "ENG-1 ENG-2 ENG-3 ENG-4 ENG-5 ML-1 ML-2"),
        ({"team": "ENG"}, "ENG-1 ENG-2 ENG-3 ENG-4 ENG-5"),
        ({"team": "machine learning"}, "ML-1 ML-2"),
        ({"status": "done"}, "ENG-4"),
        ({"status": "completed"}, "ENG-4"),
        ({"status": "in progress"}, "ENG-3"),
        ({"status": "started"}, "ENG-3"),
        ({"status": "unstarted"}, "ENG-2"),
        ({"lead": "me"}, "ENG-2 ENG-4 ENG-5"),
        ({"lead": "Bo Lin"}, "ENG-3"),
        ({"milestone": "beta"}, "ML-1"),
        ({"priority": 1}, "ENG-1"),
        ({"priority": "1"}, "ENG-1"),
        ({"priority": "Urgent"}, "ENG-1"),
        ({"priority": "none"}, "ENG-5 ML-1 ML-2"),
        ({"priority": "no priority"}, "ENG-5 ML-1 ML-2"),
        ({"label": "BUG"}, "ENG-1 ENG-3 ENG-5"),
        ({"label": "unheard of"}, ""),
        ({"created_after": "2025-05-03"}, "ENG-3 ENG-4 ENG-5 ML-1 ML-2"),
        ({"created_after": "2025-05-03T09:00:00Z"}, "ENG-3 ENG-4 ENG-5 ML-1 ML-2"),
        ({"created_after": "2025-05-03T09:00:01"}, "ENG-4 ENG-5 ML-1 ML-2"),
        ({"created_after": "2025-05-03T11:00:00.000+02:00"}, "ENG-3 ENG-4 ENG-5 ML-1 ML-2"),
        ({"created_before": "2025-05-03T09:00:00Z"}, "ENG-1 ENG-2"),
        ({"created_after": "2025-05-02", "created_before": "2025-05-04"}, "ENG-2 ENG-3"),
        ({"updated_after": "2025-05-07"}, "ENG-1"),
        ({"due_after": "2025-05-11"}, "ML-2"),
        ({"due_before": "2025-05-11"}, "ML-1"),
        ({"due_before": "2025-05-11T23:00:00Z", "team": "ML"}, "ML-1"),
        ({"team": "ENG", "lead": "ada", "status": "Done"}, "ENG-4"),
        ({"after_id": "eng-4"}, "ENG-5 ML-1 ML-2"),
        ({"after_id": "ENG-4", "team": "ML", "limit": 1}, "ML-1"),
    ],
)
async def test_filters(filters: dict[str, Any], expected: str) -> None:
    assert await ids(tools_at(END, crowd()), **filters) == expected.split()


@pytest.mark.parametrize(
    ("filters", "code"),
    [
        ({"team": "Enginering"}, "team_not_found"),
        ({"status": "Donne"}, "invalid_status"),
        ({"lead": "adda"}, "user_not_found"),
        ({"lead": "Kim Roe"}, "ambiguous_name"),
        ({"milestone": "Betta"}, "milestone_not_found"),
        ({"priority": 5}, "invalid_priority"),
        ({"priority": "-1"}, "invalid_priority"),
        ({"priority": "²"}, "invalid_priority"),
        ({"priority": True}, "invalid_arguments"),
        ({"created_after": "yesterday"}, "invalid_date"),
        ({"due_before": "2025-02-30"}, "invalid_date"),
        ({"updated_after": ""}, "invalid_date"),
        ({"limit": 0}, "invalid_limit"),
        ({"after_id": "ENG-99"}, "ticket_not_found"),
    ],
)
async def test_bad_filters(filters: dict[str, Any], code: str) -> None:
    assert (await refusal(tools_at(END, crowd()), "list_tickets", **filters))["error"] == code


@pytest.mark.parametrize(
    ("filters", "near"),
    [({"team": "Enginering"}, "Engineering"), ({"status": "Donne"}, "Done"), ({"milestone": "Betta"}, "Beta")],
)
async def test_unknown_names_have_candidates(filters: dict[str, Any], near: str) -> None:
    assert near in (await refusal(tools_at(END, crowd()), "list_tickets", **filters))["candidates"]


async def test_nothing_found_says_as_of_when() -> None:
    page = await answer(tools_at(END, crowd()), "list_tickets", label="unheard of")
    assert page == {
        "tickets": [],
        "has_more": False,
        "next_after_id": None,
        "note": "no ticket meets all filters as of 2025-05-09T00:00:00Z",
    }
    assert (await answer(tools_at("2025-01-01T00:00"), "list_tickets"))["note"].startswith("no ticket exists as of")


async def test_lists_cut_descriptions_and_the_ticket_itself_does_not() -> None:
    tools = tools_at(END, crowd())
    listed = (await answer(tools, "list_tickets", team="ML"))["tickets"][1]
    assert listed["description"] == "d" * 500 + " ... (truncated)"
    assert (await ticket(tools, "ML-2"))["ticket"]["description"] == "d" * 600


@given(st.integers(1, 9))
@settings(deadline=None, max_examples=9)
async def test_pages_of_any_size_give_everything_once_in_order(limit: int) -> None:
    tools, found, after = tools_at(END, crowd()), [], None
    while True:
        page = await answer(tools, "list_tickets", limit=limit, after_id=after)
        found += [entry["id"] for entry in page["tickets"]]
        after = page["next_after_id"]
        if not page["has_more"]:
            break
    assert found == ["ENG-1", "ENG-2", "ENG-3", "ENG-4", "ENG-5", "ML-1", "ML-2"]
    assert after is None


# ---- teams and milestones


async def test_team_members_come_and_go() -> None:
    def members(teams: Any) -> dict[str, list[str]]:
        return {team["key"]: [member["username"] for member in team["members"]] for team in teams["teams"]}

    assert members(await answer(tools_at("2025-05-01T00:00"), "list_team_members")) == {
        "ENG": ["ada", "bo.lin"],
        "ML": ["kim"],
    }
    assert members(await answer(tools_at(END), "list_team_members")) == {"ENG": ["bo.lin"], "ML": ["kim", "ada"]}
    one = await answer(tools_at(END), "list_team_members", team="ml")
    assert one == {
        "teams": [
            {
                "team": "Machine Learning",
                "key": "ML",
                "members": [
                    {"username": "kim", "name": "Kim Roe", "role": "Designer"},
                    {"username": "ada", "name": "Ada Moss", "role": "Assistant"},
                ],
            }
        ]
    }
    assert (await refusal(tools_at(END), "list_team_members", team="Sales"))["error"] == "team_not_found"


async def test_milestones_show_what_holds_now() -> None:
    before = (await answer(tools_at("2025-05-07T08:59"), "list_milestones"))["milestones"]
    assert [(m["name"], m["completion_rate"], m["tickets"]) for m in before] == [("Beta", 0.0, ["ENG-1", "ML-1"])]
    after = (await answer(tools_at("2025-05-07T10:00"), "list_milestones"))["milestones"]
    assert [(m["name"], m["completion_rate"]) for m in after] == [("Beta", 0.137), ("c18x General", 0.0)]
    assert after[1] | {"id": ""} == {
        "id": "",
        "name": "c18x General",
        "description": "c18d",
        "start_date": "2025-06-01",
        "end_date": "2025-07-01",
        "completion_rate": 0.0,
        "tickets": [],
    }
    assert before[0]["id"] == after[0]["id"]
    assert await ids(tools_at(END), milestone=after[0]["id"]) == ["ENG-1"]
