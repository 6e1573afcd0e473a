"""Lines that the strict reading refuses: read again, or answered with an error that its sender can match."""

import json

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, jsonrpc_message_adapter

from servers.stdio import reread


def again(line: str) -> SessionMessage:
    """What is made of a line that the strict reading refuses."""
    with pytest.raises(ValueError, match="validation error") as caught:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    return reread(caught.value)


def test_lone_surrogates_reach_the_tool() -> None:
    message = again('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"x":"\\ud800"}}}')
    assert isinstance(message.message, JSONRPCRequest)
    assert message.message.params is not None
    assert message.message.params["arguments"] == {"x": "\ud800"}


@pytest.mark.parametrize(
    ("line", "code", "identity"),
    [
        ("\ufffd\ufffd garbage", -32700, None),
        ('{"jsonrpc":"2.0","id":', -32700, None),
        ("", -32700, None),
        ("[" * 10_000, -32700, None),
        ("[]", -32600, None),
        ("5", -32600, None),
        ('{"jsonrpc":"2.0","id":11}', -32600, 11),
        ('{"id":"a","method":"ping"}', -32600, "a"),
        ('{"jsonrpc":"2.0","id":true,"method":5}', -32600, None),
        ('{"jsonrpc":"2.0","id":"\\ud800","method":5}', -32600, None),
    ],
)
def test_anything_else_is_answered_once_with_its_id_where_it_has_one(line: str, code: int, identity: object) -> None:
    message = again(line).message
    assert isinstance(message, JSONRPCError)
    assert (message.error.code, message.id) == (code, identity)
    assert json.loads(message.model_dump_json(by_alias=True, exclude_unset=True))["id"] == identity


def test_an_exception_of_the_transport_is_answered_too() -> None:
    assert isinstance(reread(OSError("broken")).message, JSONRPCError)
