"""Every published schema is in the subset that all providers take, every name fits everywhere."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from envs.protocol import ToolSpec
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.machine import Machine
from servers.pack import PrefixedPack
from small_company import ALL_PACKS, small_company

NAME = re.compile(r"[a-z0-9_]{1,40}")
FORBIDDEN = (
    "$ref", "$defs", "definitions", "allOf", "oneOf", "anyOf", "not", "if", "then", "else", "title",
    "patternProperties", "prefixItems", "const",
)  # fmt: skip

PACKS = WorkplaceInstance(small_company(), ALL_PACKS).tools(Machine.of(small_company()))
SPECS = [spec for pack in PACKS for spec in (*pack.specs(), *PrefixedPack(pack).specs())]


def faults(schema: Any, path: str, *, null_allowed: bool) -> Iterator[str]:
    for key in FORBIDDEN:
        if key in schema:
            yield f"{path}: {key}"
    if "type" not in schema:
        yield f"{path}: no type"
    kind = schema.get("type")
    if isinstance(kind, list) and not (null_allowed and len(kind) == 2 and kind[1] == "null"):
        yield f"{path}: several types"
    if kind == "object":
        if schema.get("additionalProperties") is not False:
            yield f"{path}: open"
        for name, inner in schema.get("properties", {}).items():
            if not NAME.fullmatch(name):
                yield f"{path}.{name}: name"
            yield from faults(inner, f"{path}.{name}", null_allowed=null_allowed)
    if kind == "array":
        yield from faults(schema.get("items", {}), f"{path}[]", null_allowed=null_allowed)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_published_schemas_are_flat_and_closed(spec: ToolSpec) -> None:
    assert NAME.fullmatch(spec.name)
    assert spec.schema["type"] == "object"
    assert list(faults(spec.schema, spec.name, null_allowed=False)) == []
    assert spec.output is not None
    assert list(faults(spec.output, spec.name, null_allowed=True)) == []


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_tools_describe_themselves_and_their_arguments(spec: ToolSpec) -> None:
    assert 10 < len(spec.summary) <= 100
    assert spec.description.startswith(spec.summary)
    assert all(argument["description"] for argument in spec.schema["properties"].values())
    assert spec.reads == (not spec.op.startswith("files."))
    assert spec.writes == (spec.op == "git.clone_repository")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}},
        {"type": "object", "additionalProperties": False, "properties": {"a": {"anyOf": [{"type": "string"}]}}},
        {"type": "object", "additionalProperties": False, "properties": {"a": {"type": ["string", "null"]}}},
        {"type": "object", "additionalProperties": False, "properties": {"aB": {"type": "string"}}},
        {"type": "array", "items": {"$ref": "#/$defs/X"}},
    ],
)
def test_the_check_finds_what_is_wrong(schema: Any) -> None:
    assert list(faults(schema, "planted", null_allowed=False))


def test_a_prefix_is_the_platform_and_never_doubled() -> None:
    names = [spec.name for pack in PACKS for spec in PrefixedPack(pack).specs()]
    ops = [spec.op.replace(".git_", ".") for pack in PACKS for spec in pack.specs()]
    assert names == [op.replace(".", "_") for op in ops]
    twice = [spec.name for pack in PACKS for spec in PrefixedPack(PrefixedPack(pack)).specs()]
    assert twice == names
