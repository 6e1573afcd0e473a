"""Kill -9 in the agent loop, the judge and the closing: resumed, the run is as if it had never stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from command import ALIAS, KILLED, clerk, environment, envs
from envs.canonical import seed
from envs.rows import SCHEMAS
from scripted_endpoint import serving

ARGUMENTS = ("run", "--scenario", "s12", "--agent", ALIAS, "--trials", 2, "--concurrency", 2)
FILES = [name for name in ("run.json", *SCHEMAS) if name != "timings.jsonl"]

# How often a run comes to each place: 2 trials of 5 questions, 3 requests each; 5 files rewritten at the end.
PLACES = {"write": 30, "exchange": 30, "finish": 10, "judge": 10, "close": 5}
MOMENTS = [(place, 1 + seed("kill", place, n) % most) for place, most in PLACES.items() for n in range(3)]
MOMENTS += [("exchange", 30), ("finish", 10), ("close", 5), ("closed", 2), ("created", 1)]


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.mark.timeout(300)
async def test_a_run_killed_at_twenty_moments_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    assert len(MOMENTS) == 20
    async with serving(clerk) as endpoint:
        env = environment(tmp_path, endpoint.url)
        whole = await envs(*ARGUMENTS, "--out", "whole", env=env, cwd=tmp_path)
        assert whole.code == 0, whole.err
        expected, requests = contents(tmp_path / "whole"), len(endpoint.requests)
        gate = asyncio.Semaphore(2)

        async def cut(number: int, place: str, count: int) -> None:
            out = f"cut{number}"
            async with gate:
                killed = await envs(place, count, *ARGUMENTS, "--out", out, env=env, cwd=tmp_path, command=KILLED)
                assert killed.code == -9, f"{place} {count} was never reached: {killed.err}"
                # Before run.json there is nothing to resume: the same command begins again.
                again = ARGUMENTS if place == "created" else ("run", "--resume")
                resumed = await envs(*again, "--out", out, env=env, cwd=tmp_path)
            assert resumed.code == 0, (place, count, resumed.err)
            assert contents(tmp_path / out) == expected, (place, count)
            assert table(resumed.out) == table(whole.out)

        async with asyncio.TaskGroup() as group:
            for number, (place, count) in enumerate(MOMENTS):
                group.create_task(cut(number, place, count))
        # Two episodes at once: of each, one reply may have been under way, and is asked for again.
        assert len(endpoint.requests) <= (1 + len(MOMENTS)) * requests + 2 * len(MOMENTS)


def table(out: str) -> list[str]:
    """The cells of the results' one row, but for the run's name."""
    return out.splitlines()[2].split()[1:]


async def test_a_run_killed_twice_resumes_too(tmp_path: Path) -> None:
    async with serving(clerk) as endpoint:
        env = environment(tmp_path, endpoint.url)
        await envs(*ARGUMENTS, "--out", "whole", env=env, cwd=tmp_path)
        first = await envs("exchange", 20, *ARGUMENTS, "--out", "cut", env=env, cwd=tmp_path, command=KILLED)
        assert first.code == -9
        again = ("run", "--resume", "--out", "cut")
        second = await envs("write", 9, *again, env=env, cwd=tmp_path, command=KILLED)
        assert second.code == -9
        assert (await envs(*again, env=env, cwd=tmp_path)).code == 0
        assert contents(tmp_path / "cut") == contents(tmp_path / "whole")
