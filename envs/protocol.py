"""What environments, agents, judges and records say to one another; every seam is here.

One rule carries all tracks: `observe` returns a View, and `answer` may use nothing but its View, its question and its
tools. A durable View stays true after later observations, so its questions may be asked late, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from envs.answers import Gold
from envs.errors import FaultKind

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with text keys."""

Code = Literal[
    "answer",
    "empty",
    "reasoning_only",
    "text_call",
    "refused",
    "truncated",
    "overflow",
    "step_limit",
    "call_limit",
    "token_limit",
    "repeated_calls",
    "fault",
]
"""How the model's reply ended. All but `answer` and `fault` are the model's doing and score 0 unjudged."""


class RowKey(NamedTuple):
    """Names one prediction, everywhere: records, resume, judges, seeds. `turn` is the observation's index from 0."""

    instance: str
    question: str
    turn: int
    trial: int


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that arrived: a notification, a chunk, a fact. `time` is simulated."""

    id: str
    time: datetime
    kind: str
    text: str
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """What the agent may see. `independent`: the agent must end as it began (no history, no writes kept)."""

    id: str
    text: str
    mode: Literal["sequential", "independent"]
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """One turn. At most one sequential question a turn. `done`: nothing more comes (items may still be there)."""

    turn: int
    time: datetime
    items: tuple[Item, ...]
    questions: tuple[Question, ...]
    done: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """`code` says how the reply ended. `fault` is ours and goes with code `fault` and no text: the row is unscored.

    `usage`: tokens of the row's model requests, by kind (prompt, completion, reasoning), and `requests`; where they
    happened, `context_cuts` (times that old texts gave way) and `dropped` (most parameters that a request lost).
    `detail`: a sentence for people, never for a judge.
    """

    question: str
    text: str | None
    code: Code
    fault: FaultKind | None = None
    detail: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.fault is not None) != (self.code == "fault") or (self.fault and self.text is not None):
            raise ValueError("an answer has a fault and code `fault` together, and then no text")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """`op` (`slack.get_channel_messages`) is the identity for scoring; `name` is what the profile shows.

    `summary` is one short line, for models with little context. `schema` is the flat JSON schema of the arguments,
    `output` that of the result. `reads`: the op reads the timeline, so that it counts as a tool call in efficiency.
    """

    name: str
    op: str
    summary: str
    description: str
    schema: Mapping[str, Json]
    output: Mapping[str, Json] | None = None
    reads: bool = False
    writes: bool = False
    destructive: bool = False
    idempotent: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is canonical JSON, the same bytes on every path; `notices` is what arrived while the call ran (live)."""

    text: str
    error: str | None = None
    notices: tuple[Item, ...] = ()


class ToolPack(Protocol):
    """Operations bound to one state: a platform's store, an agent's memory, the user's own MCP server."""

    def specs(self) -> Sequence[ToolSpec]: ...

    async def run(self, op: str, arguments: Mapping[str, Json], now: datetime) -> str:
        """The operation's result as canonical JSON text.

        Raises OperationError for what the model did wrong, Fault for what failed on our side; anything else is a bug,
        which the gateway reports to the model as `internal_error` without its text.
        """
        ...


class Tools(Protocol):
    """One caller's door to the gateway, which alone checks, gates by time, charges the clock and records."""

    def specs(self) -> Sequence[ToolSpec]: ...

    async def call(self, name: str, arguments: str | Mapping[str, Json] | None) -> ToolResult:
        """Never raises for what a model sent: unknown tool, bad JSON, wrong types are results with `error`."""
        ...


