"""Ordered lists: partial credit for the parts that come in order, as far as they are listed.

score = in order / (parts + extra)

What is listed, and what is `extra`, is found as in a set (`judges.sets`). `in order` is the length of the longest run
of parts, not necessarily adjacent, that the answer lists in the gold's order: of four, one put elsewhere leaves 0.75,
and a list turned round a quarter. The order is that in which the answer first lists them; "B, after A" isn't turned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from envs.answers import ListGold
from envs.protocol import Verdict
from judges.sets import listing


def judge_list(gold: ListGold, answer: str, competing: Sequence[str] = ()) -> Verdict:
    """in order / (parts + extra). `competing`: the question's superseded values and distractors."""
    found = listing(gold.parts, answer, competing, ordered=True)
    ordered = _longest_rise([place for place in found.places if place is not None])
    total = len(gold.parts)
    return Verdict(ordered / (total + found.extra), f"{ordered} of {total} parts in order, {found.extra} extra")


def _longest_rise(places: Sequence[int]) -> int:
    """The length of the longest strictly rising subsequence."""
    ends: list[int] = []
    for place in places:
        index = bisect_left(ends, place)
        ends[index : index + 1] = [place]
    return len(ends)
