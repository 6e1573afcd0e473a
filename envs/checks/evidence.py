"""Evidence: it is there in time, it states the answer, and nothing later takes it back before the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from envs.answers import DateGold, NumberGold
from envs.checks.events import fields, stating, target, texts, values
from envs.checks.finding import Note, question_path
from envs.clock import format_instant
from judges.dates import days
from judges.mentions import unmentioned
from judges.numbers import quantities
from judges.tokens import tokenise
from scenarios.evidence import says
from scenarios.mistake import quoted
from scenarios.scenario import Event, Scenario, ScenarioQuestion


async def presence(scenario: Scenario) -> list[Note]:
    """Each evidence event exists, isn't later than its question and says its decisive words."""
    events = {event.id: event for event in scenario.events}
    notes = []
    for question in scenario.questions:
        for event_id, words in question.evidence.items():
            event = events.get(event_id)
            if event is None:
                message = f"there is no event {quoted(event_id)}; name one that shows the answer"
            elif event.time > question.time:
                message = f"{quoted(event_id)} comes after the question; name an earlier event"
            elif not stating(event, words):
                message = f"{quoted(event_id)} doesn't say {quoted(words)}; copy the words from the event"
            else:
                continue
            notes.append(Note(question_path(scenario, question.id, "evidence", event_id), message, at_key=True))
    return notes


async def answer_stated(scenario: Scenario) -> list[Note]:
    """Every part of an answer stands in an evidence event; dates and numbers are compared.

    But for what is inferred, or computed by formula or script: the oracle computes these again.
    """
    people = {person.handle: person.name for person in scenario.org.people}
    notes = []
    for question in scenario.questions:
        said = [text for event in _evidence(scenario, question) for text in _spoken(event, people)]
        missing = unmentioned(question.gold, said)
        if missing and question.formula is None and question.script is None:
            told = ", ".join(map(quoted, missing))
            message = f"no evidence event states {told}; add the event that does, or correct the answer"
            notes.append(Note(question_path(scenario, question.id, "answer"), message))
    return notes


async def overturned(scenario: Scenario) -> list[Note]:
    """No later event, up to the question, changes or removes what an evidence event says, unless it is evidence too."""
    notes = []
    for question in scenario.questions:
        for event in _evidence(scenario, question):
            words = question.evidence[event.id]
            for later in _later(scenario, event, question):
                if later.id not in question.evidence and _takes_back(event, later, words):
                    when = format_instant(later.time)
                    message = (
                        f"{quoted(event.id)} is overturned by {quoted(later.id)} ({when}); "
                        "add that event to the evidence, or leave this one out"
                    )
                    path = question_path(scenario, question.id, "evidence", event.id)
                    notes.append(Note(path, message, at_key=True))
                    break
    return notes


async def contested(scenario: Scenario) -> list[Note]:
    """No later word in the same thread or ticket states another value than the answer, unless the file says so.

    For answers that are one date or number: a value that follows on the deciding one is in `was`, in `not`, or said by
    evidence.
    """
    notes = []
    for question in scenario.questions:
        if not isinstance(question.gold, DateGold | NumberGold):
            continue
        known = " ; ".join((*question.was, *question.distractors))
        for event in _evidence(scenario, question):
            if unmentioned(question.gold, texts(event)):
                continue
            for later in _later(scenario, event, question):
                if later.id in question.evidence or not _same_talk(event, later):
                    continue
                rivals = [value for value in _stated(question.gold, later) if value not in _read(question.gold, known)]
                if rivals:
                    message = (
                        f"{quoted(later.id)} goes on after {quoted(event.id)} and states {rivals[0]}; "
                        "list that under `was` or `not`, or add the event to the evidence"
                    )
                    notes.append(Note(question_path(scenario, question.id, "answer"), message))
    return notes


def _evidence(scenario: Scenario, question: ScenarioQuestion) -> list[Event]:
    return [event for event in scenario.events if event.id in question.evidence]


