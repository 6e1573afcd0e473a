"""What a scenario file says of its questions: their words, their answers by kind, their evidence."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, StrictBool, StrictInt, Tag

from scenarios.part import Part
from scenarios.scalars import EventId, Number, Text


class TextAnswer(Part):
    text: Text
    accept: tuple[Text, ...] = ()


class NumberAnswer(Part):
    number: Number
    tolerance: Annotated[Number, Field(ge=0)] = 0
    unit: Text | None = None


class DateAnswer(Part):
    """A day (`2025-05-01`), or an instant with precision `minute`."""

    date: Text
    precision: Literal["day", "minute"] = "day"


Spellings = Annotated[
    Annotated[Text, Tag("text")] | Annotated[tuple[Text, ...], Field(min_length=1), Tag("list")],
    Discriminator(lambda value: "list" if isinstance(value, list | tuple) else "text"),
]
"""One part of a set: a text, or a list of texts that are as good."""


class SetAnswer(Part):
    set: Annotated[tuple[Spellings, ...], Field(min_length=1)]


class ListAnswer(Part):
    """Parts in their order."""

    list: Annotated[tuple[Spellings, ...], Field(min_length=2)]


class YesNoAnswer(Part):
    yes_no: Literal["yes", "no"]


class ChoiceAnswer(Part):
    """`choice`: one of `options`, which are told to the agent in the order of the file."""

    choice: Text
    options: Annotated[tuple[Spellings, ...], Field(min_length=2)]


class AbstainAnswer(Part):
    """Nobody can know. `abstain`: the reason, such as "nobody ever said who approved it"."""

    abstain: Text


class FormulaAnswer(Part):
    """What a formula over the evidence comes to: a number, a date, or a span in days (`scenarios.formula`)."""

    formula: Text
    tolerance: Annotated[Number, Field(ge=0)] = 0
    unit: Text | None = None


ANSWER_KINDS: dict[str, type[Part]] = {
    "text": TextAnswer,
    "number": NumberAnswer,
    "date": DateAnswer,
    "set": SetAnswer,
    "list": ListAnswer,
    "yes_no": YesNoAnswer,
    "choice": ChoiceAnswer,
    "abstain": AbstainAnswer,
    "formula": FormulaAnswer,
}
"""Key that says the kind of an `answer:` -> its model."""


class QuestionEntry(Part):
    """`at` an instant or `after` an event id; omitted: the last event, or the previous question if later.

    `answer`: one of ANSWER_KINDS, and perhaps `script`, a file beside the scenario that computes it from the code.
    """

    id: EventId
    at: Text | None = None
    after: EventId | None = None
    ask: Text
    answer: dict[str, Any]
    was: tuple[Text, ...] = ()
    not_: tuple[Text, ...] = Field(default=(), alias="not")
    evidence: dict[EventId, Text]
    """Event id -> the decisive words or field value in it."""
    hops: Annotated[StrictInt, Field(ge=1)] = 1
    tags: tuple[Text, ...] = ()
    ambiguous: StrictBool = False
    follow_up: StrictBool | None = None
    """Default: every question but the first."""
