"""Model aliases: how a model is reached, sampled and limited. Read from `models.yaml` and a user's file over it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from agents.names import BUILT_IN, entries, user_file
from envs.errors import ModelConfigError

EMBEDDED = "embedded"
"""The `endpoint` of the model that runs inside this process."""

Positive = Annotated[int, Field(strict=True, ge=1)]
Seconds = Annotated[float, Field(gt=0)]


class Part(BaseModel):
    """Base of everything in the file: unknown keys are refused, nothing changes after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Sampling(Part):
    """Sent as they are, where set. What an endpoint refuses is dropped, and the recorded reply says so."""

    temperature: Annotated[float, Field(ge=0)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Positive | None = None
    min_p: Annotated[float, Field(ge=0, le=1)] | None = None
    reasoning_effort: StrictStr | None = None

    def parameters(self) -> dict[str, Any]:
        """The request's fields."""
        return self.model_dump(exclude_none=True)


class Limits(Part):
    """Bounds of one question (`steps`: model requests; `calls`; `repeats`: of one identical call) and of an episode.

    `episode_tokens`: prompt and completion together, checked before each request. `reply_tokens`: the most that one
    reply may have, at most half of the window. `result_chars`: a tool result is cut there. `answer_chars`: binds the
    json style's answers.
    """

    steps: Positive = 30
    calls: Positive = 100
    repeats: Positive = 6
    episode_tokens: Positive | None = None
    reply_tokens: Positive | None = None
    result_chars: Positive = 60_000
    answer_chars: Positive = 2_000
    call_first: StrictBool = False


class Transport(Part):
    """`timeout_s` bounds one attempt, `deadline_s` a request with all its attempts."""

    concurrency: Positive = 8
    timeout_s: Seconds = 180
    deadline_s: Seconds = 600
    attempts: Positive = 4


class Alias(Part):
    """One model at one endpoint."""

    model: StrictStr
    endpoint: StrictStr
    key: StrictStr | None = None
    style: Literal["native", "json", "probe"] = "native"
    grammar: Literal["gbnf"] | None = None
    context_tokens: Annotated[int, Field(strict=True, ge=512)]
    seed: StrictBool = False
    sampling: Sampling = Sampling()
    limits: Limits = Limits()
    transport: Transport = Transport()

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        most = self.context_tokens // 2
        if (self.limits.reply_tokens or 0) > most:
            # An endpoint counts them as used before the reply, and would refuse most prompts as too long.
            raise PydanticCustomError("reply_tokens", f"limits.reply_tokens is above {most}, half of context_tokens")
        return self


def load_aliases() -> dict[str, Alias]:
    """Every alias by name: the built-in ones under the user's.

    Raises ModelConfigError, with file, key and the nearest valid key, for a file that can't be used.
    """
    built_in = entries(BUILT_IN)
    aliases = {name: _alias(BUILT_IN, name, entry) for name, entry in built_in.items()}
    path = user_file()
    if path is not None:
        for name, entry in entries(path).items():
            aliases[name] = _alias(path, name, _laid_over(built_in.get(name, {}), entry))
    return aliases


def _laid_over(under: Any, over: Any) -> Any:
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return {**under, **{key: _laid_over(under.get(key), value) for key, value in over.items()}}


def _alias(path: Path, name: str, entry: Any) -> Alias:
    try:
        return Alias.model_validate(entry)
    except ValidationError as invalid:
        error = invalid.errors(include_url=False, include_input=False)[0]
        where = ".".join(["aliases", name, *map(str, error["loc"])])
        if error["type"] == "extra_forbidden":
            raise ModelConfigError(f"{path}: {where}: unknown key{_hint(error['loc'])}") from None
        raise ModelConfigError(f"{path}: {where}: {error['msg'].lower()}") from None


def _hint(loc: tuple[int | str, ...]) -> str:
    part: type[BaseModel] = Alias
    for step in loc[:-1]:
        annotation = part.model_fields[str(step)].annotation
        part = annotation if isinstance(annotation, type) else part
    near = nearest(str(loc[-1]), part.model_fields)
    return f"; did you mean {near!r}?" if near else f"; known are {', '.join(part.model_fields)}"


def nearest(name: str, known: Mapping[str, Any]) -> str | None:
    """The known name that `name` most likely stands for, or None."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)), None)
