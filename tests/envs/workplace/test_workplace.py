"""A scenario as instance and environment: turns, clock, what the agent is told, gold by row."""

from dataclasses import replace
from typing import Any

import pytest

from envs.answers import TextGold
from envs.protocol import Instance, Key, Question, RowKey
from envs.workplace.briefing import RULES, server_instructions
from envs.workplace.environment import WorkplaceEnvironment
from envs.workplace.instance import WorkplaceInstance
from scenarios.scenario import Scenario
from servers.gateway import Gateway
from small_company import answer, instant, small_company, with_events


def environment(scenario: Scenario | None = None) -> WorkplaceEnvironment:
    return WorkplaceInstance(scenario or small_company()).environment(seed=7)


async def world(env: WorkplaceEnvironment, question: Question) -> Any:
    tools = Gateway(env.packs(question), env.clock, env.arrivals, charging=True)
    return await answer(tools, "get_channel_messages", channel="search")


def test_an_instance_names_its_rows_and_holds_their_gold() -> None:
    instance: Instance = WorkplaceInstance(small_company())
    assert (instance.id, instance.track) == ("small", "workplace")
    assert instance.expected() == [("day", 0), ("lead", 1)]
    assert instance.key(RowKey("small", "day", 0, 3)) == Key(TextGold(("Tuesday",)), ("Monday",), (), ("moved",))
    with pytest.raises(KeyError):
        instance.key(RowKey("small", "other", 0, 0))


def test_the_fingerprint_follows_the_scenarios_content() -> None:
    company = small_company()
    same, other = WorkplaceInstance(company), WorkplaceInstance(replace(company, digest="0" * 16))
    assert same.fingerprint == WorkplaceInstance(company).fingerprint
    assert same.fingerprint != other.fingerprint


async def test_each_turn_asks_one_question_at_its_time_and_tells_nothing_else() -> None:
    env = environment()
    first = await env.reset()
    assert (first.turn, first.time, first.items, first.done) == (0, instant("2025-05-02T12:00"), (), False)
    assert first.questions == (Question("day", "On which weekday do we launch?", "sequential"),)
    assert env.clock.now() == first.time
    second = await env.step(())
    assert (second.turn, second.items, second.done) == (1, (), True)
    assert env.clock.now() == second.time == instant("2025-05-08T12:00")
    with pytest.raises(RuntimeError, match="no more turns"):
        await env.step(())
    await env.close()


async def test_the_tools_see_the_world_at_the_questions_time() -> None:
    env = environment()
    first = await env.reset()
    assert (await world(env, first.questions[0]))["channel"] == "search"
    second = await env.step(())
    assert (await world(env, second.questions[0]))["channel"] == "c13x-find"


async def test_runs_share_the_platforms_and_not_the_clock() -> None:
    instance = WorkplaceInstance(small_company())
    one, two = instance.environment(1), instance.environment(2)
    early, late = await one.reset(), await two.reset()
    late = await two.step(())
    assert (await world(two, late.questions[0]))["channel"] == "c13x-find"
    assert (await world(one, early.questions[0]))["channel"] == "search"
    ones, others = one.packs(early.questions[0]), two.packs(late.questions[0])
    # Slack and Linear; what works on a machine is each episode's own.
    assert [mine is yours for mine, yours in zip(ones, others, strict=True)] == [True, True, False, False]


async def test_reset_starts_over() -> None:
    env = environment()
    first = await env.reset()
    await env.step(())
    assert await env.reset() == first
    assert env.clock.now() == first.time


def test_the_agent_is_told_who_it_is_and_how_to_answer() -> None:
    setting = environment().setting
    assert (setting.instance, setting.seed, setting.open_loop) == ("small", 7, False)
    assert "You are Ada Moss (@ada), Assistant at Birch & Sons." in setting.briefing
    assert "Europe/Berlin" in setting.briefing
    assert "admin" not in setting.briefing
    assert setting.briefing.endswith("You help with the launch.")
    assert setting.rules == RULES
    assert "can't be found" in RULES


def test_admin_rights_are_said() -> None:
    company = small_company()
    admin = replace(company, agent=company.agent.model_copy(update={"is_admin": True}))
    assert "You have admin rights." in environment(admin).setting.briefing


def test_a_client_by_mcp_is_told_the_time_too() -> None:
    text = server_instructions(small_company(), instant("2025-05-08T12:00"))
    assert "@ada" in text
    assert "It is 2025-05-08T12:00:00Z (Thursday, 2025-05-08 14:00 in Europe/Berlin)." in text


async def test_nothing_of_gold_or_later_questions_is_in_what_the_agent_gets() -> None:
    env = environment()
    first = await env.reset()
    text = f"{env.setting}{first}"
    for hidden in ("Tuesday", "Monday", "Who leads", "Bo Lin", "moved", "handover"):
        assert hidden not in text


async def test_a_company_where_nothing_happens() -> None:
    env = environment(with_events())
    first = await env.reset()
    assert (await world(env, first.questions[0]))["messages"] == []
