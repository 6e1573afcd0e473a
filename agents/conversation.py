"""The messages of one episode, always such that the strictest server takes them as they stand.

Messages are never changed in place: a fork shares them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.prompt import prompt

Message = Mapping[str, Any]

_FIRST_RATIO = 0.25
"""Tokens a character, before the first reply tells the true figure."""

_RATIOS = (0.1, 1.0)


@dataclass(slots=True)
class Conversation:
    """`size`: characters of all messages. `ids`: tool call ids given out. `exchanges`: where the results lie."""

    messages: list[Message] = field(default_factory=list)
    size: int = 0
    ids: int = 0
    ratio: float = _FIRST_RATIO
    exchanges: list[range] = field(default_factory=list)
    stubbed: int = 0

    def fork(self) -> Conversation:
        """A copy that leaves this one as it is."""
        return Conversation(list(self.messages), self.size, self.ids, self.ratio, list(self.exchanges), self.stubbed)

    def add(self, message: Message) -> None:
        self.messages.append(message)
        self.size += _characters(message)

    def add_exchange(self, turn: Message, results: Sequence[Message]) -> None:
        """An assistant's turn with calls and all its results, at once, so that no call ever stands unanswered."""
        self.add(turn)
        start = len(self.messages)
        for result in results:
            self.add(result)
        self.exchanges.append(range(start, len(self.messages)))

    def note(self, text: str) -> None:
        """Appends to the last message, the user's or a result: a message of its own would break the alternation."""
        last = self.messages[-1]
        self._replace(len(self.messages) - 1, {**last, "content": f"{last['content']}\n\n{text}"})

    def close_question(self, said: Message) -> None:
        """Gives the assistant the last word, `said`, if it has not had it."""
        if self.messages[-1]["role"] != "assistant":
            self.add(said)

    def next_id(self) -> str:
        """Our own ids: nine letters and digits, as the strictest server wants them."""
        self.ids += 1
        return f"call{self.ids:05d}"

    def tokens(self, size: int) -> int:
        """About how many tokens so many characters are."""
        return int(size * self.ratio)

    def characters(self, tokens: int) -> int:
        """About how many characters so many tokens are."""
        return int(tokens / self.ratio)

    def learn(self, size: int, tokens: int) -> None:
        """A prompt of `size` characters had so many tokens."""
        if size and tokens:
            low, high = _RATIOS
            self.ratio = min(max(tokens / size, low), high)

    def cut(self, size: int) -> bool:
        """Replaces the oldest exchanges' results by stubs until at most `size` characters are left; whether any was.

        The last exchange stays: the model has not answered to it yet.
        """
        before = self.stubbed
        stub = prompt("removed")
        while self.size > size and self.stubbed < len(self.exchanges) - 1:
            for index in self.exchanges[self.stubbed]:
                self._replace(index, {**self.messages[index], "content": stub})
            self.stubbed += 1
        return self.stubbed > before

    def _replace(self, index: int, message: Message) -> None:
        self.size += _characters(message) - _characters(self.messages[index])
        self.messages[index] = message


def _characters(message: Message) -> int:
    size = len(message["content"] or "")
    for call in message.get("tool_calls", ()):
        size += len(call["function"]["name"]) + len(call["function"]["arguments"])
    return size
