"""The base of everything that a scenario file holds."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """Base of everything in a file: unknown keys are refused, nothing changes after loading.

    A file may write null (also `~` and an empty value) for the keys in `clearable` only: elsewhere it is a slip, since
    leaving the key out says the same.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    clearable: ClassVar[frozenset[str]] = frozenset()
