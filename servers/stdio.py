"""MCP over standard input and output, where a line that isn't a message is answered and not dropped.

FastMCP's own stdio loop drops such a line, so that a client which sent a request in it would wait for ever. This one
drives the same server over the same streams, with the bad lines taken out. The two attributes of FastMCP that it needs
are private; no other module touches them.
"""

from __future__ import annotations

import json
from typing import Any

import anyio
from fastmcp import FastMCP
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError


async def run_stdio(server: FastMCP[None]) -> None:
    """Serves until input ends. While it does, whatever prints to standard output goes to standard error."""
    low_level = server._mcp_server
    async with server._lifespan_manager(), stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        inward, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()

        async def sort_lines() -> None:
            async with inward:
                async for item in incoming:
                    message = item if isinstance(item, SessionMessage) else reread(item)
                    if isinstance(message.message, JSONRPCError):
                        await outgoing.send(message)
                    else:
                        await inward.send(message)

        tasks.start_soon(sort_lines)
        await low_level.run(messages, outgoing, low_level.create_initialization_options())
        tasks.cancel_scope.cancel()


def reread(problem: Exception) -> SessionMessage:
    """What to do with a line that the strict reading refused: the message that it is after all, or the error to send.

    Lone surrogates make a line bad JSON for the strict reading only. Read leniently it goes to the tool, whose error
    tells the model more than one of the protocol.
    """
    line = _refused_input(problem)
    value = line
    if isinstance(line, str):
        try:
            value = json.loads(line)
            return SessionMessage(jsonrpc_message_adapter.validate_python(value, by_name=False))
        except (ValueError, RecursionError):
            pass
    code, message = (PARSE_ERROR, "Parse error") if isinstance(value, str) else (INVALID_REQUEST, "Invalid request")
    error = ErrorData(code=code, message=f"{message}: each line must be one JSON-RPC message")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=_request_id(value), error=error))


def _refused_input(problem: Exception) -> Any:
    """The line, where it isn't JSON, else the value in it."""
    if not isinstance(problem, ValidationError):
        return ""
    return problem.errors(include_url=False)[0]["input"]


def _request_id(value: Any) -> RequestId | None:
    """The id of the request that a bad message was meant to be, so that its sender needn't wait for the answer."""
    found = value.get("id") if isinstance(value, dict) else None
    if isinstance(found, str):
        return found if found.isprintable() else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None
