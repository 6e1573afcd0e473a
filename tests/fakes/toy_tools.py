"""A fake gateway for loop tests: three tools, with the real one's promise never to raise for what a model sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from envs import canonical
from envs.errors import OperationError
from envs.protocol import ToolResult, ToolSpec


def _spec(name: str, summary: str, properties: Mapping[str, Any], required: Sequence[str] = ()) -> ToolSpec:
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(name, f"toy.{name}", summary, f"{summary}. At length.", schema, reads=True)


SPECS = (
    _spec("list_channels", "Lists the channels", {}),
    _spec(
        "read_channel", "Reads a channel", {"channel": {"type": "string"}, "limit": {"type": "integer"}}, ["channel"]
    ),
    _spec("echo", "Says it again", {"text": {"type": "string"}}, ["text"]),
)


@dataclass
class ToyTools:
    """`called`: (name, raw arguments), in order. `results`: what a tool says, where it isn't a plain `ok`."""

    listed: tuple[ToolSpec, ...] = SPECS
    results: dict[str, Callable[[Mapping[str, Any]], ToolResult]] = field(default_factory=dict)
    called: list[tuple[str, Any]] = field(default_factory=list)

    def specs(self) -> Sequence[ToolSpec]:
        return self.listed

    async def call(self, name: str, arguments: str | Mapping[str, Any] | None) -> ToolResult:
        self.called.append((name, arguments))
        known = {spec.name: spec for spec in self.listed}
        if name not in known:
            return _error("unknown_tool", f"there is no tool {name!r}; there are {', '.join(known)}")
        try:
            parsed = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
            parsed = json.loads(parsed) if isinstance(parsed, str) else parsed
        except (ValueError, RecursionError):
            return _error("invalid_arguments", "the arguments are not JSON")
        if not isinstance(parsed, Mapping):
            return _error("invalid_arguments", "the arguments are no object")
        schema = known[name].schema
        if missing := [key for key in schema["required"] if key not in parsed]:
            return _error("invalid_arguments", f"missing {missing}")
        if extra := [key for key in parsed if key not in schema["properties"]]:
            return _error("invalid_arguments", f"unknown {extra}")
        if name in self.results:
            return self.results[name](parsed)
        return ToolResult(canonical.dumps({"ok": True, "tool": name}).decode())


class ToyPack:
    """The same tools as operations, for the real gateway."""

    def specs(self) -> Sequence[ToolSpec]:
        return SPECS

    async def run(self, op: str, arguments: Mapping[str, Any], now: datetime) -> str:
        result = await ToyTools().call(op.removeprefix("toy."), arguments)
        if result.error is not None:
            raise OperationError(result.error, json.loads(result.text)["message"])
        return result.text


def _error(code: str, message: str) -> ToolResult:
    return ToolResult(canonical.dumps({"ok": False, "error": code, "message": message[:200]}).decode(), code)
