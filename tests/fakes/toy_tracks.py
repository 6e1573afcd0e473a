"""Toy environments and agents for what the driver must carry on every track, and for planting faults in it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import orjson

from envs.answers import TextGold
from envs.canonical import digest
from envs.errors import OperationError
from envs.protocol import (
    Answer,
    Environment,
    Item,
    Json,
    Key,
    Model,
    Observation,
    Question,
    Record,
    RowKey,
    Setting,
    ToolPack,
    Tools,
    ToolSpec,
    View,
)

START = datetime(2025, 5, 1, tzinfo=UTC)


class LiveClock:
    """Simulated time where a call costs `cost` seconds; 0 is a frozen clock."""

    def __init__(self, cost: float) -> None:
        self._now, self._cost = START, timedelta(seconds=cost)

    def now(self) -> datetime:
        return self._now

    def charge(self) -> None:
        self._now += self._cost

    def advance(self, to: datetime) -> None:
        assert to >= self._now
        self._now = to


class Document:
    """Open loop: one chunk a turn, the same independent questions after each."""

    def __init__(self, name: str, chunks: Sequence[str], questions: int, *, open_loop: bool = True) -> None:
        self.setting = Setting(name, "briefing", "rules", open_loop, 7)
        self.clock = LiveClock(0)
        self._chunks, self._questions = chunks, questions
        self._turn = -1

    async def reset(self) -> Observation:
        return await self.step(())

    async def step(self, answers: Sequence[Answer]) -> Observation:
        self._turn += 1
        item = Item(f"c{self._turn}", START, "chunk", self._chunks[self._turn])
        questions = tuple(Question(f"q{n}", f"what {n}?", "independent") for n in range(self._questions))
        return Observation(self._turn, START, (item,), questions, self._turn == len(self._chunks) - 1)

    def packs(self, question: Question) -> Sequence[ToolPack]:
        return ()

    def arrivals(self) -> tuple[Item, ...]:
        return ()

    def findings(self, question: Question) -> Mapping[str, bool]:
        return {}

    async def close(self) -> None:
        return None


class OfficePack:
    """Reads the office's events up to now and what was written; a write makes a colleague react 30 seconds later."""

    def __init__(self, office: Office, written: list[str], *, fork: bool) -> None:
        self._office, self._written, self._fork = office, written, fork

    def specs(self) -> Sequence[ToolSpec]:
        schema = {"type": "object", "properties": {}}
        return (
            ToolSpec("slack_read", "slack.read", "read", "read", schema, reads=True),
            ToolSpec("slack_send", "slack.send", "send", "send", schema, writes=True),
        )

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        if op == "slack.send":
            if "text" not in arguments:
                raise OperationError("invalid_arguments", "text: missing")
            self._written.append(arguments["text"])
            if not self._fork:
                self._office.react(now, arguments["text"])
            return '{"ok":true}'
        seen = [text for at, text in self._office.events if START + timedelta(seconds=at) <= now]
        return orjson.dumps({"messages": seen + self._written}).decode()


class Office:
    """Closed loop: sequential questions two hours apart, a probe beside the first, reactions, a clock that may run."""

    def __init__(self, cost: float = 0, *, probe: bool = True, leaky_probe: bool = False) -> None:
        self.setting = Setting("office", "You are Bo", "rules", False, 7)
        self.clock = LiveClock(cost)
        self.events: list[tuple[float, str]] = [(1, "hi"), (70, "moved to Tue"), (7200, "moved to Wed")]
        self._written: list[str] = []
        self._seen = START
        self._turn = -1
        self._probe, self._leaky_probe = probe, leaky_probe

    async def reset(self) -> Observation:
        return await self.step(())

    async def step(self, answers: Sequence[Answer]) -> Observation:
        self._turn += 1
        self.clock.advance(max(self.clock.now(), START + timedelta(hours=2 * self._turn, seconds=60)))
        asked = [Question(f"Q{self._turn}", f"question {self._turn}", "sequential")]
        if self._turn == 0 and self._probe:
            asked.insert(0, Question("probe", "when?", "independent"))
        return Observation(self._turn, self.clock.now(), self.arrivals(), tuple(asked), self._turn == 2)

    def react(self, now: datetime, text: str) -> None:
        self.events.append(((now - START).total_seconds() + 30, f"re: {text}"))
        self.events.sort()

    def arrivals(self) -> tuple[Item, ...]:
        def at(event: tuple[float, str]) -> datetime:
            return START + timedelta(seconds=event[0])

        new = [event for event in self.events if self._seen < at(event) <= self.clock.now()]
        self._seen = self.clock.now()
        return tuple(Item(f"n{event[0]:g}", at(event), "notification", event[1]) for event in new)

    def packs(self, question: Question) -> Sequence[ToolPack]:
        fork = question.mode == "independent"
        written = list(self._written) if fork and not self._leaky_probe else self._written
        return (OfficePack(self, written, fork=fork and not self._leaky_probe),)

    def findings(self, question: Question) -> Mapping[str, bool]:
        return {"wrote": bool(self._written)}

    async def close(self) -> None:
        return None


@dataclass(frozen=True)
class ToyInstance:
    """An instance around a function that makes its environment; every gold is `x`."""

    id: str
    make: Any
    rows: tuple[tuple[str, int], ...] = ()
    track: str = "toy"
    fingerprint: str = "toy"

    def expected(self) -> Sequence[tuple[str, int]]:
        return self.rows

    def environment(self, seed: int) -> Environment:
        made: Environment = self.make()
        return made

    def key(self, row: RowKey) -> Key:
        return Key(TextGold(("x",)))


@dataclass(frozen=True)
class Seen:
    """A view that holds its items."""

    items: tuple[Item, ...] = ()
    durable: bool = True
    tokens: int = 0


