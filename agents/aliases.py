"""Model aliases: how a model is reached, sampled and limited. Read from `models.yaml` and a user's file over it."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import ryaml
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError

from envs.errors import ModelConfigError

EMBEDDED = "embedded"
"""The `endpoint` of the model that runs inside this process."""

Positive = Annotated[int, Field(strict=True, ge=1)]
Seconds = Annotated[float, Field(gt=0)]
_MAX_FILE_BYTES = 262_144
_BUILT_IN = Path(__file__).with_name("models.yaml")


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
    reply may have. `result_chars`: a tool result is cut there. `answer_chars`: binds the json style's answers.
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


def load_aliases() -> dict[str, Alias]:
    """Every alias by name: the built-in ones under the user's.

    Raises ModelConfigError, with file, key and the nearest valid key, for a file that can't be used.
    """
    built_in = _entries(_BUILT_IN)
    aliases = {name: _alias(_BUILT_IN, name, entry) for name, entry in built_in.items()}
    path = _user_file()
    if path is not None:
        for name, entry in _entries(path).items():
            aliases[name] = _alias(path, name, _laid_over(built_in.get(name, {}), entry))
    return aliases


def _user_file() -> Path | None:
    named = os.environ.get("DRIFTDESK_MODELS")
    if named:
        path = Path(named)
        if not path.is_file():
            raise ModelConfigError(f"{path}: no such file; DRIFTDESK_MODELS names it: correct or unset the variable")
        return path
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = Path(home) / "driftdesk" / "models.yaml"
    return path if path.is_file() else None


def _entries(path: Path) -> dict[str, Any]:
    raw = path.read_bytes()
    if len(raw) > _MAX_FILE_BYTES:
        raise ModelConfigError(f"{path}: larger than {_MAX_FILE_BYTES} bytes; it should hold aliases only")
    try:
        content = ryaml.loads(raw.decode())  # type: ignore[attr-defined]  # its exports aren't declared
    except ValueError as error:  # of the parser and of UTF-8
        raise ModelConfigError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict) or not isinstance(content.get("aliases"), dict):
        raise ModelConfigError(f"{path}: it needs one key `aliases:` with the aliases, by name, under it")
    for key in content:
        if key != "aliases":
            raise ModelConfigError(f"{path}: unknown key {key!r}; the only one here is 'aliases'")
    return dict(content["aliases"])


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
