"""The error hierarchy: one type per boundary.

`UserError` is a user's mistake: the command prints its one line and exits with code 2. `Fault` is an infrastructure
failure of ours: the row is unscored and tried again on resume. `OperationError` is what a tool tells the model.
"""

from __future__ import annotations

from typing import Literal

FaultKind = Literal["endpoint", "rate_limit", "memory", "sandbox", "cancelled", "deadline", "budget", "internal"]


class DriftDeskError(Exception):
    """Base of every error that this project raises on purpose."""


class UserError(DriftDeskError):
    """A user's mistake. The message is one line: what, where, how to mend it."""


class ScenarioError(UserError):
    """A scenario file that can't be loaded; the message starts with `file:line:column:`."""


class RunError(UserError):
    """A run folder that can't be used: locked, of another fingerprint, of a newer schema, diverged on resume."""


class ModelConfigError(UserError):
    """An agent spec or a model alias that can't be used: unknown, misspelt, its key's variable unset."""


class Fault(DriftDeskError):
    """Ours, not the model's: the endpoint, a memory back end, the sandbox, a deadline, a budget.

    Raised by `Model.complete` and by memories; an agent turns it into `Answer.fault`, and the driver does where the
    agent lets it through.
    """

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind


class OperationError(DriftDeskError):
    """An expected failure of a tool call, told to the model: a code, a sentence, a hint."""

    def __init__(self, code: str, message: str, *, hint: str | None = None, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.candidates = candidates
