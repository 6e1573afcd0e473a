"""`serve_stdio` in a process of its own: real clients, stray output, bad bytes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from small_company import instant, tools_at

FAKES = Path(__file__).parents[1] / "fakes"
SCRIPT = str(FAKES / "stdio_server.py")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join((str(FAKES.parents[1]), str(FAKES))),
    # A locale that isn't UTF-8, and another zone: neither may reach the client.
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "TZ": "Asia/Tokyo",
}
LAST_QUESTION = "2025-05-08T12:00"


async def test_the_mcp_sdks_client(tmp_path: Path) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=[SCRIPT], env=ENVIRONMENT)
    with (tmp_path / "stderr").open("w") as stderr:
        async with stdio_client(parameters, errlog=stderr) as (read, write), ClientSession(read, write) as client:
            begun = await client.initialize()
            assert begun.instructions is not None
            assert "You are Ada Moss (@ada)" in begun.instructions
            assert "It is 2025-05-08T12:00:00Z" in begun.instructions
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert listed[:2] == ["slack_get_channel_messages", "slack_get_direct_messages"]
            assert {name.partition("_")[0] for name in listed} == {"slack", "linear", "git", "files"}
            result: Any = await client.call_tool("linear_get_ticket", {"ticket_id": "eng-1"})
    here = await tools_at(instant(LAST_QUESTION)).call("get_ticket", {"ticket_id": "ENG-1"})
    assert [block.text for block in result.content] == [here.text]
    assert "a stray line" in (tmp_path / "stderr").read_text()


async def test_fastmcps_client_in_the_newer_era(tmp_path: Path) -> None:
    transport = StdioTransport(sys.executable, [SCRIPT], env=ENVIRONMENT, log_file=tmp_path / "stderr")
    async with Client(transport, mode="auto") as client:
        result = await client.call_tool("slack_get_channel_messages", {"channel": "c13x-find"})
        unknown = await client.call_tool("list_channels", {}, raise_on_error=False)
    here = await tools_at(instant(LAST_QUESTION)).call("get_channel_messages", {"channel": "c13x-find"})
    assert [block.text for block in result.content] == [here.text]
    assert json.loads(unknown.content[0].text)["candidates"][0] == "slack_list_channels"


class Raw:
    """The server's process, spoken to line by line."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, identity: int, method: str, **params: Any) -> Any:
        self.send(json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode())
        return self.receive()


@pytest.fixture
def raw() -> Iterator[Raw]:
    process = subprocess.Popen(
        [sys.executable, SCRIPT],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        yield Raw(process)
        process.kill()


def test_bad_lines_cost_one_error_each_and_the_server_goes_on(raw: Raw) -> None:
    raw.send(b"\xff\xfe before anything else")
    assert raw.receive()["error"]["code"] == -32700
    begun = raw.ask(
        1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "raw", "version": "1"}
    )
    assert begun["result"]["serverInfo"]["name"] == "driftdesk"
    raw.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    for line, code in ((b"\xff\xff\x00", -32700), (b'{"jsonrpc":', -32700), (b"[1]", -32600)):
        raw.send(line)
        assert raw.receive()["error"]["code"] == code
    raw.send(
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slack_list_users","arguments":{"a":"\\ud800"}}}'
    )
    refused = raw.receive()
    assert (refused["id"], refused["result"]["isError"]) == (2, True)
    assert json.loads(refused["result"]["content"][0]["text"])["error"] == "invalid_arguments"
    good = raw.ask(3, "tools/call", name="slack_list_users", arguments={})
    assert (good["id"], len(good["result"]["structuredContent"]["users"])) == (3, 4)
    assert raw.process.stdin is not None
    raw.process.stdin.close()
    assert raw.process.wait(timeout=20) == 0
