"""One question put to the model: steps, their limits, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from agents.aliases import Limits
from agents.conversation import Conversation
from agents.prompt import prompt
from agents.styles.style import Style
from agents.turn import Stage, ToolCall, Turn
from envs import canonical
from envs.clock import format_instant
from envs.errors import Fault
from envs.protocol import Answer, Code, Item, Json, Model, ToolResult, Tools, ToolSpec

_NO_ANSWER = "(no answer)"
"""Stands for the assistant's turn where a question ended without text; no server takes an empty one."""

_SPARE_FOR_REPLY = 1_024
"""Tokens of the window that are kept for a reply whose length is not limited."""


@dataclass(slots=True)
class Asking:
    """`spent`: tokens of the episode so far, these included. The conversation ends as one that can go on."""

    style: Style
    limits: Limits
    context_tokens: int
    conversation: Conversation
    specs: Sequence[ToolSpec]
    tools: Tools
    model: Model
    spent: int
    usage: Counter[str] = field(default_factory=Counter)
    called: int = 0
    repeated: Counter[tuple[str, str]] = field(default_factory=Counter)

    async def run(self, question: str) -> Answer:
        """The answer to the question that the conversation ends with."""
        try:
            turn = await self._steps()
        except Fault as fault:
            return Answer(question, None, "fault", fault.kind, str(fault), self._used())
        finally:
            self.conversation.close_question(self.style.answered(_NO_ANSWER))
        assert turn.code is not None
        if turn.code == "refused":
            return Answer(question, None, "refused", detail=turn.text, usage=self._used())
        return Answer(question, turn.text, turn.code, usage=self._used())

    async def _steps(self) -> Turn:
        nudged = False
        for step in range(self.limits.steps):
            stage = self._stage(step)
            if stage == "answer" and self.specs:
                self.conversation.note(prompt("last_step"))
            if not self._make_room(stage):
                return Turn(code="token_limit")
            turn = self.style.read(await self._complete(stage), self.specs)
            if turn.calls:
                if stage == "answer":
                    break
                code = await self._run_calls(turn)
                if code is not None:
                    return Turn(code=code)
            elif nudged or step == self.limits.steps - 1 or not _worth_a_nudge(turn):
                return self._end(turn)
            else:
                nudged = True
                self.conversation.note(self.style.repair if turn.unreadable else prompt("nudge"))
        return Turn(code="step_limit")

    def _stage(self, step: int) -> Stage:
        if step == self.limits.steps - 1 or not self.specs:
            return "answer"
        return "calls" if step == 0 and self.limits.call_first else "any"

    def _end(self, turn: Turn) -> Turn:
        if turn.text and turn.code != "refused":
            self.conversation.add(self.style.answered(turn.text))
        elif turn.code == "overflow":
            # Our estimate was wrong, and the next question must not meet the same end.
            self._cut(self.conversation.size // 2)
        return turn

    async def _complete(self, stage: Stage) -> Mapping[str, Json]:
        size = self.conversation.size + self.style.overhead(self.specs)
        request = self.style.request(list(self.conversation.messages), self.specs, stage)
        reply = await self.model.complete(request)
        dropped = reply.get("dropped", ())
        if refused := self.style.needs.intersection(dropped):
            names = ", ".join(sorted(refused))
            raise Fault("endpoint", f"the endpoint does not take {names}: the alias needs another `style`")
        self.usage["requests"] += 1
        self.usage["dropped"] = max(self.usage["dropped"], len(dropped))
        for kind, tokens in reply["usage"].items():
            self.usage[kind] += tokens
        prompt_tokens = reply["usage"].get("prompt", 0)
        self.spent += (prompt_tokens or self.conversation.tokens(size)) + reply["usage"].get("completion", 0)
        self.conversation.learn(size, prompt_tokens)
        return reply

    def _make_room(self, stage: Stage) -> bool:
        """Cuts old texts where the window would overflow; False where the episode's tokens don't allow a request."""
        size = self.conversation.size + self.style.overhead(self.specs)
        if self.conversation.tokens(size) + self._spare(stage) > self.context_tokens:
            half = self.conversation.characters(self.context_tokens // 2)
            self._cut(half - self.style.overhead(self.specs))
            size = self.conversation.size + self.style.overhead(self.specs)
        budget = self.limits.episode_tokens
        return budget is None or self.spent + self.conversation.tokens(size) <= budget

    def _spare(self, stage: Stage) -> int:
        """Tokens of the window to keep for the reply: all that the request allows it, for endpoints count so."""
        asked = self.style.request((), self.specs, stage).get("max_tokens")
        if asked is None:
            return min(_SPARE_FOR_REPLY, self.context_tokens // 4)
        return int(min(asked, self.context_tokens // 2))

    def _cut(self, size: int) -> None:
        self.usage["context_cuts"] += self.conversation.cut(size, self.style.answered(prompt("removed_text")))

    async def _run_calls(self, turn: Turn) -> Code | None:
        """Runs the turn's calls, each to one result, in order; the code of the limit that ends the question, if any."""
        code: Code | None = None
        results: list[str] = []
        for call in turn.calls:
            code = code or self._limit(call)
            if code is None:
                results.append(self._shown(await self.tools.call(call.name, call.arguments)))
            else:
                results.append(_not_executed(code))
        self.conversation.add_exchange(*self.style.exchange(self.conversation, turn, results))
        return code

    def _limit(self, call: ToolCall) -> Code | None:
        self.called += 1
        if self.called > self.limits.calls:
            return "call_limit"
        key = call.name, _canonical(call.arguments)
        self.repeated[key] += 1
        return "repeated_calls" if self.repeated[key] >= self.limits.repeats else None

    def _shown(self, result: ToolResult) -> str:
        text, most = result.text, self.limits.result_chars
        if len(text) > most:
            text = f"{text[:most]}... [{most} of {len(text)} characters shown: ask for less, or for the next page]"
        if result.notices:
            text = f"{text}\n\n{prompt('arrived').strip().format(items=listed(result.notices))}"
        return text

    def _used(self) -> dict[str, int]:
        kept = ("prompt", "completion", "reasoning", "requests")
        return {kind: count for kind, count in sorted(self.usage.items()) if count or kind in kept}


def listed(items: Sequence[Item]) -> str:
    """Items as the model is shown them, a line each."""
    return "\n".join(f"- {format_instant(item.time)} {item.text}" for item in items)


def _worth_a_nudge(turn: Turn) -> bool:
    return turn.unreadable or turn.code in ("empty", "reasoning_only")


def _canonical(arguments: str) -> str:
    """The arguments in one spelling, so that white space and key order hide no repetition."""
    try:
        return canonical.dumps(orjson.loads(arguments or "{}")).decode()
    except (orjson.JSONDecodeError, TypeError):
        return arguments


def _not_executed(code: Code) -> str:
    result = {"ok": False, "error": "not_executed", "message": f"The question ended before this call: {code}."}
    return canonical.dumps(result).decode()
