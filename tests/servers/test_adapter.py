"""The MCP path gives the same bytes as the call in process, in both protocol eras."""

import json
from typing import Any, Literal

import orjson
import pytest
from fastmcp import Client

from envs.clock import FrozenClock
from envs.errors import Fault
from envs.protocol import ToolSpec
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.machine import Machine
from reading_sweep import reading_calls
from servers.adapter import build_server
from servers.gateway import Gateway
from servers.pack import PrefixedPack
from small_company import ALL_PACKS, END, instant, small_company, tools_at

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")

ODD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_channel_messages", {}),
    ("get_channel_messages", {"channel": 5}),
    ("get_channel_messages", {"channel": "12345"}),
    ("get_channel_messages", {"channel": "true"}),
    ("get_channel_messages", {"channel": "search", "limit": "2"}),
    ("get_channel_messages", {"channel": "search", "limit": None}),
    ("get_channel_messages", {"channel": "search", "limit": 0}),
    ("get_channel_messages", {"channel": "search", "limit": "many"}),
    ("get_channel_messages", {"channel": "search", "limit": 5_000}),
    ("get_channel_messages", {"chanel": "search"}),
    ("list_tickets", {"priority": 9}),
    ("list_tickets", {"created_after": "soon"}),
    ("list_tickets", {"status": "?"}),
    ("list_channels", {"surrogate": "\ud800"}),
    ("list_chanels", {}),
)


@pytest.mark.parametrize("era", ERAS)
async def test_every_call_gives_the_same_bytes_on_both_paths(era: Era) -> None:
    direct, served = tools_at(END), tools_at(END)
    calls = [*reading_calls(small_company()), *ODD]
    errors = set()
    async with Client(build_server(served, name="test", instructions=""), mode=era) as client:
        for tool, arguments in calls:
            here = await direct.call(tool, arguments)
            there = await client.call_tool(tool, arguments, raise_on_error=False)
            assert [block.text for block in there.content] == [here.text], (tool, arguments)
            assert there.is_error == (here.error is not None)
            expected = None if here.error else orjson.loads(here.text)
            assert there.structured_content == expected
            errors.add(here.error)
    assert served.calls == direct.calls
    assert errors >= {
        None, "invalid_arguments", "unknown_argument", "invalid_limit", "ambiguous_name", "channel_not_found",
        "not_in_channel", "user_not_found", "message_not_found", "ticket_not_found", "team_not_found",
        "milestone_not_found", "invalid_status", "invalid_priority", "invalid_date", "unknown_tool",
    }  # fmt: skip


@pytest.mark.parametrize("era", ERAS)
async def test_tools_are_listed_as_specified(era: Era) -> None:
    tools = tools_at(END)
    specs = {spec.name: spec for spec in tools.specs()}
    async with Client(build_server(tools, name="test", instructions="Who and when"), mode=era) as client:
        listed = await client.list_tools()
        assert [tool.name for tool in listed] == list(specs)
        for tool in listed:
            spec = specs[tool.name]
            assert (tool.input_schema, tool.output_schema) == (spec.schema, spec.output)
            assert tool.description == spec.description
            assert tool.annotations is not None
            assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (not spec.writes, False)
            assert tool.annotations.destructive_hint is False


async def test_the_all_in_one_endpoint_has_prefixed_names_also_in_its_errors() -> None:
    company = small_company()
    packs = [PrefixedPack(pack) for pack in WorkplaceInstance(company, ALL_PACKS).tools(Machine.of(company))]
    tools = Gateway(packs, FrozenClock(instant(END)), lambda: (), charging=True, caller="client")
    async with Client(build_server(tools, name="test", instructions="")) as client:
        assert {tool.name.partition("_")[0] for tool in await client.list_tools()} == {
            "slack", "linear", "git", "files", "notify",
        }  # fmt: skip
        result = await client.call_tool("slack_list_users", {})
        assert len(json.loads(result.content[0].text)["users"]) == 4
        unknown = await client.call_tool("list_users", {}, raise_on_error=False)
        assert "slack_list_users" in json.loads(unknown.content[0].text)["candidates"]
    assert [(call.tool, call.op, call.caller) for call in tools.calls] == [
        ("slack_list_users", "slack.list_users", "client"),
        ("list_users", "", "client"),
    ]


class BrokenPack:
    """One tool that fails on our side."""

    def specs(self) -> list[ToolSpec]:
        return [ToolSpec("broken", "toy.broken", "Broken", "Broken", {"type": "object", "properties": {}})]

    async def run(self, op: str, arguments: object, now: object) -> str:
        raise Fault("memory", "secret address of the store")


@pytest.mark.parametrize("era", ERAS)
async def test_a_fault_is_masked(era: Era) -> None:
    tools = Gateway([BrokenPack()], FrozenClock(instant(END)), lambda: (), charging=True)
    async with Client(build_server(tools, name="test", instructions=""), mode=era) as client:
        result = await client.call_tool("broken", {}, raise_on_error=False)
    assert result.is_error
    assert json.loads(result.content[0].text)["error"] == "internal_error"
    assert "secret" not in result.content[0].text
