"""The JSON Schema of scenario files, generated from the models, so that editors complete and check while one writes.

    python -m scenarios.json_schema        writes scenarios/scenario.schema.json anew

It says what the models say. What only the loader can know (references, times, order) it doesn't.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from scenarios.part import Part
from scenarios.question_schema import ANSWER_KINDS, QuestionEntry
from scenarios.scalars import EVENT_ID, NOT_BLANK
from scenarios.schema import EVENT_KINDS, ErratumEntry, ScenarioFile

PATH = Path(__file__).with_name("scenario.schema.json")

_TEXT = {"type": "string", "pattern": NOT_BLANK}


def schema() -> dict[str, Any]:
    """The whole schema as a JSON value."""
    models: list[type[Part]] = [ScenarioFile, *EVENT_KINDS.values(), *ANSWER_KINDS.values()]
    references, shared = models_json_schema([(model, "validation") for model in models], by_alias=True)
    parts: dict[str, Any] = shared["$defs"]
    names = {model: references[model, "validation"]["$ref"].rpartition("/")[2] for model in models}
    for kind in ANSWER_KINDS.values():
        parts[names[kind]]["properties"]["script"] = _TEXT
    for holder in (QuestionEntry, ErratumEntry):
        parts[holder.__name__]["properties"]["answer"] = {
            "oneOf": [{"$ref": f"#/$defs/{names[kind]}"} for kind in ANSWER_KINDS.values()]
        }
    clearable = {name: model.clearable for model, name in names.items()}
    for name, part in parts.items():
        for key, field in part["properties"].items():
            _simplify(field, null=key in clearable.get(name, ()))
    top = parts.pop(names[ScenarioFile])
    top["properties"]["timeline"]["items"] = _entry({kind: names[model] for kind, model in EVENT_KINDS.items()})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "DriftDesk scenario",
        **{key: value for key, value in top.items() if key != "title"},
        "$defs": parts,
    }


def _simplify(field: dict[str, Any], *, null: bool) -> None:
    """Takes out what no author needs: titles, and null where leaving the key out says the same."""
    field.pop("title", None)
    if field.get("default", "") is None:
        del field["default"]
    if not null and "anyOf" in field:
        field["anyOf"] = [choice for choice in field["anyOf"] if choice != {"type": "null"}]
        if len(field["anyOf"]) == 1:
            field.update(field.pop("anyOf")[0])


def _entry(kinds: dict[str, str]) -> dict[str, Any]:
    """An entry of the timeline: `at`, perhaps `id`, and exactly one event."""
    events = {kind: {"$ref": f"#/$defs/{name}"} for kind, name in kinds.items()}
    return {
        "type": "object",
        "properties": {"at": _TEXT, "id": {"type": "string", "pattern": EVENT_ID}, **events},
        "required": ["at"],
        "oneOf": [{"required": [kind]} for kind in kinds],
        "additionalProperties": False,
    }


def text() -> str:
    """The schema as it is shipped."""
    return json.dumps(schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
