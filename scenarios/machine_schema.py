"""What a scenario file says of the agent's own machine: files that appear there, and what the calendar tells it."""

from __future__ import annotations

from pydantic import Field

from scenarios.git_schema import ORDINARY, FilePath, Mode
from scenarios.part import Part
from scenarios.scalars import Text


class FilesWrite(Part):
    """A file appears or changes: its whole `text`, or the file `source` beside the scenario (key `from`)."""

    path: FilePath
    text: str | None = None
    source: Text | None = Field(default=None, alias="from")
    mode: Mode = ORDINARY


class FilesDelete(Part):
    path: FilePath


class NotifyReminder(Part):
    """A calendar reminder. It tells what the calendar holds, which nobody need have corrected."""

    text: Text


class NotifyNotice(Part):
    """A notice of a system: a build, a monitor, a door."""

    source: Text
    text: Text


FILES_EVENTS: dict[str, type[Part]] = {"files.write": FilesWrite, "files.delete": FilesDelete}
NOTIFY_EVENTS: dict[str, type[Part]] = {"notify.reminder": NotifyReminder, "notify.notice": NotifyNotice}
