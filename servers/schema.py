"""Flat JSON schemas from Python types: no references, no unions, every object closed, no titles.

Providers disagree on what a tool's schema may hold; this is the subset that all of them take.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from envs.protocol import Json

_NULLABLE = "x-nullable"


class _Arguments(GenerateJsonSchema):
    """`X | None` is written as a plain X: a null sent for an optional argument counts as absent."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


class _Results(GenerateJsonSchema):
    """`X | None` is written as a list of types, since clients check a result's nulls against it."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        # The inner schema may be a reference still, so that its type is known only when all is flat.
        return {_NULLABLE: self.generate_inner(schema["schema"])}


def argument_schema(adapter: TypeAdapter[Any], defaults: dict[str, Json]) -> dict[str, Json]:
    """The schema of a tool's arguments; `defaults` of the optional ones are added where they are not None."""
    schema = _flat(adapter.json_schema(schema_generator=_Arguments))
    for name, default in defaults.items():
        if default is not None:
            schema["properties"][name]["default"] = default
    return schema


def result_schema(adapter: TypeAdapter[Any]) -> dict[str, Json]:
    """The schema of a tool's result."""
    return _flat(adapter.json_schema(mode="serialization", schema_generator=_Results))


def _flat(schema: dict[str, Json]) -> dict[str, Json]:
    definitions = schema.pop("$defs", {})

    def inline(node: Json) -> Json:
        if isinstance(node, list):
            return [inline(element) for element in node]
        if not isinstance(node, dict):
            return node
        if _NULLABLE in node:
            inner = inline(node[_NULLABLE])
            return {**inner, "type": [inner["type"], "null"]}
        if "$ref" in node:
            return inline(definitions[node["$ref"].rpartition("/")[2]])
        plain = {key: _properties(value) if key == "properties" else inline(value) for key, value in node.items()}
        # Only a schema's own title is text; an argument called `title` is a key of `properties`.
        plain.pop("title", None)
        if "properties" in plain:
            plain["additionalProperties"] = False
        return plain

    def _properties(properties: dict[str, Json]) -> dict[str, Json]:
        return {name: inline(value) for name, value in properties.items()}

    flat: dict[str, Json] = inline(schema)
    flat.pop("description", None)
    return flat
