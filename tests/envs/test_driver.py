"""The driver on toy tracks: every shape that a track may have, and each rule with the fault that it should catch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from envs.driver import Ask, Episode, plan
from envs.errors import Fault, RunError
from envs.protocol import Answer, Case, Model, Observation, Question, RowKey, Tools, View
from envs.records import RunRecord, read_cases
from toy_tracks import Chat, Document, Mailbox, Office, Reader, ToyInstance, ToyModels

CHUNKS = [f"<{number}>" for number in range(5)]
QUESTIONS = 6
KINDS = ("base", "rag", "memory")


class Crash(Exception):
    """Stands for a process that dies."""


class Kept:
    """A run folder driven once: its rows by key, its prompts, how many requests went live, the order of the rows."""

    def __init__(self, cases: list[Case], models: ToyModels, order: list[RowKey]) -> None:
        self.rows = {case.row: (case.answer, case.calls, dict(case.findings)) for case in cases}
        self.prompts = models.sent
        self.live = models.live
        self.order = order


async def drive(
    folder: Path,
    make: Callable[[], Any],
    agent: Any,
    *,
    crash_after: int | None = None,
    replay: Path | None = None,
    resume: bool = False,
) -> Kept:
    """One episode into `folder`; `crash_after` rows the process dies."""
    order: list[RowKey] = []

    async def finished(case: Case) -> None:
        order.append(case.row)
        if crash_after is not None and len(order) >= crash_after:
            raise Crash

    record = RunRecord.resume(folder, {}) if resume else RunRecord.create(folder, {})
    async with record:
        if replay is not None:
            record.replay(replay)
        models = ToyModels(record)
        instance = ToyInstance(make().setting.instance, make)
        try:
            episode = Episode(instance, instance.environment(7), agent, record, models, finished=finished)
            await episode.run()
        except* Crash:
            pass
    return Kept(list(read_cases(folder, results=True)), models, order)


def document() -> Document:
    return Document("d1", CHUNKS, QUESTIONS)


def strict_document() -> Document:
    """The same without looking ahead: every question when it comes up."""
    return Document("d1", CHUNKS, QUESTIONS, open_loop=False)


# ---- open loop, in both orders


@pytest.mark.parametrize("kind", KINDS)
async def test_planned_and_lock_step_send_the_same_prompts(tmp_path: Path, kind: Any) -> None:
    planned = await drive(tmp_path / "planned", document, Reader(kind))
    strict = await drive(tmp_path / "strict", strict_document, Reader(kind))
    assert len(planned.rows) == len(CHUNKS) * QUESTIONS
    assert planned.rows == strict.rows
    assert sorted(planned.prompts) == sorted(strict.prompts)


async def test_an_answer_that_reads_past_its_view_is_caught_by_comparing_the_orders(tmp_path: Path) -> None:
    planned = await drive(tmp_path / "planned", document, Reader("base", plant="peeks"))
    strict = await drive(tmp_path / "strict", strict_document, Reader("base", plant="peeks"))
    assert sorted(planned.prompts) != sorted(strict.prompts)


async def test_a_changing_state_that_is_called_durable_is_caught_by_comparing_the_orders(tmp_path: Path) -> None:
    planned = await drive(tmp_path / "planned", document, Reader("memory", plant="lies"))
    strict = await drive(tmp_path / "strict", strict_document, Reader("memory", plant="lies"))
    assert sorted(planned.prompts) != sorted(strict.prompts)


@pytest.mark.parametrize("kind", KINDS)
async def test_how_many_are_answered_at_once_leaves_no_trace(tmp_path: Path, kind: Any) -> None:
    wide, narrow = Reader(kind), Reader(kind, parallel=False)
    together = await drive(tmp_path / "wide", document, wide)
    apart = await drive(tmp_path / "narrow", document, narrow)
    assert sorted(together.prompts) == sorted(apart.prompts)
    assert narrow.peak == 1
    assert (wide.peak > 1) == (kind != "rag"), "question by question means one after the other"


async def test_answers_that_share_state_while_under_way_are_caught(tmp_path: Path) -> None:
    together = await drive(tmp_path / "wide", document, Reader("base", plant="shares"))
    apart = await drive(tmp_path / "narrow", document, Reader("base", plant="shares", parallel=False))
    assert sorted(together.prompts) != sorted(apart.prompts)


async def test_base_goes_turn_by_turn_and_rag_question_by_question(tmp_path: Path) -> None:
    base = await drive(tmp_path / "base", document, Reader("base"))
    assert [row.turn for row in base.order] == sorted(row.turn for row in base.order)
    rag = await drive(tmp_path / "rag", document, Reader("rag"))
    assert [row.question for row in rag.order] == sorted(row.question for row in rag.order)
    assert [row.turn for row in rag.order[: len(CHUNKS)]] == list(range(len(CHUNKS)))


def test_plan_keeps_every_ask_once_and_groups_by_prefix() -> None:
    question = Question("q", "?", "independent")
    when, view = document().clock.now(), None
    asks = [Ask(RowKey("d", f"q{n}", turn, 0), question, when, view) for turn in range(3) for n in range(2)]  # type: ignore[arg-type]
    for order, waves in (("turn", 3), ("question", 2)):
        planned = plan(asks, order)
        assert len(planned) == waves
        assert sorted(ask.row for wave in planned for ask in wave) == sorted(ask.row for ask in asks)
        assert all(
            len({ask.row.turn if order == "turn" else ask.row.question for ask in wave}) == 1 for wave in planned
        )


# ---- resume


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cut", [1, 7, 13, 29])
async def test_open_loop_resume_equals_never_having_stopped(tmp_path: Path, kind: Any, cut: int) -> None:
    whole = await drive(tmp_path / "whole", document, Reader(kind))
    await drive(tmp_path / "cut", document, Reader(kind), crash_after=cut)
    recorded = len(list(read_cases(tmp_path / "cut", results=False)))
    resumed = await drive(tmp_path / "cut", document, Reader(kind), resume=True)
    assert resumed.rows == whole.rows
    assert cut <= recorded
    assert len(resumed.order) == len(whole.rows) - recorded, "a recorded row was asked again"
    ingest = len(CHUNKS) if kind == "memory" else 0
    assert resumed.live <= len(whole.rows) - recorded + ingest


@pytest.mark.parametrize("cost", [0, 30])
@pytest.mark.parametrize("cut", [1, 2, 3])
async def test_closed_loop_resume_equals_never_having_stopped(tmp_path: Path, cost: float, cut: int) -> None:
    whole = await drive(tmp_path / "whole", lambda: Office(cost), Chat())
    await drive(tmp_path / "cut", lambda: Office(cost), Chat(), crash_after=cut)
    resumed = await drive(tmp_path / "cut", lambda: Office(cost), Chat(), resume=True)
    assert resumed.rows == whole.rows
    assert resumed.live == whole.live - cut, "a recorded reply was asked for again"


async def test_a_resume_that_forgets_recorded_rows_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: a record that doesn't know its rows. The row count of the second part shows it."""
    await drive(tmp_path / "cut", document, Reader("base"), crash_after=7)
    monkeypatch.setattr(RunRecord, "answer", lambda self, row: None)
    resumed = await drive(tmp_path / "cut", document, Reader("base"), resume=True)
    assert len(resumed.order) == len(CHUNKS) * QUESTIONS