def _later(scenario: Scenario, event: Event, question: ScenarioQuestion) -> Iterator[Event]:
    """The events after `event` in the total order, up to the question."""
    after = False
    for each in scenario.events:
        if after and each.time <= question.time:
            yield each
        after = after or each.id == event.id


def _spoken(event: Event, people: Mapping[str, str]) -> Iterator[str]:
    """The texts of an event, and the names of the people whose handles it gives as values or mentions."""
    for value in values(fields(event)):
        yield str(value)
        if not isinstance(value, str):
            continue
        if value in people:
            yield people[value]
        yield from (name for handle, name in people.items() if says(value, f"@{handle}"))


def _takes_back(event: Event, later: Event, words: str) -> bool:
    if event.platform != later.platform:
        return False
    if event.platform == "slack":
        return _takes_back_in_slack(event, later, words)
    if event.platform == "git":
        return _takes_back_in_git(event, later, words)
    for key in ("issue", "milestone", "team", "path"):
        if getattr(event.payload, key, None) != getattr(later.payload, key, None):
            return False
    if later.kind in ("linear.delete", "files.delete"):
        return True
    if "member" in event.kind:
        opposite = {"linear.add_member": "linear.remove_member", "linear.remove_member": "linear.add_member"}
        same = getattr(event.payload, "person", "") == getattr(later.payload, "person", "")
        return same and later.kind == opposite[event.kind]
    if later.kind not in ("linear.update", "linear.progress", "files.write"):
        return False
    given = fields(later)
    decisive = set(stating(event, words)) - {"issue", "by", "milestone", "path"}
    return any(not any(says(each, words) for each in values(given[key])) for key in decisive & set(given))


def _takes_back_in_slack(event: Event, later: Event, words: str) -> bool:
    if later.kind in ("slack.edit", "slack.delete"):
        if event.kind not in ("slack.message", "slack.offline_message", "slack.edit", "slack.react"):
            return False
        return target(event) == target(later) and (
            later.kind == "slack.delete" or ("text" in stating(event, words) and "text" not in stating(later, words))
        )
    if later.kind == "slack.set_topic" and "topic" in stating(event, words):
        return getattr(event.payload, "channel", "") == getattr(later.payload, "channel", None)
    return False


def _takes_back_in_git(event: Event, later: Event, words: str) -> bool:
    """Whether a later commit on the same branch writes or deletes the file whose text is decisive."""
    if later.kind not in ("git.commit", "git.merge") or "write" not in stating(event, words):
        return False
    for key in ("repo", "branch"):
        if getattr(event.payload, key, None) != getattr(later.payload, key, None):
            return False
    decisive = {
        path for path, text in fields(event)["write"].items() if any(says(each, words) for each in values(text))
    }
    given = fields(later)
    rewritten = given.get("write", {})
    kept = [path for path in decisive if path not in rewritten and path not in given.get("delete", ())]
    said = [path for path in decisive if any(says(each, words) for each in values(rewritten.get(path)))]
    return bool(decisive) and not kept and not said


def _same_talk(event: Event, later: Event) -> bool:
    """Whether `later` goes on where `event` was said: in its thread, or in the comments of its ticket."""
    if event.kind == later.kind == "linear.comment":
        return getattr(event.payload, "issue", None) == getattr(later.payload, "issue", "")
    if event.kind == later.kind == "slack.message":
        root = getattr(event.payload, "thread", None) or event.id
        return getattr(later.payload, "thread", None) == root
    return False


def _stated(gold: DateGold | NumberGold, event: Event) -> list[str]:
    """The values of the gold's kind that an event states, other than the gold, in its order."""
    found = dict.fromkeys(value for text in texts(event) for value in _read(gold, text))
    return [value for value in found if unmentioned(gold, [value])]


def _read(gold: DateGold | NumberGold, text: str) -> list[str]:
    tokens = tokenise(text)
    if isinstance(gold, NumberGold):
        return [f"{quantity.number:f}" for quantity in quantities(tokens, gold.unit) if quantity.unit == gold.unit]
    year = gold.value.year
    return [f"{day.year}-{day.month:02}-{day.day:02}" for day in days(tokens, year) if day.clear]
