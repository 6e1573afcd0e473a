"""The scalar types of the scenario format, with the sentence that each rule's breach is told in."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field, StrictFloat, StrictInt, StringConstraints

NOT_BLANK = r"\S"
HANDLE = r"^[a-z][a-z0-9._-]{0,30}$"
EMAIL = r"^[^@\s]+@[^@\s]+$"
CHANNEL_NAME = r"^[a-z0-9][a-z0-9_-]{0,79}$"
TEAM_KEY = r"^[A-Z][A-Z0-9]{0,6}$"
ISSUE_ID = r"^[A-Z][A-Z0-9]{0,6}-[1-9][0-9]{0,4}$"
EVENT_ID = r"^[a-z][a-z0-9_-]{0,40}$"
DAY = r"^\d{4}-\d{2}-\d{2}$"
EMOJI = r"^[a-z0-9_+-]+$"
REPOSITORY_NAME = r"^[a-z0-9][a-z0-9._-]{0,60}$"

BREACHES = {
    NOT_BLANK: "is blank; write the text",
    HANDLE: "is no handle; write lower-case letters, digits, `.`, `_` or `-`, a letter first, at most 31",
    EMAIL: "is no e-mail address; write one like kim@example.com",
    CHANNEL_NAME: "is no channel name; write lower-case letters, digits, `-` or `_`, without the #",
    TEAM_KEY: "is no team key; write up to 7 capitals and digits, as in ENG",
    ISSUE_ID: "is no issue id; write one like ENG-12",
    EVENT_ID: "is no id; write lower-case letters, digits, `-` or `_`, a letter first, at most 41",
    DAY: "is no day; write one like 2025-05-01",
    EMOJI: "is no emoji name; write one like thumbsup, without colons",
    REPOSITORY_NAME: "is no repository name; write lower-case letters, digits, `.`, `_` or `-`, at most 61",
}
"""Pattern -> what to tell of a text that doesn't match it."""


def real_day(text: str) -> str:
    """`text` unchanged. Raises ValueError for a day that no calendar has (2025-02-30)."""
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is no day of the calendar; write one like 2025-05-01") from None
    return text


Text = Annotated[str, StringConstraints(strict=True, pattern=NOT_BLANK)]
Handle = Annotated[str, StringConstraints(strict=True, pattern=HANDLE)]
Email = Annotated[str, StringConstraints(strict=True, pattern=EMAIL)]
ChannelName = Annotated[str, StringConstraints(strict=True, pattern=CHANNEL_NAME)]
TeamKey = Annotated[str, StringConstraints(strict=True, pattern=TEAM_KEY)]
IssueId = Annotated[str, StringConstraints(strict=True, pattern=ISSUE_ID)]
EventId = Annotated[str, StringConstraints(strict=True, pattern=EVENT_ID)]
Emoji = Annotated[str, StringConstraints(strict=True, pattern=EMOJI)]
Day = Annotated[str, StringConstraints(strict=True, pattern=DAY), AfterValidator(real_day)]
Number = Annotated[StrictFloat, Field(allow_inf_nan=False)] | StrictInt
