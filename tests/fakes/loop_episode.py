"""A short fake episode for loop tests: questions put to one agent, one a turn, with what arrived before each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from envs.protocol import Agent, Answer, Item, Models, Observation, Question, Setting, Tools
from toy_tools import ToyTools

START = datetime(2025, 5, 15, 9, tzinfo=UTC)
SETTING = Setting("toy", "You are Ada at Initech.", "Answer shortly.", open_loop=False, seed=1)


def question(id_: str, *, independent: bool = False) -> Question:
    return Question(id_, f"What about {id_}?", "independent" if independent else "sequential")


def notice(text: str) -> Item:
    return Item(f"i-{text}", START, "notification", text)


async def ask_all(
    agent: Agent,
    models: Models,
    questions: Sequence[Question],
    tools: Tools | None = None,
    arrivals: Sequence[Sequence[Item]] = (),
) -> list[Answer]:
    """The answers, in order. Scopes are `toy/QUESTION/TURN/0`."""
    await agent.start(SETTING)
    answers = []
    for turn, asked in enumerate(questions):
        items = tuple(arrivals[turn]) if turn < len(arrivals) else ()
        observation = Observation(turn, START + timedelta(days=turn), items, (), done=turn == len(questions) - 1)
        model = models(f"toy/{asked.id}/{turn}/0")
        view = await agent.observe(observation, model)
        answers.append(await agent.answer(asked, view, tools or ToyTools(), model))
    await agent.close()
    return answers
