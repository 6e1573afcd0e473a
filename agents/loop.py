"""The tool loop: one conversation over an episode's questions; each is worked on until it is answered or bounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents.aliases import Limits
from agents.asking import Asking, listed
from agents.conversation import Conversation
from agents.prompt import prompt
from agents.styles.style import Style
from envs.clock import format_instant
from envs.protocol import Answer, Item, Model, Observation, Question, Setting, ToolPack, Tools, View


@dataclass(frozen=True, slots=True)
class LoopView:
    """The instant and what has arrived since the last sequential question. The rest is the conversation itself."""

    time: datetime
    arrived: tuple[Item, ...]
    tokens: int
    durable: bool = False


class ToolLoop:
    """`protocol.Agent` with a continuous context. An independent question is answered in a copy, then dropped.

    `context_tokens`: the model's window.
    """

    order: Literal["turn", "question"] = "turn"
    parallel = True

    def __init__(self, style: Style, limits: Limits, context_tokens: int) -> None:
        self._style = style
        self._limits = limits
        self._context_tokens = context_tokens
        self._introduction = ""
        self._conversation = Conversation()
        self._arrived: tuple[Item, ...] = ()
        self._spent = 0

    async def start(self, setting: Setting) -> None:
        self._introduction = "\n\n".join(part for part in (setting.briefing, setting.rules) if part)
        self._conversation = Conversation()
        self._arrived = ()
        self._spent = 0

    async def observe(self, observation: Observation, model: Model) -> View:
        """Keeps what arrived for the next question; no model request."""
        self._arrived += observation.items
        return LoopView(observation.time, self._arrived, self._conversation.tokens(self._conversation.size))

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        """The answer, whatever the model does; a Fault becomes `Answer.fault`."""
        assert isinstance(view, LoopView)
        sequential = question.mode == "sequential"
        conversation = self._conversation if sequential else self._conversation.fork()
        specs = tuple(tools.specs())
        if not conversation.messages:
            parts = [part for part in (self._introduction, self._style.system(specs)) if part]
            conversation.add({"role": "system", "content": "\n\n".join(parts)})
        conversation.add({"role": "user", "content": _asked(question, view)})
        if sequential:
            self._arrived = ()
        asking = Asking(
            self._style, self._limits, self._context_tokens, conversation, specs, tools, model, spent=self._spent
        )
        answer = await asking.run(question.id)
        if sequential:
            self._spent = asking.spent
        return answer

    async def close(self) -> None:
        """Holds nothing that needs closing."""


def _asked(question: Question, view: LoopView) -> str:
    text = question.text
    if question.choices:
        text += "\n" + "\n".join(f"- {choice}" for choice in question.choices)
    arrived = prompt("arrived").format(items=listed(view.arrived)) if view.arrived else ""
    return prompt("question").format(time=format_instant(view.time), arrived=arrived, question=text)
