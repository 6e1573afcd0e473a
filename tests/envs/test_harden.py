"""`envs harden`: what was passed, and with which of the evidence in results that the agent had read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agents.scan import Scan
from command import envs
from edited_template import template
from envs.checks.playing import play
from envs.harden import passages, render
from envs.protocol import Answer, Case, Verdict
from envs.workplace.instance import WorkplaceInstance
from scenarios.loader import load


async def test_it_tells_evidence_read_from_evidence_not_read(tmp_path: Path) -> None:
    demo = load(template(tmp_path))
    (whole,) = await play(WorkplaceInstance(demo), Scan())
    right = Answer("day", "2025-10-21", "answer")

    async def told(case: Case, score: float | None) -> list[str]:
        case = replace(case, answer=right)
        return list(render(await passages(demo, [case], {case.row: Verdict(score, "")})))

    assert await told(whole, 1.0) == ["day: passed, read 2 of 2 evidence events", "1 of 1 passed"]
    slack = replace(whole, calls=tuple(call for call in whole.calls if call.op.startswith("slack.")))
    assert await told(slack, 0.0) == [
        "day: failed (0.00), read 1 of 2 evidence events, not moved",
        "0 of 1 passed",
    ]
    unread = await told(replace(whole, calls=()), 1.0)
    assert unread[0] == "day: passed, read 0 of 2 evidence events, not moved, agreed"
    assert unread[-1] == "day was passed without moved, agreed: it isn't needed, or it can be guessed"
    assert (await told(whole, None))[0].startswith("day: unscored")


async def test_the_command_runs_and_tells(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    path = template(tmp_path)
    ended = await envs("harden", path.name, "--agent", "oracle", "--out", "run", env=env, cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "day: passed, read 2 of 2 evidence events\n1 of 1 passed\n" in ended.out
    assert (tmp_path / "run" / "answers.jsonl").is_file()
