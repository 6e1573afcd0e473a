"""Arguments are checked in one way, errors told in one wording, results sent in one order."""

from typing import Annotated, Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field
from typing_extensions import TypedDict

from envs.errors import OperationError
from servers.operation import Operation


class Echo(TypedDict):
    text: str
    limit: int
    only: str | None


def echo(
    view: str, text: Annotated[str, Field(description="anything")], limit: int = 5, only: str | None = None
) -> Echo:
    """Says it again.

    At length.
    """
    return {"text": f"{view}:{text}", "limit": limit, "only": only}


ECHO: Operation[str] = Operation("toy.echo", echo, reads=True)


def called(**arguments: Any) -> Any:
    return orjson.loads(ECHO("v", arguments))


def error(**arguments: Any) -> OperationError:
    with pytest.raises(OperationError) as caught:
        ECHO("v", arguments)
    return caught.value


def test_the_spec_comes_from_the_function() -> None:
    spec = ECHO.spec
    assert (spec.name, spec.op, spec.summary, spec.reads) == ("echo", "toy.echo", "Says it again.", True)
    assert spec.description == "Says it again.\n\nAt length."
    assert spec.schema == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "anything"},
            "limit": {"type": "integer", "default": 5},
            "only": {"type": "string"},
        },
        "required": ["text"],
        "additionalProperties": False,
    }
    assert spec.output is not None
    assert spec.output["properties"]["only"] == {"type": ["string", "null"]}
    assert spec.output["additionalProperties"] is False


def test_the_result_is_compact_and_in_the_declared_order() -> None:
    assert ECHO("v", {"text": "ü"}) == '{"text":"v:ü","limit":5,"only":null}'


def test_null_for_an_optional_argument_counts_as_absent() -> None:
    assert called(text="a", limit=None, only=None) == called(text="a")
    assert error(text=None).message == "`text` must be a text"


@pytest.mark.parametrize("limit", [7, "7", " 7 ", 7.0])
def test_numbers_are_taken_from_text(limit: object) -> None:
    assert called(text="a", limit=limit)["limit"] == 7


@given(st.text(st.characters(exclude_categories=["Cs"])))
@settings(deadline=None, max_examples=50)
def test_strings_stay_as_they_are(text: str) -> None:
    assert called(text=text)["text"] == f"v:{text}"


@pytest.mark.parametrize("text", ["12345", "true", "{}", "null", "1e3", " 7 "])
def test_strings_that_look_like_something_else_stay_strings(text: str) -> None:
    assert called(text=text)["text"] == f"v:{text}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`text` is required"),
        ({"text": 5}, "`text` must be a text"),
        ({"text": ["a"]}, "`text` must be a text"),
        ({"text": "a", "limit": "many"}, "`limit` must be a whole number"),
        ({"text": "a", "limit": 1.5}, "`limit` must be a whole number"),
        ({"limit": {}}, "`text` is required; `limit` must be a whole number"),
    ],
)
def test_bad_arguments_have_one_wording(arguments: dict[str, Any], message: str) -> None:
    found = error(**arguments)
    assert (found.code, found.message) == ("invalid_arguments", message)


def test_the_error_holds_neither_the_input_nor_a_link() -> None:
    found = error(text="a", limit="secret-input")
    assert "secret" not in found.message
    assert "http" not in found.message


def test_an_unknown_argument_names_the_nearest() -> None:
    found = error(text="a", Limt=3)
    assert (found.code, found.message) == ("unknown_argument", "there is no argument `Limt`")
    assert found.hint == "did you mean `limit`? the arguments are text, limit, only"
    assert error(text="a", zzz=3).hint == "the arguments are text, limit, only"
