"""Formulas: an answer computed from what the evidence says, in a small language of its own.

    date(e12) - date(e4)          how many days lie between the days that two events name
    number(e7) * 2 + number(e9)   arithmetic over numbers
    date(e3) + days(14)           a day two weeks after
    day(e5)                       the day on which an event happened
    count(e1, e2, e3)             how many these are

`number` and `date` read the one number or day in an event's decisive words (`evidence`); a day is written 2025-05-07,
7 May 2025 or May 7, 2025, and without a year it is in that of the event. `day` is in the scenario's zone. There are
`+`, `-`, `*`, `/`, brackets, numbers and spans (`days(14)`); the difference of two days is a span.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scenarios.formula_values import Days, Fact, FormulaError, Value, combined, day_in, day_of, number_in
from scenarios.mistake import quoted

_READERS: Mapping[str, Callable[[Fact], Value]] = {"number": number_in, "date": day_in, "day": day_of}
_NAMES = (*_READERS, "count", "days")
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[a-z][a-z0-9_-]*|[-+*/(),])", re.ASCII)
_LONGEST = 300
"""Characters of a formula."""


@dataclass(frozen=True, slots=True)
class Constant:
    value: Value


@dataclass(frozen=True, slots=True)
class Reading:
    """`reader`: number, date or day."""

    reader: str
    event: str


@dataclass(frozen=True, slots=True)
class Count:
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    mark: str
    left: Term
    right: Term


Term = Constant | Reading | Count | Operation
"""A formula that has been read."""


def parse(formula: str) -> Term:
    """The formula as a tree. Raises FormulaError."""
    if len(formula) > _LONGEST:
        raise FormulaError(f"a formula has at most {_LONGEST} characters; make it shorter")
    return _Parser(_tokens(formula)).whole()


def events_of(term: Term) -> tuple[str, ...]:
    """The ids of the events that a formula reads or counts, each once, in order."""
    match term:
        case Constant():
            return ()
        case Reading(event=event):
            return (event,)
        case Count(events=events):
            return events
        case Operation(left=left, right=right):
            return tuple(dict.fromkeys((*events_of(left), *events_of(right))))


def evaluate(term: Term, facts: Mapping[str, Fact]) -> Value:
    """What a formula comes to. `facts`: by event id, for all of `events_of(term)`.

    Raises FormulaError for words that don't say one number or day, and for kinds that don't go together.
    """
    match term:
        case Constant(value=value):
            return value
        case Reading(reader=reader, event=event):
            return _READERS[reader](facts[event])
        case Count(events=events):
            return Fraction(len(events))
        case Operation(mark=mark, left=left, right=right):
            return combined(mark, evaluate(left, facts), evaluate(right, facts))


def _tokens(formula: str) -> list[str]:
    tokens: list[str] = []
    at, text = 0, formula.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"{quoted(text[at:].strip()[0])} can't stand in a formula; {_EXAMPLE}")
        tokens.append(match[1])
        at = match.end()
    return tokens


_EXAMPLE = "write one like date(e12) - date(e4)"


class _Parser:
    """Recursive descent: sums of products of factors."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def whole(self) -> Term:
        term = self._sum()
        if self._next:
            raise FormulaError(f"{quoted(self._next)} doesn't belong there; {_EXAMPLE}")
        return term

    @property
    def _next(self) -> str:
        """The token to come, blank at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next
        self._at += 1
        return token

    def _expect(self, mark: str) -> None:
        found = self._take()
        if found != mark:
            before = quoted(found) if found else "the end"
            raise FormulaError(f"{quoted(mark)} is missing before {before}; {_EXAMPLE}")

    def _sum(self) -> Term:
        term = self._product()
        while self._next in ("+", "-"):
            term = Operation(self._take(), term, self._product())
        return term

    def _product(self) -> Term:
        term = self._factor()
        while self._next in ("*", "/"):
            term = Operation(self._take(), term, self._factor())
        return term

    def _factor(self) -> Term:
        token = self._take()
        if token == "(":
            term = self._sum()
            self._expect(")")
            return term
        if token == "-":
            return Operation("*", Constant(Fraction(-1)), self._factor())
        if token[:1].isdigit():
            return Constant(Fraction(token))
        return self._call(token)

    def _call(self, name: str) -> Term:
        if name not in _NAMES:
            found = quoted(name) if name else "the formula's end"
            raise FormulaError(f"{found} can't stand there; there is {', '.join(_NAMES)}")
        self._expect("(")
        arguments = [self._take()]
        while self._next == ",":
            self._take()
            arguments.append(self._take())
        self._expect(")")
        if name == "days":
            if len(arguments) > 1 or not arguments[0][:1].isdigit():
                raise FormulaError("`days` takes one number; write it like days(14)")
            return Constant(Days(Fraction(arguments[0])))
        for argument in arguments:
            if not argument[:1].isalpha():
                raise FormulaError(f"`{name}` takes the id of an event, not {quoted(argument)}; {_EXAMPLE}")
        if name == "count":
            if len(set(arguments)) < len(arguments):
                raise FormulaError("`count` has an event twice; remove one")
            return Count(tuple(arguments))
        if len(arguments) > 1:
            raise FormulaError(f"`{name}` takes one event; write {name}({arguments[0]}) and the others apart")
        return Reading(name, arguments[0])
