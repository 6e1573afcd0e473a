"""Figures of an episode from its recorded calls: efficiency, entropy over platforms, switches, success, tokens.

Every function is pure and takes what is recorded. None stands for a figure that is undefined (no calls: no entropy).
Rows that a fault ended hold only part of their calls: give `sound` rows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from envs.protocol import Call, Case

TC_MIN = 10.0
"""The number of tool calls up to which efficiency is 1 (MEMTRACK, arXiv 2510.01353)."""

PLATFORMS: Mapping[str, str] = {
    "slack": "slack",
    "linear": "linear",
    "git": "git",
    "files": "files",
    "shell": "files",
}
"""Prefix of an op -> its platform for entropy and switches; files and shell are one, other prefixes none."""


def platform(call: Call) -> str | None:
    """The platform of a call (`slack.get_users` -> `slack`), None for memory, session and other tools."""
    return PLATFORMS.get(call.op.partition(".")[0])


def tool_calls(case: Case) -> int:
    """|TC| of one question: its calls of ops that read the timeline, failed ones too."""
    return sum(call.reads for call in case.calls)


def efficiency(calls: float, tc_min: float = TC_MIN) -> float:
    """exp(-(|TC| - TC_min) / TC_min) where |TC| >= TC_min, else 1 (MEMTRACK)."""
    return math.exp(-(calls - tc_min) / tc_min) if calls >= tc_min else 1.0


def row_efficiency(case: Case, tc_min: float = TC_MIN) -> float | None:
    """Efficiency of one question; None for an independent one, which is asked beside the episode."""
    return efficiency(tool_calls(case), tc_min) if case.question.mode == "sequential" else None


def instance_efficiency(cases: Sequence[Case], tc_min: float = TC_MIN) -> float | None:
    """Efficiency over all calls of the episode's sequential questions together; None without such a question."""
    sequential = [case for case in cases if case.question.mode == "sequential"]
    return efficiency(sum(map(tool_calls, sequential)), tc_min) if sequential else None


def entropy(calls: Sequence[Call]) -> float | None:
    """Shannon entropy, in nats, of the calls' platforms; None without a call on a platform."""
    counts = Counter(name for call in calls if (name := platform(call)) is not None)
    total = counts.total()
    # The sum of non-negative terms; -sum(p log p) would give -0.0 for one platform.
    return sum(count / total * math.log(total / count) for count in counts.values()) if total else None


def normalised_entropy(calls: Sequence[Call]) -> float | None:
    """Entropy divided by that of an even use of all platforms (ln 4): 0 to 1."""
    nats = entropy(calls)
    return None if nats is None else nats / math.log(len(set(PLATFORMS.values())))


def switches(calls: Sequence[Call]) -> int:
    """How often a call's platform differs from that of the platform call before it."""
    return sum(first != second for first, second in pairwise(filter(None, map(platform, calls))))


def success_rate(calls: Sequence[Call]) -> float | None:
    """Share of calls that ended without an error; None without calls."""
    return sum(call.error is None for call in calls) / len(calls) if calls else None


def errors(calls: Sequence[Call]) -> Mapping[str, int]:
    """How many calls ended with each error code, by code."""
    return dict(sorted(Counter(call.error for call in calls if call.error is not None).items()))


def sound(cases: Sequence[Case]) -> list[Case]:
    """The cases that no fault ended, in the order of their turns."""
    return sorted((case for case in cases if case.answer.fault is None), key=lambda case: (case.row.turn, case.asked))


def tokens(cases: Sequence[Case]) -> Mapping[str, int]:
    """Usage summed over cases, by kind (`prompt`, `completion`, `reasoning`, `requests`)."""
    total: Counter[str] = Counter()
    for case in cases:
        total.update(case.answer.usage)
    return dict(sorted(total.items()))


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, None of nothing."""
    return math.fsum(values) / len(values) if values else None
