"""The messages of one episode, always such that the strictest server takes them as they stand.

Messages are never changed in place: a fork shares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
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

    def fork(self) -> Conversation:
        """A copy that leaves this one as it is."""
        return Conversation(list(self.messages), self.size, self.ids, self.ratio, list(self.exchanges))

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

    def cut(self, size: int, gone: Message) -> bool:
        """Puts stubs in place of old texts until at most `size` characters are left; whether any was.

        Results go first, as they can be had again, then what the assistant said (`gone` is its stub), then earlier
        questions; the oldest of each first. What the model has yet to answer to stays: the question, the last results.
        """
        before = self.size
        for index, message in chain(self._old_results(), self._old_turns(gone), self._old_questions()):
            if self.size <= size:
                break
            if _characters(message) < _characters(self.messages[index]):
                self._replace(index, message)
        return self.size < before

    def _old_results(self) -> Iterator[tuple[int, Message]]:
        for exchange in self.exchanges:
            if exchange.stop < len(self.messages):
                for index in exchange:
                    yield index, {**self.messages[index], "content": prompt("removed")}

    def _old_turns(self, gone: Message) -> Iterator[tuple[int, Message]]:
        for index, message in enumerate(self.messages):
            if message["role"] == "assistant":
                yield index, _emptied(message, gone)

    def _old_questions(self) -> Iterator[tuple[int, Message]]:
        results = {index for exchange in self.exchanges for index in exchange}
        asked = [n for n, message in enumerate(self.messages) if message["role"] == "user" and n not in results]
        for index in asked[:-1]:
            yield index, {**self.messages[index], "content": prompt("removed_text")}

    def _replace(self, index: int, message: Message) -> None:
        self.size += _characters(message) - _characters(self.messages[index])
        self.messages[index] = message


def _characters(message: Message) -> int:
    size = len(message["content"] or "")
    for call in message.get("tool_calls", ()):
        size += len(call["function"]["name"]) + len(call["function"]["arguments"])
    return size


def _emptied(turn: Message, gone: Message) -> Message:
    """An assistant's turn without its text and its calls' arguments; the calls stay, for their results do."""
    if "tool_calls" not in turn:
        return gone
    calls = [{**call, "function": {**call["function"], "arguments": "{}"}} for call in turn["tool_calls"]]
    return {**turn, "content": None, "tool_calls": calls}