async def test_a_resume_whose_calls_come_out_differently_is_refused(tmp_path: Path) -> None:
    await drive(tmp_path / "cut", Office, Chat(), crash_after=2)

    def changed() -> Office:
        office = Office()
        office.events[0] = (1, "another greeting")
        return office

    with pytest.raises(RunError, match="start a new run"):
        await drive(tmp_path / "cut", changed, Chat(), resume=True)


async def test_replay_asks_nothing(tmp_path: Path) -> None:
    whole = await drive(tmp_path / "whole", lambda: Office(30), Chat())
    replayed = await drive(tmp_path / "again", lambda: Office(30), Chat(), replay=tmp_path / "whole")
    assert replayed.live == 0
    assert replayed.rows == whole.rows


# ---- live clock, reactions, probes


async def test_events_of_a_live_clock_arrive_with_the_call_that_took_the_time(tmp_path: Path) -> None:
    frozen = await drive(tmp_path / "frozen", lambda: Office(0), Chat())
    live = await drive(tmp_path / "live", lambda: Office(30), Chat())
    first = dict(frozen.prompts)["office/Q0/0/0"], dict(live.prompts)["office/Q0/0/0"]
    assert "moved to Tue" not in first[0]
    assert "moved to Tue" in first[1]


async def test_a_reaction_to_what_the_agent_wrote_arrives_later(tmp_path: Path) -> None:
    kept = await drive(tmp_path / "run", Office, Chat())
    assert "re: ping Q0" in dict(kept.prompts)["office/Q1/1/0"]
    assert "re: ping Q0" not in dict(kept.prompts)["office/Q0/0/0"]


