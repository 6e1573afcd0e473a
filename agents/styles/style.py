"""What a call style is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from agents.conversation import Conversation, Message
from agents.turn import Stage, Turn
from envs.protocol import Json, ToolSpec


class Style(Protocol):
    """Turns a conversation into a request, a reply into a turn, and a turn into messages."""

    @property
    def needs(self) -> frozenset[str]:
        """Request fields without which the style can't work; an endpoint that refuses one needs another style."""
        ...

    @property
    def repair(self) -> str:
        """What the model is told after a reply that isn't in the style's form."""
        ...

    def system(self, specs: Sequence[ToolSpec]) -> str:
        """What the system message says beside briefing and rules; may be empty."""
        ...

    def request(self, messages: Sequence[Message], specs: Sequence[ToolSpec], stage: Stage) -> dict[str, Any]: ...

    def read(self, reply: Mapping[str, Json], specs: Sequence[ToolSpec]) -> Turn: ...

    def exchange(
        self, conversation: Conversation, turn: Turn, results: Sequence[str]
    ) -> tuple[Message, Sequence[Message]]:
        """The assistant's turn with its calls, and one message for each result, in call order."""
        ...

    def answered(self, text: str) -> Message:
        """The assistant's turn with its answer."""
        ...

    def overhead(self, specs: Sequence[ToolSpec]) -> int:
        """Characters that a request has beside its messages."""
        ...
