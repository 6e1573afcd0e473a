"""Mentions: a value is found in any form that the judge reads, wherever it stands, and nothing like it is."""

from datetime import UTC, date, datetime

import pytest

from envs.answers import (
    AbstainGold,
    ChoiceGold,
    DateGold,
    Gold,
    ListGold,
    NumberGold,
    SetGold,
    TextGold,
    YesNoGold,
)
from judges.mentions import mentions, parts, unmentioned

DAY = DateGold(date(2025, 11, 6), "Pacific/Auckland")
MINUTE = DateGold(datetime(2025, 11, 6, 9, 30, tzinfo=UTC), "Europe/Berlin", "minute")


@pytest.mark.parametrize(
    ("part", "text", "there"),
    [
        (TextGold(("Marit Solheim", "@marit")), "ask @marit, she knows", True),
        (TextGold(("Marit",)), "Marita said so", False),
        (TextGold(("Redis",)), "no, not redis", True),
        (NumberGold(14.0, unit="%"), "bracketing NZ 17.5 / 14.0, AU 14.5 / 11.6", True),
        (NumberGold(12), "3 of 12", True),
        (NumberGold(1200), "1,200 of them", True),
        (NumberGold(14), "in ENG-14 on 14 May 2025", False),
        (NumberGold(14), "version 1.14", False),
        (NumberGold(4, tolerance=0.5), "about 4.4", True),
        (NumberGold(13.6), "1 to 27 October:\n- bracketing 13.6\n- returns 9.8", True),
        (DAY, "Thu 6 Nov one slot (held), Tue 11 Nov checkout", True),
        (DAY, "November 6th, 2025", True),
        (DAY, "not on 2025-11-06", True),
        (DAY, "Wed 6 Nov", False),
        (DAY, "6 Nov 2024", False),
        (DAY, "the 6th", False),
        (MINUTE, "First this. Then Thu 6 Nov, 10:30. And 7 Nov, 9:00.", True),
        (MINUTE, "Thu 6 Nov, 9:30", False),
    ],
)
def test_table(part: TextGold | NumberGold | DateGold, text: str, there: bool) -> None:
    assert mentions(part, text) == there


@pytest.mark.parametrize(
    ("gold", "missing"),
    [
        (SetGold((("Skarn",), ("Moraine Works", "Moraine"), ("Vasskar",))), ["Vasskar"]),
        (ListGold((("Skarn",), ("Lumholt",))), ["Lumholt"]),
        (NumberGold(18), []),
        (NumberGold(19), ["19"]),
        (DAY, ["2025-11-06"]),
        (YesNoGold(True), []),
        (ChoiceGold((("a",), ("b",)), 0), []),
        (AbstainGold("nobody said"), []),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_every_part_is_looked_for_and_what_is_inferred_has_none(gold: Gold, missing: list[str]) -> None:
    assert unmentioned(gold, ["Skarn is out", "Moraine: 18 models"]) == missing
    assert len(parts(gold)) == (0 if gold.kind in ("yes_no", "choice", "abstain") else len(getattr(gold, "parts", "1")))