async def with_and_without_probe(folder: Path, agent: Callable[[], Chat], **office: Any) -> tuple[Any, Any]:
    """The prompts of all but the probe, in a run with it and in one that never had it."""
    probed = await drive(folder / "with", lambda: Office(**office), agent())
    plain = await drive(folder / "without", lambda: Office(probe=False), agent())
    assert ("probe", 0) in {(row.question, row.turn) for row in probed.rows}
    return [sent for sent in probed.prompts if "/probe/" not in sent[0]], plain.prompts


async def test_a_probe_leaves_no_trace_in_later_prompts(tmp_path: Path) -> None:
    probed, plain = await with_and_without_probe(tmp_path, Chat)
    assert probed == plain


@pytest.mark.parametrize("left", ["text", "call"])
async def test_a_probe_whose_text_or_call_stays_is_caught(tmp_path: Path, left: Any) -> None:
    probed, plain = await with_and_without_probe(tmp_path, lambda: Chat(leaves=left))
    assert probed != plain


async def test_a_probe_that_leaves_its_writes_is_caught(tmp_path: Path) -> None:
    probed, plain = await with_and_without_probe(tmp_path, Chat, leaky_probe=True)
    assert probed != plain


async def test_a_probe_costs_no_time(tmp_path: Path) -> None:
    kept = await drive(tmp_path / "run", lambda: Office(30), Chat())
    times = {row.question: [call.time for call in calls] for row, (_, calls, _) in kept.rows.items()}
    assert len(set(times["probe"])) == 1
    assert len(set(times["Q0"])) == 3


async def test_findings_are_taken_when_the_question_closes(tmp_path: Path) -> None:
    kept = await drive(tmp_path / "run", Office, Chat())
    findings = {row.question: found for row, (_, _, found) in kept.rows.items()}
    assert findings["probe"] == {"wrote": False}
    assert findings["Q0"] == {"wrote": True}


# ---- faults


class Faulty(Chat):
    """Fails in `where` at the question or turn named."""

    def __init__(self, where: str, error: Exception) -> None:
        super().__init__()
        self._where, self._error = where, error

    async def observe(self, observation: Observation, model: Model) -> View:
        if self._where == f"turn {observation.turn}":
            raise self._error
        return await super().observe(observation, model)

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        if self._where == question.id:
            raise self._error
        return await super().answer(question, view, tools, model)


async def test_a_fault_at_a_sequential_question_ends_the_conversation(tmp_path: Path) -> None:
    kept = await drive(tmp_path / "run", Office, Faulty("Q1", Fault("endpoint", "gone")))
    answers = {row.question: answer for row, (answer, _, _) in kept.rows.items()}
    assert set(answers) == {"probe", "Q0", "Q1"}, "Q2 would have built on a question that was never answered"
    assert (answers["Q1"].code, answers["Q1"].fault, answers["Q1"].detail) == ("fault", "endpoint", "gone")


