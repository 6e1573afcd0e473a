"""What the file tools answer: the result types, keys in the order in which they are sent."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

EntryType = Literal["file", "directory", "link"]


class EntryResult(TypedDict):
    """`size` in bytes, null for what is no file. `modified`: when it changed last, in UTC."""

    name: str
    type: str
    size: int | None
    modified: str


class Listing(TypedDict):
    """`note` says what was looked at where nothing was found."""

    path: str
    entries: list[EntryResult]
    has_more: bool
    next_after_name: str | None
    limit_applied: NotRequired[int]
    note: NotRequired[str]


class FileText(TypedDict):
    """`start_line` counts from 1. `truncated`: lines follow; their offset is `next_offset`."""

    path: str
    content: str
    start_line: int
    total_lines: int
    truncated: bool
    next_offset: int | None


class MatchResult(TypedDict):
    path: str
    line: int
    text: str


class Matches(TypedDict):
    matches: list[MatchResult]
    truncated: bool
    limit_applied: NotRequired[int]
    note: NotRequired[str]