class Clock(Protocol):
    """Simulated time of one run. Frozen: `charge` does nothing. Live: it adds the cost of a call."""

    def now(self) -> datetime: ...
    def charge(self) -> None: ...
    def advance(self, to: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class Setting:
    """What an agent is told at the start. `open_loop`: what comes next does not depend on answers or calls."""

    instance: str
    briefing: str
    rules: str
    open_loop: bool
    seed: int


class Environment(Protocol):
    """One episode of one instance, driven turn by turn."""

    @property
    def setting(self) -> Setting: ...

    @property
    def clock(self) -> Clock: ...

    async def reset(self) -> Observation: ...

    async def step(self, answers: Sequence[Answer]) -> Observation:
        """The next turn. Open loop: `answers` may be empty (they come later). Raises RuntimeError after `done`."""
        ...

    def packs(self, question: Question) -> Sequence[ToolPack]:
        """The platforms' operations, () on tracks without. An independent question gets a copy-on-write overlay."""
        ...

    def arrivals(self) -> tuple[Item, ...]:
        """Live clock: items since the last `arrivals` or turn. The gateway calls it after each charge."""
        ...

    def findings(self, question: Question) -> Mapping[str, bool]:
        """State checks (`expect:`) as they stand when the question closes; kept in the row, read by judges."""
        ...

    async def close(self) -> None: ...


class Model(Protocol):
    """One scope's way to the endpoint (a row, or an ingest turn); the driver binds it.

    Limiter, budget, usage, record and replay are behind it.
    """

    async def complete(self, request: Mapping[str, Json]) -> Mapping[str, Json]:
        """One chat completion.

        `request`: `messages`, and where wanted `tools`, `tool_choice`, `response_format`, `max_tokens`, `grammar`.
        The reply is the recorded form, free of wall time and of the endpoint's own ids: `message` (`content`,
        `tool_calls`, `reasoning`, `refusal`; only what is there), `finish_reason` (the endpoint's; where it sent an
        error instead, `overflow`: the prompt is too long, `content_filter`, or `malformed_call`: it can't read the
        call in `content`), `usage` (`prompt`, `completion`, `reasoning` tokens) and, where the endpoint refused some
        of this request's parameters, `dropped`: their names, sorted.
        Raises Fault for what failed on our side.
        """
        ...


class Models(Protocol):
    """Binds models to scopes: `models("s12/q1/0/0")`."""

    def __call__(self, scope: str) -> Model: ...


class View(Protocol):
    """What an agent knows as of one observation; opaque to all others."""

    @property
    def durable(self) -> bool:
        """False: true only until the next observe."""
        ...

    @property
    def tokens(self) -> int:
        """The view's share of the prompt, for the cache budget."""
        ...


class Agent(Protocol):
    """Observes, and answers from what it knew then.

    `order`: which asks share most prefix (base by turn, rag by question). `parallel`: independent questions may be
    answered at the same time (an outside agent: no).
    """

    @property
    def order(self) -> Literal["turn", "question"]: ...

    @property
    def parallel(self) -> bool: ...

    async def start(self, setting: Setting) -> None: ...

    async def observe(self, observation: Observation, model: Model) -> View:
        """Takes items only: the driver passes an observation whose `questions` is empty."""
        ...

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        """The agent's own tools, bound to the view; writes of an independent question are dropped."""
        ...

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Key:
    """Gold. Held by the instance, given by the runner to judges only.

    `was`: superseded values. `distractors`: planted wrong values. `evidence`: event ids.
    """

    gold: Gold
    was: tuple[str, ...] = ()
    distractors: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as recorded. `arguments`: the parsed object, or the raw text where it did not parse."""

    tool: str
    op: str
    arguments: Json
    error: str | None
    time: datetime
    reads: bool
    writes: bool
    caller: str
    result: str


@dataclass(frozen=True, slots=True)
class Case:
    """One recorded prediction with its gold: all a judge sees. `asked`: the simulated instant of the question."""

    row: RowKey
    question: Question
    asked: datetime
    key: Key
    answer: Answer
    calls: tuple[Call, ...]
    findings: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`score` in [0, 1], or None: unscored, with the reason."""

    score: float | None
    reason: str


class Judge(Protocol):
    """Scores one case. `name` heads the column: `correctness[match]`."""

    @property
    def name(self) -> str: ...

    async def judge(self, case: Case) -> Verdict: ...


class Instance(Protocol):
    """One loaded unit of a track (a scenario, a document, a domain): it holds the gold and makes environments."""

    @property
    def id(self) -> str: ...

    @property
    def track(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides what an agent sees and what is right."""
        ...

    def expected(self) -> Sequence[tuple[str, int]]:
        """(question, turn) of every row that a whole episode has."""
        ...

    def environment(self, seed: int) -> Environment: ...

    def key(self, row: RowKey) -> Key: ...


class Record(Protocol):
    """The run folder's single writer. Rows are ordered by key when closed, so concurrency leaves no trace."""

    def answer(self, row: RowKey) -> Answer | None:
        """The recorded answer of a row that is done; None also for one that a fault ended."""
        ...

    async def finish(self, case: Case) -> None:
        """Durable when it returns. Raises RunError where the row stands recorded otherwise (a resume diverged)."""
        ...

    def reply(self, scope: str, ordinal: int, request: str) -> Json | None:
        """The recorded model reply of the request with this digest, None: ask. Raises RunError for another digest."""
        ...

    async def exchange(self, scope: str, ordinal: int, request: str, reply: Json, timing: Mapping[str, float]) -> None:
        """Durable when it returns, so that no reply is used that a crash could lose.

        `timing`: wall seconds, attempts, cached tokens; it goes to `timings.jsonl`, which alone differs between runs.
        """
        ...
