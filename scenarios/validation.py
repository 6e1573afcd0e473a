"""Schema mistakes in an author's words: what pydantic found, at its key path, with what YAML made of the text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from scenarios.mistake import KeyPath, Mistake, plain, quoted, suggestion
from scenarios.part import Part
from scenarios.planned import PLANNED_KEYS, PLANNED_VALUES
from scenarios.scalars import BREACHES, EVENT_ID, NOT_BLANK
from scenarios.schema import ScenarioFile
from scenarios.source import Source

_P = TypeVar("_P", bound=Part)

_NUMBER_BRANCHES = ("int", "float")


def validated(model: type[_P], value: Any, path: KeyPath, source: Source) -> _P:
    """`value` as `model`. Raises Mistake for the first thing in the file that `model` refuses."""
    if isinstance(value, dict):
        _refuse_nulls(model, value, path, source)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        found = error
    ranked: list[tuple[bool, tuple[int, int], Mistake]] = []
    for details in found.errors(include_url=False):
        if details["type"] == "too_short" and len(details["input"]) >= details["ctx"]["min_length"]:
            continue  # pydantic counts the valid items only: what is wrong is an item
        mistake = _mistake(model, details, value, path, source)
        # A misspelt key is also a missing one: the misspelling is what helps.
        ranked.append((details["type"] == "missing", source.place(mistake.path, at_key=mistake.at_key), mistake))
    raise min(ranked, key=lambda entry: entry[:2])[2]


def checked_id(value: object, path: KeyPath, source: Source) -> str:
    """`value` as an event's id. Raises Mistake where it isn't one."""
    if not isinstance(value, str):
        raise not_text(value, path, source, EVENT_ID)
    if re.fullmatch(EVENT_ID, value) is None:
        raise Mistake(path, f"{quoted(value)} {BREACHES[EVENT_ID]}")
    return value


def unknown_key(key: str, valid: Collection[str], planned: Collection[str], path: KeyPath) -> Mistake:
    """The mistake of a key that its mapping doesn't have. `path` ends with the key."""
    if key == "<<":
        return Mistake(path, "merge keys (<<) can't be used; write the keys out", at_key=True)
    if key in planned:
        return Mistake(path, f"`{key}` is not supported yet; leave it out", at_key=True)
    return Mistake(path, f"unknown key {quoted(key)}{suggestion(key, valid)}", at_key=True)


def not_text(value: object, path: KeyPath, source: Source, pattern: str = NOT_BLANK) -> Mistake:
    """The mistake of a value that isn't text where text of `pattern` must stand, with what the author wrote."""
    written = source.written(path)
    if written is None:
        mend = "write a text, in quotes if it begins with [ or {"
        return Mistake(path, f"text is expected here, not {_reading(value)}; {mend}")
    if written == "":
        return Mistake(path, "nothing is written here, which YAML reads as null; write a value or leave the key out")
    if re.search(pattern, written) is None:
        return Mistake(path, f"{plain(written)} {BREACHES[pattern]}")
    if value is None:
        mend = f"leave the key out, or write it in quotes if it is text: {quoted(written)}"
        return Mistake(path, f"YAML reads {plain(written)} as no value; {mend}")
    read = f"YAML reads {plain(written)} as {_reading(value, written)}, not as text"
    return Mistake(path, f"{read}; write it in quotes: {quoted(written)}")


def _refuse_nulls(model: type[Part], value: Any, path: KeyPath, source: Source) -> None:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if inner is None:
            if key not in model.clearable:
                raise not_text(None, (*path, key), source)
        elif model is ScenarioFile and key == "timeline":
            continue  # raw here: each event is validated in its turn, and an update may clear with null
        elif isinstance(inner, dict | list):
            _refuse_nulls(Part, inner, (*path, key), source)


def _mistake(model: type[Part], details: ErrorDetails, value: Any, path: KeyPath, source: Source) -> Mistake:
    location = details["loc"]
    inner, holder = _resolved(location, value)
    where = (*path, *inner)
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    if location and location[-1] == "[key]":
        broken = context["error"] if kind == "value_error" else f"{quoted(given)} {BREACHES[context['pattern']]}"
        return Mistake(where, str(broken), at_key=True)
    match kind:
        case "missing":
            return Mistake(where, f"`{location[-1]}` is missing here; add it")
        case "extra_forbidden" | "invalid_key":
            owner = _model_at(model, inner[:-1])
            planned = PLANNED_KEYS.get(owner, frozenset()) if owner is not None else ()
            return unknown_key(str(location[-1]), _fields(owner), planned, where)
        case "string_type":
            return not_text(given, where, source, _pattern_at(model, inner))
        case "string_pattern_mismatch":
            return Mistake(where, f"{quoted(given)} {BREACHES[context['pattern']]}")
        case "literal_error":
            return _not_listed(given, context["expected"], where, holder)
        case "value_error":
            return Mistake(where, str(context["error"]))
        case _:
            return Mistake(where, f"{_expectation(kind, location, context)}, not {_shown(given, where, source)}")


