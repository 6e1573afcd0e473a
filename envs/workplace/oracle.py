"""The oracle: the ceiling of a scenario. It knows the gold, and may say it only where the tools gave it.

For each evidence event it reads, through the tools alone, the place where such an event shows (the conversation, the
ticket's field), and looks for the decisive words there. It answers when all of them were found and every part of the
gold stands in what was found; else it answers nothing and says what it missed. So a question that the oracle can't
answer is one that nobody can be asked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from envs.answers import DateGold, Gold, NumberGold, SetGold, TextGold, YesNoGold
from envs.protocol import Answer, Model, Observation, Question, Setting, ToolPack, Tools, View
from envs.workplace.enquiry import Enquiry
from envs.workplace.git_showings import GIT
from envs.workplace.linear_showings import LINEAR
from envs.workplace.machine_showings import MACHINE
from envs.workplace.showing import Locator, Search, Showing
from envs.workplace.slack_showings import SLACK
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
        enquiry = Enquiry(tools, self._platforms)
        texts: list[str] = []
        async for event_id, showing in showings(self._scenario, asked, enquiry):
            if showing is None:
                words = asked.evidence[event_id]
                return Answer(question.id, None, "empty", detail=f"{event_id}: no tool shows {words!r}")
            texts += [*showing.texts, *await _names(enquiry, showing.people)]
        missing = self._unfound(asked.gold, texts)
        if missing:
            told = ", ".join(map(repr, missing))
            return Answer(question.id, None, "empty", detail=f"the evidence was read, and it doesn't state {told}")
        return Answer(question.id, wording(asked), "answer")

    async def close(self) -> None: ...


async def showings(
    scenario: Scenario, question: ScenarioQuestion, enquiry: Enquiry
) -> AsyncIterator[tuple[str, Showing | None]]:
    """Each evidence event's id, with what shows its decisive words now; None: nothing does."""
    events = {event.id: event for event in scenario.events}
    for event_id, words in question.evidence.items():
        event = events[event_id]
        locator = LOCATORS.get(event.kind)
        yield event_id, None if locator is None else await locator(Search(enquiry, scenario, events, event, words))


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


def wording(question: ScenarioQuestion) -> str:
    """The gold of a question as a plain answer."""
    match question.gold:
        case TextGold(accepted=accepted):
            return accepted[0]
        case NumberGold(value=value, unit=unit):
            return f"{value:.15g}" if unit is None else f"{value:.15g} {unit}"
        case DateGold(value=value, precision=precision):
            return value.isoformat() if precision == "day" else f"{value:%Y-%m-%dT%H:%MZ}"
        case SetGold(parts=parts):
            return ", ".join(part[0] for part in parts)
        case YesNoGold(value=yes):
            return "yes" if yes else "no"
