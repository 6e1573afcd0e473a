"""Scan: reads everything, ranks, answers by the question's form; and needs no tools where items come."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.everything import Reader, chunks, everything
from agents.ranking import ranked, words
from agents.scan import Scan
from envs.clock import FrozenClock
from envs.protocol import Answer, Item, Observation, Question
from servers.gateway import Gateway
from small_company import END, small_company, tools_at, with_events

LATE = datetime(2025, 5, 9, tzinfo=UTC)


class NoModel:
    """A model that nobody may ask."""

    async def complete(self, request: object) -> dict[str, object]:
        raise AssertionError("scan asked a model")


async def ask(text: str, tools: Gateway, *items: str, choices: tuple[str, ...] = ()) -> Answer:
    agent = Scan()
    arrived = tuple(Item(str(number), LATE, "chunk", item) for number, item in enumerate(items))
    view = await agent.observe(Observation(0, LATE, arrived, ()), NoModel())
    return await agent.answer(Question("q", text, "sequential", choices), view, tools, NoModel())


def no_tools() -> Gateway:
    return Gateway([], FrozenClock(LATE), lambda: (), charging=False)


def test_rare_words_count_more_and_the_later_of_equals_comes_first() -> None:
    passages = ["the launch the launch", "the freeze lifts", "the launch", "nothing", "the freeze lifts"]
    assert ranked("when does the freeze lift, the freeze?", passages)[:2] == [4, 1]
    assert ranked("zebra", passages) == []
    assert ranked("anything", []) == []
    assert words("FIT-12 at 14.0 %, Tuesday") == ["fit-12", "at", "14.0", "tuesday"]


async def test_everything_that_the_agent_may_read_becomes_a_passage() -> None:
    passages = await everything(Reader(tools_at(END)))
    text = "\n".join(passage.text for passage in passages)
    for part in ("c14x", "c06x", "c07x", "c16x", "c15x", "c18d", "c23x", "c37x"):
        assert part in text, part
    assert "hidden" not in text
    assert passages == await everything(Reader(tools_at(END)))


@pytest.mark.parametrize(
    ("question", "item", "answer"),
    [
        ("When do we launch the boat?", "We launch the boat on 6 November, not before.", "6 November"),
        ("Which day is the boat launch?", "Boat launch: 2025-11-06.", "2025-11-06"),
        ("How many boats are there?", "There are boats, 14 of them.", "14"),
        ("What percentage of boats float?", "Boats: 12.5 % float.", "12.5 %"),
        ("Is the boat ready?", "The boat is wet.", "yes"),
        ("What do we call the boat?", "The boat is called Kea.", " The boat is called Kea."),
    ],
)
async def test_it_answers_in_the_form_that_is_asked_for(question: str, item: str, answer: str) -> None:
    found = await ask(question, no_tools(), "Some other thing altogether.", item)
    assert (found.code, found.text) == ("answer", answer)


async def test_it_names_people_and_takes_choices() -> None:
    tools = tools_at(END)
    assert (await ask("Who sent c14x After the renaming?", tools)).text == "Bo Lin"
    assert (await ask("Which boat?", no_tools(), "The blue boat", choices=("red", "blue"))).text == "blue"


async def test_it_knows_only_what_had_arrived_and_says_nothing_from_nothing() -> None:
    agent = Scan()
    observed = [
        await agent.observe(Observation(turn, LATE, (Item(str(turn), LATE, "chunk", text),), ()), NoModel())
        for turn, text in enumerate(("The boat is red", "The boat is blue and the boat is fast"))
    ]
    question = Question("q", "What is the boat like?", "sequential")
    answers = [await agent.answer(question, view, no_tools(), NoModel()) for view in observed]
    assert [answer.text for answer in answers] == [" The boat is red", " The boat is blue and the boat is fast"]
    assert (await ask("What is it?", no_tools())).code == "empty"


async def test_it_reads_anew_at_each_question() -> None:
    company = with_events(*small_company().events)
    early = await ask("What is on Monday, launch?", tools_at("2025-05-01T09:30", company))
    late = await ask("What is on Monday, launch?", tools_at("2025-05-03T08:00", company))
    assert "c01x" in (early.text or "")
    assert "c01x" not in (late.text or "")


def test_a_long_text_is_cut_into_passages_of_a_few_lines() -> None:
    found = list(chunks("\n".join(map(str, range(45))), "a.py"))
    assert [passage.text.split()[0] for passage in found] == ["a.py"] * 3
    assert [passage.text.split()[-1] for passage in found] == ["19", "39", "44"]