def _resolved(location: tuple[int | str, ...], value: Any) -> tuple[KeyPath, Any]:
    """The steps of `location` that are in the file (pydantic adds names of its own), and the last step's key."""
    steps: list[int | str] = []
    for step in location:
        named = isinstance(value, dict) and step in value
        if named or (isinstance(value, list) and isinstance(step, int)):
            steps.append(step)
            value = value[step]
    return tuple(steps), steps[-1] if steps else None


def _not_listed(given: Any, expected: str, where: KeyPath, key: Any) -> Mistake:
    valid = re.findall(r"'([^']*)'", expected)
    if not isinstance(given, str):
        return Mistake(where, f"{_reading(given)} can't stand here; write {' or '.join(valid)}")
    if given in PLANNED_VALUES.get(key, ()):
        return Mistake(where, f"`{key}: {given}` is not supported yet; leave `{key}` out")
    return Mistake(where, f"{quoted(given)} can't stand here{suggestion(given, valid)}")


def _expectation(kind: str, location: tuple[int | str, ...], context: Mapping[str, Any]) -> str:
    match kind:
        case "int_type" | "float_type":
            whole = kind == "int_type" and location[-1] not in _NUMBER_BRANCHES
            return "a whole number is expected here" if whole else "a number is expected here"
        case "bool_type":
            return "true or false is expected here"
        case "tuple_type" | "list_type":
            return "a list is expected here ([a, b])"
        case "dict_type" | "model_type":
            return "a mapping is expected here (key: value)"
        case "too_short":
            least = context["min_length"]
            return f"at least {'one is' if least == 1 else f'{least} are'} expected here"
        case "too_long":
            return f"at most {context['max_length']} are expected here"
        case "greater_than_equal":
            return f"at least {context['ge']} is expected here"
        case "less_than_equal":
            return f"at most {context['le']} is expected here"
        case "finite_number":
            return "a finite number is expected here"
        case _:
            raise AssertionError(f"the schema has a rule without words: {kind}")


def _shown(given: Any, where: KeyPath, source: Source) -> str:
    written = source.written(where)
    if written is None:
        return _reading(given)
    if given is None:
        return "nothing"
    if isinstance(given, str):
        return f"the text {quoted(given)}"
    return plain(written) if written == str(given) else f"{plain(written)}, which YAML reads as {_reading(given)}"


def _reading(value: object, written: str = "") -> str:
    match value:
        case None:
            return "no value"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number" if str(value) == written else f"the number {value}"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "a mapping"


def _fields(model: type[Part] | None) -> dict[str, FieldInfo]:
    """The fields by their keys in the file."""
    return {} if model is None else {field.alias or name: field for name, field in model.model_fields.items()}


def _model_at(model: type[Part] | None, path: KeyPath) -> type[Part] | None:
    """The model of the mapping at `path` below `model`; a mapping whose keys are free has none of its own."""
    free = False
    for step in path:
        if free:
            free = False
        elif isinstance(step, str):
            field = _fields(model).get(step)
            model = None if field is None else _part_in(field.annotation)
            free = field is not None and get_origin(field.annotation) is Mapping
    return None if free else model


def _pattern_at(model: type[Part], path: KeyPath) -> str:
    """The pattern of the text at `path` below `model`."""
    keys = [step for step in path if isinstance(step, str)]
    field = _fields(_model_at(model, tuple(keys[:-1]))).get(keys[-1]) if keys else None
    return NOT_BLANK if field is None else _pattern_in((field.annotation, *field.metadata)) or NOT_BLANK


def _pattern_in(parts: Iterable[Any]) -> str | None:
    for part in parts:
        pattern = getattr(part, "pattern", None) or _pattern_in(get_args(part))
        if isinstance(pattern, str):
            return pattern
    return None


def _part_in(annotation: Any) -> type[Part] | None:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return annotation
    return next((part for inner in get_args(annotation) if (part := _part_in(inner)) is not None), None)
