"""The oracle: the ceiling of a scenario. It knows the gold, and may say it only where the tools gave it.

For each evidence event it reads, through the tools alone, the place where such an event shows (the conversation, the
ticket's field), and looks for the decisive words there. It answers when all of them were found and every part of the
gold stands in what was found; else it answers nothing and says what it missed. So a question that the oracle can't
answer is one that nobody can be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

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
from envs.clock import format_instant, parse_instant
from envs.protocol import Answer, Model, Observation, Question, Setting, ToolPack, Tools, View
from envs.workplace.enquiry import Enquiry
from envs.workplace.git_showings import GIT
from envs.workplace.linear_showings import LINEAR
from envs.workplace.machine_showings import MACHINE
from envs.workplace.scripts import code_of, computed
from envs.workplace.showing import Locator, Search, Showing
from envs.workplace.slack_showings import SLACK
from scenarios.formula import Operation, Reading, Term, evaluate, parse
from scenarios.formula_values import Days, Fact, FormulaError
from scenarios.scenario import Scenario, ScenarioQuestion

Unfound = Callable[[Gold, Sequence[str]], Sequence[str]]
"""The parts of a gold, as one would write them, that none of the texts mention."""

LOCATORS: Mapping[str, Locator] = {**SLACK, **LINEAR, **GIT, **MACHINE}


@dataclass(frozen=True, slots=True)
class _NothingKept:
    """The oracle reads afresh for every question."""

    durable: bool = True
    tokens: int = 0


class Oracle:
    """Made for one scenario by whoever holds its gold. `platforms`: the only ones that it may ask, None: all.

    `unfound` compares the gold with texts, in the forms that the judge reads.
    """

    order: Literal["turn", "question"] = "turn"
    parallel = True

    def __init__(self, scenario: Scenario, unfound: Unfound, platforms: Collection[str] | None = None) -> None:
        self._scenario = scenario
        self._unfound = unfound
        self._platforms = platforms
        self._questions = {question.id: question for question in scenario.questions}

    async def start(self, setting: Setting) -> None: ...

    async def observe(self, observation: Observation, model: Model) -> View:
        return _NothingKept()

    def packs(self, question: Question, view: View) -> Sequence[ToolPack]:
        return ()

    async def answer(self, question: Question, view: View, tools: Tools, model: Model) -> Answer:
        """The gold, or nothing with the reason in `detail`."""
        asked = self._questions[question.id]
        searches = list(searches_of(self._scenario, asked, Enquiry(tools, self._platforms)))
        shown: dict[str, Showing] = {}
        for search in searches:
            showing = await located(search)
            if showing is None:
                detail = f"{search.event.id}: no tool shows {search.words!r}"
                return Answer(question.id, None, "empty", detail=detail)
            shown[search.event.id] = showing
        missing = await self._missing(asked, searches, shown)
        if missing is not None:
            return Answer(question.id, None, "empty", detail=missing)
        return Answer(question.id, wording(asked.gold), "answer")

    async def close(self) -> None: ...

    async def _missing(
        self, asked: ScenarioQuestion, searches: list[Search], shown: Mapping[str, Showing]
    ) -> str | None:
        """Why the gold doesn't follow from what was shown, None where it does. What is inferred follows from all of
        the evidence together, as its author vouches."""
        if asked.formula is not None:
            return _formula_missing(asked, shown, self._scenario)
        if asked.script is not None:
            said, failure = await computed(self._scenario.folder / asked.script, await code_of(searches))
            if said is None:
                return failure
            return f"{asked.script} says {said!r}" if self._unfound(asked.gold, [said]) else None
        texts: list[str] = []
        for search in searches:
            showing = shown[search.event.id]
            texts += [*showing.texts, *await _names(search.enquiry, showing.people)]
        missing = self._unfound(asked.gold, texts)
        told = ", ".join(map(repr, missing))
        return f"the evidence was read, and it doesn't state {told}" if missing else None


def searches_of(scenario: Scenario, question: ScenarioQuestion, enquiry: Enquiry) -> Iterator[Search]:
    """A search for the decisive words of each evidence event."""
    events = {event.id: event for event in scenario.events}
    for event_id, words in question.evidence.items():
        yield Search(enquiry, scenario, events, events[event_id], words)


async def located(search: Search) -> Showing | None:
    """What shows an event's decisive words now; None: nothing does."""
    locator = LOCATORS.get(search.event.kind)
    return None if locator is None else await locator(search)


def _formula_missing(asked: ScenarioQuestion, shown: Mapping[str, Showing], scenario: Scenario) -> str | None:
    """Computes the formula over the words that were found and the times that the tools gave with them."""
    term = parse(asked.formula or "")
    for event_id in _dated(term):
        if not shown[event_id].time:
            return f"the tools don't tell when {event_id} was"
    # Where no time is told, no formula asks for more than the year, to read a day that has none.
    times = {event.id: format_instant(event.time) for event in scenario.events}
    facts = {
        event_id: Fact(words, parse_instant(shown[event_id].time or times[event_id]), scenario.zone)
        for event_id, words in asked.evidence.items()
    }
    try:
        value = evaluate(term, facts)
    except FormulaError as error:
        return f"the formula can't be computed from what was read: {error}"
    number = value.number if isinstance(value, Days) else value
    right = getattr(asked.gold, "value", None)
    same = number == right if isinstance(number, date) else float(number) == right
    return None if same else f"the formula comes to {number} over what was read"


def _dated(term: Term) -> Iterator[str]:
    """The events whose day a formula asks for."""
    match term:
        case Reading(reader="day", event=event):
            yield event
        case Operation(left=left, right=right):
            yield from _dated(left)
            yield from _dated(right)


async def _names(enquiry: Enquiry, handles: Collection[str]) -> list[str]:
    """Handles and names of people who stand in results under their handles, as the platforms' lists pair them."""
    if not handles:
        return []
    users = await enquiry.ask("slack.list_users")
    listed = [] if users is None else users["users"]
    if not listed:
        teams = await enquiry.ask("linear.list_team_members")
        listed = [] if teams is None else [member for team in teams["teams"] for member in team["members"]]
    return [text for user in listed if user["username"] in handles for text in (user["username"], user["name"])]


def wording(gold: Gold) -> str:
    """A gold as a plain answer."""
    match gold:
        case TextGold(accepted=accepted):
            return accepted[0]
        case NumberGold(value=value, unit=unit):
            return f"{value:.15g}" if unit is None else f"{value:.15g} {unit}"
        case DateGold(value=value, precision=precision):
            return value.isoformat() if precision == "day" else f"{value:%Y-%m-%dT%H:%MZ}"
        case SetGold(parts=parts) | ListGold(parts=parts):
            return ", ".join(part[0] for part in parts)
        case ChoiceGold(options=options, right=right):
            return options[right][0]
        case AbstainGold():
            return "I don't know: it was never said."
        case YesNoGold(value=yes):
            return "yes" if yes else "no"
