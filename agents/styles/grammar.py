"""A compact GBNF grammar of the json style, for llama.cpp: no white space to pad, and a hard length.

One branch for each tool, with its own required arguments; optional ones are left out, as they cost more tokens than a
model that needs a grammar makes use of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents.turn import Stage
from envs.protocol import ToolSpec

_TEXT_CHARS = 24
_TEXT = "[A-Za-z0-9#@_-] [A-Za-z0-9 #@._-]{0,23}"
_ANSWER = "[A-Za-z0-9] [A-Za-z0-9 ,.:;/()#@%+_'-]"
_QUOTE = r'"\""'
_NUMBER = "[1-9] [0-9]{0,2}"
_NUMBER_CHARS = 3


def grammar(specs: Sequence[ToolSpec], stage: Stage, answer_chars: int) -> tuple[str, int]:
    """The grammar of what a step may say, and the characters of the longest text it allows.

    A token has a character or more, so the second figure also bounds the tokens.
    """
    branches = [] if stage == "answer" else [_call(spec) for spec in specs]
    if stage != "calls" or not branches:
        head, tail = '{"answer":"', '"}'
        rule = f"{_literal(head)} {_ANSWER}{{0,{answer_chars - 1}}} {_literal(tail)}"
        branches.append((rule, len(head) + answer_chars + len(tail)))
    return "root ::= " + " | ".join(rule for rule, _ in branches), max(length for _, length in branches)


def _call(spec: ToolSpec) -> tuple[str, int]:
    properties = spec.schema.get("properties", {})
    parts: list[tuple[str, int]] = []
    for index, name in enumerate(spec.schema.get("required", ())):
        key = ("," if index else "") + json.dumps(name) + ":"
        rule, length = _value(properties.get(name, {}))
        parts.append((f"{_literal(key)} {rule}", len(key) + length))
    head = f'{{"tool":{json.dumps(spec.name)},"arguments":{{'
    rule = " ".join([_literal(head), *(part for part, _ in parts), _literal("}}")])
    return rule, len(head) + sum(length for _, length in parts) + 2


def _value(schema: Mapping[str, Any]) -> tuple[str, int]:
    """The rule of one value and its greatest length."""
    for variant in schema.get("anyOf", ()):
        if variant.get("type") != "null":
            return _value(variant)
    allowed = [schema["const"]] if "const" in schema else schema.get("enum")
    if allowed:
        spelt = [json.dumps(value) for value in allowed]
        return f"({' | '.join(map(_literal, spelt))})", max(map(len, spelt))
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        kind = kind[0]
    if kind in ("integer", "number"):
        return _NUMBER, _NUMBER_CHARS
    if kind == "boolean":
        return '("true" | "false")', len("false")
    if kind == "array":
        rule, length = _value(schema.get("items", {}))
        return f"{_literal('[')} {rule} {_literal(']')}", length + 2
    if kind == "object":
        return _literal("{}"), 2
    return f"{_QUOTE} {_TEXT} {_QUOTE}", _TEXT_CHARS + 2


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
