"""One request, before any other, that shows whether an endpoint gives tool calls back as tool calls."""

from __future__ import annotations

from typing import Any, Literal

from agents.prompt import prompt
from agents.turn import wire_calls
from envs.protocol import Models

SCOPE = "preflight"
"""The scope of the request: a replay finds its reply there."""

_TOOL = "ready"
_PROBE: dict[str, Any] = {
    "tools": [
        {
            "type": "function",
            "function": {
                "name": _TOOL,
                "description": "Says that you are ready.",
                "parameters": {
                    "type": "object",
                    "properties": {"word": {"type": "string", "description": "yes or no"}},
                    "required": ["word"],
                    "additionalProperties": False,
                },
            },
        }
    ],
    "max_tokens": 1_024,
}


async def detect_style(models: Models) -> Literal["native", "json"]:
    """`native` where a structured call comes back, else `json`: then calls have to be asked for as plain JSON.

    Raises Fault where the endpoint doesn't answer at all.
    """
    messages = [{"role": "user", "content": prompt("probe")}]
    reply = await models(SCOPE).complete({"messages": messages, **_PROBE})
    return "native" if any(call.name == _TOOL for call in wire_calls(reply["message"])) else "json"
