"""Scan: reads everything through the tools, ranks it against the question, answers from the best passage.

It has no model and follows no argument: what it gets right, a question gives away to anybody who searches. On a track
without tools it ranks what it observed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.everything import Passage, Reader, chunks, everything, people
from agents.ranking import ranked
from envs.protocol import Answer, Model, Observation, Question, Setting, ToolPack, Tools, View

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*"
_DATE = re.compile(
    rf"\d{{4}}-\d\d-\d\d|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}})?"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?: ?%)?(?![\w-])")
_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:day|date)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:many|much|long|often|high|big)\b|\bpercent|\bwhat (?:number|figure|value)\b", re.I)
_WHO = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)
_YES_NO = re.compile(r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b", re.IGNORECASE)
_TOP = 5
"""Passages in which a value of the wanted form is looked for, best first."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What had arrived by an observation: the first `count` of the agent's passages."""

    count: int
    durable: bool = True
    tokens: int = 0


class Scan:
    """The floor that a model must beat."""

    order: Literal["turn", "question"] = "turn"
    parallel = True

    def __init__(self) -> None:
        self._arrived: list[Passage] = []

    async def start(self, setting: Setting) -> None: ...

    async def observe(self, observation: Observation, model: Model) -> View:
        for item in observation.items:
            self._arrived += [Passage(each.text, time=item.time.isoformat()) for each in chunks(item.text)]
        return Observed(len(self._arrived))

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        """A value of the form that the question asks for, from the best passages that have one."""
        assert isinstance(view, Observed)
        reader = Reader(tools)
        passages = [*self._arrived[: view.count], *await everything(reader)]
        best = [passages[index] for index in ranked(question.text, [each.text for each in passages])[:_TOP]]
        if not best:
            return Answer(question.id, None, "empty")
        return Answer(question.id, _value(question, best, await people(reader)), "answer")

    async def close(self) -> None: ...


def _value(question: Question, best: Sequence[Passage], names: Mapping[str, str]) -> str:
    text = question.text
    for choice in question.choices:
        if any(choice.casefold() in passage.text.casefold() for passage in best):
            return choice
    if _WHEN.search(text):
        found = (match[0] for passage in best for match in _DATE.finditer(passage.text))
        return next(found, best[0].time[:10] or best[0].text)
    if _WHO.search(text):
        return next((name for passage in best for name in _people(passage, names)), best[0].author or best[0].text)
    if _HOW_MANY.search(text):
        return next((match[0] for passage in best for match in _NUMBER.finditer(passage.text)), best[0].text)
    return "yes" if _YES_NO.match(text) else best[0].text


def _people(passage: Passage, names: Mapping[str, str]) -> Iterator[str]:
    """The names of people whom the passage mentions, in any spelling; its author last."""
    folded = passage.text.casefold()
    for handle, name in names.items():
        if re.search(rf"(?<!\w)(?:{re.escape(name.casefold())}|@{re.escape(handle)})(?!\w)", folded):
            yield name
    if passage.author in names:
        yield names[passage.author]
