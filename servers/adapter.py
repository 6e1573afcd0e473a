"""The MCP adapter: a gateway's tools as a FastMCP server, the same bytes as in process.

FastMCP checks and converts nothing: arguments go to the gateway as they came, and its one canonical JSON comes back
as text and as structured content.
"""

from __future__ import annotations

import logging
from importlib import metadata
from typing import Any

import orjson
from fastmcp import FastMCP
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import Tool, ToolResult
from mcp_types import CallToolRequestParams, TextContent, ToolAnnotations
from pydantic import PrivateAttr

from envs.errors import Fault
from envs.protocol import Json, ToolSpec
from servers.gateway import MASKED, Gateway, error_text

_log = logging.getLogger(__name__)


def build_server(gateway: Gateway, *, name: str, instructions: str) -> FastMCP[None]:
    """A server of all the gateway's tools, under their names there."""
    server: FastMCP[None] = FastMCP(
        name,
        version=metadata.version("driftdesk"),
        instructions=instructions,
        middleware=[_UnknownTools(gateway)],
        mask_error_details=True,
    )
    for spec in gateway.specs():
        server.add_tool(_GatewayTool.of(spec, gateway))
    return server


class _GatewayTool(Tool):
    """One tool whose arguments and results are the gateway's."""

    _gateway: Gateway = PrivateAttr()

    @classmethod
    def of(cls, spec: ToolSpec, gateway: Gateway) -> _GatewayTool:
        tool = cls(
            name=spec.name,
            description=spec.description,
            parameters=dict(spec.schema),
            output_schema=None if spec.output is None else dict(spec.output),
            annotations=ToolAnnotations(
                read_only_hint=not spec.writes,
                destructive_hint=spec.destructive,
                idempotent_hint=spec.idempotent or not spec.writes,
                open_world_hint=False,
            ),
        )
        tool._gateway = gateway
        return tool

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        return await _called(self._gateway, self.name, arguments)


class _UnknownTools(Middleware):
    """Sends a call of an unknown tool to the gateway too, so that its error is ours and is recorded."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._names = frozenset(spec.name for spec in gateway.specs())

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        message = context.message
        if message.name in self._names:
            return await call_next(context)
        return await _called(self._gateway, message.name, message.arguments)


async def _called(gateway: Gateway, name: str, arguments: dict[str, Json] | None) -> ToolResult:
    try:
        result = await gateway.call(name, arguments)
    except Fault:
        _log.exception("tool %s failed", name)
        return ToolResult(content=[_text(error_text(MASKED))], is_error=True)
    if result.error is not None:
        # Text only: clients check structured content against the tool's output schema, which no error fits.
        return ToolResult(content=[_text(result.text)], is_error=True)
    return ToolResult(content=[_text(result.text)], structured_content=orjson.loads(result.text))


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
