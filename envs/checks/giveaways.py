"""Giveaways: the answer in what is told anyway, and the answers that one hits without looking anything up."""

from __future__ import annotations

import re
from collections import Counter

from envs.answers import AbstainGold, ChoiceGold, YesNoGold
from envs.checks.events import paths
from envs.checks.finding import Note, question_path
from envs.protocol import Key
from envs.workplace.oracle import wording
from judges.match import compare
from judges.mentions import mentions, parts, spelt
from scenarios.mistake import quoted
from scenarios.scenario import Scenario, ScenarioQuestion

_SEPARATORS = re.compile(r"[/_.-]+")


async def told(scenario: Scenario) -> list[Note]:
    """No part of an answer stands in its question, an earlier one, the briefing or a file's name."""
    names = " ; ".join(path for event in scenario.events for path in paths(event))
    sources = {"the briefing": scenario.agent.briefing, "a file's name": f"{names} ; {_SEPARATORS.sub(' ', names)}"}
    notes = []
    for index, question in enumerate(scenario.questions):
        asked = {f"the question {quoted(each.id)}": each.ask for each in scenario.questions[: index + 1]}
        for part in parts(question.gold):
            for source, text in {**asked, **sources}.items():
                if mentions(part, text):
                    message = f"{source} says {quoted(spelt(part))}, which is the answer; word it otherwise"
                    notes.append(Note(question_path(scenario, question.id, "ask"), message))
    return notes


async def guessed(scenario: Scenario) -> list[Note]:
    """Saying the question back, or what most other questions of the kind have for an answer, earns nothing.

    Yes or no and choices are apart, since some guesses are right; so is what nobody can know.
    """
    notes = []
    for question in scenario.questions:
        if isinstance(question.gold, YesNoGold | ChoiceGold | AbstainGold):
            continue
        key = Key(question.gold, question.was, question.distractors)
        guesses = {"the words of the question": question.ask}
        frequent = _most_frequent(scenario, question)
        if frequent is not None:
            guesses["the commonest answer of its kind"] = frequent
        for name, guess in guesses.items():
            if (compare(key, guess).score or 0.0) > 0:
                message = f"{name} ({quoted(guess)}) is right without any look-up; ask for something else"
                notes.append(Note(question_path(scenario, question.id, "answer"), message))
    return notes


def _most_frequent(scenario: Scenario, question: ScenarioQuestion) -> str | None:
    """The commonest answer of the scenario's other questions of that kind, the first of equals."""
    others = [
        wording(each.gold)
        for each in scenario.questions
        if each.id != question.id and each.gold.kind == question.gold.kind
    ]
    return Counter(others).most_common(1)[0][0] if others else None