class Reader:
    """`base` puts all chunks into the prompt, `rag` two by rank, `memory` rewrites one state and so isn't durable.

    `plant` makes a fault: `peeks`, the answer reads what was observed after its view; `lies`, a state that changes is
    called durable; `shares`, answers under way at the same time share a scratch pad.
    """

    def __init__(
        self,
        kind: Literal["base", "rag", "memory"],
        *,
        plant: Literal["", "peeks", "lies", "shares"] = "",
        parallel: bool = True,
    ) -> None:
        self.order: Literal["turn", "question"] = "question" if kind == "rag" else "turn"
        self.parallel = parallel
        self.running = self.peak = 0
        self._kind, self._plant = kind, plant
        self._scratch = ""
        self._items: tuple[Item, ...] = ()
        self._state = ""

    async def start(self, setting: Setting) -> None:
        return None

    async def observe(self, observation: Observation, model: Model) -> View:
        assert observation.questions == ()
        self._items += observation.items
        if self._kind == "memory":
            self._state = await ask(model, self._state + "".join(item.text for item in observation.items))
            return Seen(durable=self._plant == "lies")
        return Seen(self._items)

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        assert isinstance(view, Seen)
        texts = [item.text for item in (self._items if self._plant == "peeks" else view.items)]
        if self._kind == "rag":
            texts = sorted(texts, key=lambda text: hashlib.sha256((question.id + text).encode()).digest())[:2]
        context = self._state if self._kind == "memory" else "".join(texts)
        self.running += 1
        self.peak = max(self.peak, self.running)
        self._scratch = context + question.text
        await asyncio.sleep(0)
        prompt = self._scratch if self._plant == "shares" else context + question.text
        answer = Answer(question.id, await ask(model, prompt), "answer")
        self.running -= 1
        return answer

    async def close(self) -> None:
        return None


class Chat:
    """One conversation over the sequential questions; an independent one in a copy, unless `leaves` plants a trace."""

    order: Literal["turn", "question"] = "turn"
    parallel = True

    def __init__(self, *, leaves: Literal["", "text", "call"] = "") -> None:
        self._history: list[str] = []
        self._leaves = leaves

    async def start(self, setting: Setting) -> None:
        self._history = [setting.briefing]

    async def observe(self, observation: Observation, model: Model) -> View:
        self._history += [item.text for item in observation.items]
        return Seen(durable=False)

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        fork = question.mode == "independent"
        history = list(self._history) if fork else self._history
        history.append(question.text)
        if fork and self._leaves == "text":
            self._history.append(question.text)
        for name, arguments in (
            ("slack_read", "{}"),
            ("slack_send", f'{{"text":"ping {question.id}"}}'),
            ("nope", "[1"),
        ):
            result = await tools.call(name, arguments)
            told = [result.text, *(notice.text for notice in result.notices)]
            history += told
            if fork and self._leaves == "call":
                self._history += told
        history.append(await ask(model, "|".join(history)))
        return Answer(question.id, history[-1], "answer")

    async def close(self) -> None:
        return None


async def ask(model: Model, prompt: str) -> str:
    reply = await model.complete({"prompt": prompt})
    text: str = reply["text"]
    return text


class ToyModels:
    """A model that hashes its prompt, behind a record; counts what it sent and what went live."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.sent: list[tuple[str, str]] = []
        self.live = 0

    def __call__(self, scope: str) -> Model:
        return _ToyModel(self, self._record, scope)


@dataclass
class _ToyModel:
    models: ToyModels
    record: Record
    scope: str
    ordinal: int = field(default=0)

    async def complete(self, request: Mapping[str, Json]) -> Mapping[str, Json]:
        ordinal, self.ordinal = self.ordinal, self.ordinal + 1
        self.models.sent.append((self.scope, request["prompt"]))
        reply: dict[str, Json] | None = self.record.reply(self.scope, ordinal, digest(request))
        if reply is None:
            self.models.live += 1
            await asyncio.sleep(0)
            reply = {"text": "A" + hashlib.sha256((self.scope + request["prompt"]).encode()).hexdigest()[:6]}
            await self.record.exchange(self.scope, ordinal, digest(request), reply, {})
        return reply


class Mailbox:
    """An outside agent as an Agent: `answer` waits until somebody submits. The driver is unchanged."""

    order: Literal["turn", "question"] = "turn"
    parallel = False

    def __init__(self) -> None:
        self._changed = asyncio.Condition()
        self._items: list[str] = []
        self._question: Question | None = None
        self._answer: asyncio.Future[str] | None = None
        self._over = False

    async def start(self, setting: Setting) -> None:
        return None

    async def observe(self, observation: Observation, model: Model) -> View:
        self._items += [item.text for item in observation.items]
        return Seen(durable=False)

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        async with self._changed:
            self._question, self._answer = question, asyncio.get_running_loop().create_future()
            self._changed.notify_all()
        return Answer(question.id, await self._answer, "answer")

    async def close(self) -> None:
        async with self._changed:
            self._over, self._question = True, None
            self._changed.notify_all()

    async def get_task(self) -> dict[str, Any]:
        async with self._changed:
            await self._changed.wait_for(lambda: self._over or self._waiting())
        if self._question is None:
            return {"end": True}
        return {"question": self._question.id, "ask": self._question.text, "arrived": self._items}

    def _waiting(self) -> bool:
        return self._question is not None and self._answer is not None and not self._answer.done()

    async def submit_answer(self, question: str, text: str) -> dict[str, Any]:
        if self._question is None or self._answer is None or self._question.id != question:
            return {"error": "not_current"}
        self._items = []
        self._answer.set_result(text)
        await asyncio.sleep(0)
        return await self.get_task()
