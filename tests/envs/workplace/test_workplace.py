"""A scenario as instance and environment: turns, clock, what the agent is told, gold by row."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envs.answers import TextGold
from envs.errors import UserError
from envs.protocol import Instance, Key, Question, RowKey
from envs.workplace.briefing import RULES, server_instructions
from envs.workplace.environment import WorkplaceEnvironment
from envs.workplace.instance import WorkplaceInstance
from envs.workplace.machine import Machine
from scenarios.git_schema import Git
from scenarios.scenario import Scenario
from servers.gateway import Gateway
from small_company import answer, event, instant, refusal, small_company, with_events


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


def with_machine() -> WorkplaceEnvironment:
    """An episode in which a file appears between the two questions."""
    first = event("f1", "2025-05-01T09:00", "files.write", path="plan.txt", text="Monday\n")
    second = event("f2", "2025-05-05T09:00", "files.write", path="plan.txt", text="Tuesday\n")
    begin = event("c1", "2025-05-01T09:00", "git.commit", repo="app", by="kim", message="Begin", write={"a": "1\n"})
    return environment(with_events(begin, first, second))


def tools_for(env: WorkplaceEnvironment, question: Question) -> Gateway:
    return Gateway(env.packs(question), env.clock, env.arrivals, charging=True)


def homes(folder: Path) -> int:
    return len(list(folder.glob("driftdesk-home-*")))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


async def test_the_machine_lasts_for_the_episode_and_is_gone_after_it(folder: Path) -> None:
    env = with_machine()
    first = (await env.reset()).questions[0]
    assert homes(folder) == 0
    tools = tools_for(env, first)
    assert (await answer(tools, "read_file", path="plan.txt"))["content"] == "Monday\n"
    await answer(tools, "clone_repository", repository="app")
    second = (await env.step(())).questions[0]
    later = tools_for(env, second)
    assert (await answer(later, "read_file", path="plan.txt"))["content"] == "Tuesday\n"
    assert (await answer(later, "read_file", path="app/a"))["content"] == "1\n"
    assert homes(folder) == 1
    await env.reset()
    assert homes(folder) == 0
    assert (await refusal(tools_for(env, first), "read_file", path="app/a"))["error"] == "path_not_found"
    await env.close()
    assert homes(folder) == 0


async def test_an_independent_question_sees_the_machine_and_leaves_no_trace_on_it(folder: Path) -> None:
    env = with_machine()
    first = (await env.reset()).questions[0]
    before = tools_for(env, first)
    await answer(before, "clone_repository", repository="app")
    probes = [Question(f"probe{number}", "?", "independent") for number in range(2)]
    forks = [tools_for(env, probe) for probe in probes]
    for fork in forks:
        assert len((await answer(fork, "git_log", repository="app"))["commits"]) == 1
        await answer(fork, "clone_repository", repository="app", directory="other")
    assert homes(folder) == 3
    env.findings(probes[0])
    assert homes(folder) == 2
    assert (await answer(forks[1], "read_file", path="other/a"))["content"] == "1\n"
    listed = await answer(before, "list_directory")
    assert [entry["name"] for entry in listed["entries"]] == ["app", "plan.txt"]
    assert (await refusal(before, "git_log", repository="other"))["error"] == "repo_not_found"
    await env.close()
    assert homes(folder) == 0


async def test_two_episodes_have_two_machines(folder: Path) -> None:
    instance = WorkplaceInstance(with_events())
    one, other = instance.environment(1), instance.environment(2)
    question = (await one.reset()).questions[0]
    await other.reset()
    await answer(tools_for(one, question), "clone_repository", repository="app")
    assert (await answer(tools_for(other, question), "list_directory"))["entries"] == []
    assert (await refusal(tools_for(other, question), "git_log", repository="app"))["error"] == "not_cloned"
    await one.close()
    await other.close()
    assert homes(folder) == 0


async def test_a_scenario_without_repositories_and_files_offers_the_tools_too() -> None:
    company = with_events()
    org = company.org.model_copy(update={"git": Git()})
    env = environment(replace(company, org=org))
    question = (await env.reset()).questions[0]
    tools = tools_for(env, question)
    listed = await answer(tools, "list_remote_git_repositories")
    assert listed == {"repositories": [], "note": "no repositories as of 2025-05-02T12:00:00Z"}
    assert (await answer(tools, "list_directory"))["entries"] == []
    assert (await answer(tools, "search_file", pattern="x"))["matches"] == []
    await env.close()


async def test_a_host_that_cannot_keep_repositories_is_told_before_the_first_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UserError, match="git: the program is not on PATH"):
        await environment().reset()
    company = with_events()
    without = environment(replace(company, org=company.org.model_copy(update={"git": Git()})))
    await without.reset()


def test_packs_are_chosen_by_name_and_decide_the_fingerprint() -> None:
    company = small_company()
    plain, told = WorkplaceInstance(company), WorkplaceInstance(company, frozenset({"notify"}))
    assert (plain.profile, told.profile) == ("memtrack+git-read", "memtrack+git-read+notify")
    assert plain.fingerprint != told.fingerprint
    names = [spec.name for pack in told.tools(Machine.of(company)) for spec in pack.specs()]
    assert "list_notifications" in names
    assert len(set(names)) == len(names)
    with pytest.raises(UserError, match="pack 'notfy': there is no such pack of tools; did you mean notify"):
        WorkplaceInstance(company, frozenset({"notfy"}))