async def test_a_fault_at_a_probe_ends_nothing_else(tmp_path: Path) -> None:
    kept = await drive(tmp_path / "run", Office, Faulty("probe", Fault("memory", "slow")))
    assert {row.question for row in kept.rows} == {"probe", "Q0", "Q1", "Q2"}


async def test_a_fault_in_observing_is_the_row_of_that_turns_questions(tmp_path: Path) -> None:
    kept = await drive(tmp_path / "run", Office, Faulty("turn 1", Fault("memory", "not settled")))
    assert {row.question: answer.fault for row, (answer, _, _) in kept.rows.items()} == {
        "probe": None,
        "Q0": None,
        "Q1": "memory",
    }


async def test_an_agents_bug_is_a_fault_of_ours_and_not_a_crash(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = await drive(tmp_path / "run", Office, Faulty("Q2", KeyError("oops")))
    assert kept.rows[RowKey("office", "Q2", 2, 0)][0].fault == "internal"
    assert "oops" in caplog.text


async def test_a_faulted_row_is_asked_again_on_resume(tmp_path: Path) -> None:
    whole = await drive(tmp_path / "whole", Office, Chat())
    await drive(tmp_path / "run", Office, Faulty("Q1", Fault("endpoint", "gone")))
    resumed = await drive(tmp_path / "run", Office, Chat(), resume=True)
    assert resumed.rows == whole.rows


# ---- what an environment may not do


class Twice(Office):
    """Plants two sequential questions into one turn."""

    async def step(self, answers: Any) -> Observation:
        observation = await super().step(answers)
        question = Question("more", "?", "sequential")
        return Observation(
            observation.turn, observation.time, observation.items, (*observation.questions, question), observation.done
        )


class Skipping(Office):
    """Plants a turn that is numbered wrongly, so that its rows would get another row's key."""

    async def step(self, answers: Any) -> Observation:
        observation = await super().step(answers)
        return Observation(observation.turn * 2, observation.time, (), observation.questions, observation.done)


@pytest.mark.parametrize(
    ("office", "problem"), [(Twice, "more than one sequential"), (Skipping, "numbered its turn 2")]
)
async def test_an_environment_that_breaks_the_protocol_is_caught(tmp_path: Path, office: Any, problem: str) -> None:
    with pytest.raises(RuntimeError, match=problem):
        await drive(tmp_path / "run", office, Chat())


class Questioned(Chat):
    """Notes whether questions came with an observation, which would let an agent prepare for them."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0

    async def observe(self, observation: Observation, model: Model) -> View:
        self.told += len(observation.questions)
        return await super().observe(observation, model)


async def test_observations_carry_no_questions(tmp_path: Path) -> None:
    agent = Questioned()
    await drive(tmp_path / "run", Office, agent)
    assert agent.told == 0


# ---- an outside agent


@pytest.mark.parametrize(("make", "rows"), [(document, len(CHUNKS) * QUESTIONS), (Office, 4)])
async def test_an_outside_agent_answers_over_stateless_mcp(tmp_path: Path, make: Any, rows: int) -> None:
    mailbox = Mailbox()
    session: FastMCP[None] = FastMCP("session")
    session.tool(mailbox.get_task)
    session.tool(mailbox.submit_answer)
    driven = asyncio.create_task(drive(tmp_path / "run", make, mailbox))
    async with Client(session) as client:
        task = (await client.call_tool("get_task")).data
        stray = (await client.call_tool("submit_answer", {"question": "another", "text": "x"})).data
    assert stray == {"error": "not_current"}
    while "end" not in task:
        async with Client(session) as client:  # a new connection for every call: no state hangs on it
            answer = {"question": task["question"], "text": f"to {task['question']}"}
            task = (await client.call_tool("submit_answer", answer)).data
    kept = await driven
    assert len(kept.rows) == rows
    assert all(answer.text == f"to {row.question}" for row, (answer, _, _) in kept.rows.items())
