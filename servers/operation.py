"""Operations: plain typed functions over a platform's view, made callable with a model's JSON arguments."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Generic, NotRequired, TypeVar

import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from envs.errors import OperationError
from envs.protocol import Json, ToolSpec
from servers.schema import argument_schema, result_schema

ViewT = TypeVar("ViewT")

_EXPECTED = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


class Operation(Generic[ViewT]):
    """One tool: `function(view, **arguments)` with its argument check, its schemas and its result as JSON text.

    The function's first parameter is the platform's view, the rest are the tool's arguments, its return type is a
    TypedDict whose keys it gives in their declared order, the first line of its docstring is the tool's summary.
    """

    def __init__(
        self, op: str, function: Callable[..., Mapping[str, Json]], *, reads: bool, writes: bool = False
    ) -> None:
        """`reads`: it reads the timeline. `writes`: it changes something of the caller's own, and twice is as once."""
        hints = typing.get_type_hints(function, include_extras=True)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
        types = {p.name: NotRequired[hints[p.name]] if p.name in defaults else hints[p.name] for p in parameters}
        adapter = _arguments_adapter(function.__name__, types)
        description = inspect.getdoc(function)
        if not description:
            raise TypeError(f"{op} has no docstring, and that is the tool's description (python -OO drops them all)")
        self._function = function
        self._check = adapter.validator.validate_python
        self._optional = frozenset(defaults)
        self.spec = ToolSpec(
            name=function.__name__,
            op=op,
            summary=description.partition("\n")[0],
            description=description,
            schema=argument_schema(adapter, defaults),
            output=result_schema(TypeAdapter(hints["return"])),
            reads=reads,
            writes=writes,
            idempotent=writes,
        )

    def __call__(self, view: ViewT, arguments: Mapping[str, Json]) -> str:
        """The result as compact JSON text. Raises OperationError."""
        given = {key: value for key, value in arguments.items() if value is not None or key not in self._optional}
        try:
            checked = self._check(given)
        except ValidationError as error:
            raise self._explained(error) from None
        return orjson.dumps(self._function(view, **checked)).decode()

    def _explained(self, error: ValidationError) -> OperationError:
        """One wording for each kind of mistake, without the input and without the validator's own text."""
        properties = self.spec.schema["properties"]
        unknown, wrong = [], []
        for detail in error.errors(include_url=False, include_input=False, include_context=False):
            name = str(detail["loc"][0])
            if detail["type"] == "extra_forbidden":
                unknown.append(name)
            elif detail["type"] == "missing":
                wrong.append(f"`{name}` is required")
            else:
                wrong.append(f"`{name}` must be {_EXPECTED[properties[name]['type']]}")
        if not unknown:
            return OperationError("invalid_arguments", "; ".join(dict.fromkeys(wrong)))
        return _unknown_argument(unknown[0], tuple(properties))


def _arguments_adapter(name: str, types: dict[str, Any]) -> TypeAdapter[dict[str, Json]]:
    # Through Any, since no type checker follows a TypedDict that is made at run time.
    make: Any = TypedDict
    arguments = make(name, types)
    arguments.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(arguments)


def _unknown_argument(name: str, valid: tuple[str, ...]) -> OperationError:
    near = get_close_matches(name.lower(), valid, n=1)
    known = f"the arguments are {', '.join(valid)}" if valid else "it takes no arguments"
    hint = f"did you mean `{near[0]}`? {known}" if near else known
    return OperationError("unknown_argument", f"there is no argument `{name[:40]}`", hint=hint, candidates=tuple(near))
