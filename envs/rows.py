"""The rows of a run's files: how a case, a call and a verdict are written down, and read back.

A row is self-contained (question, gold, answer), so that a saved run can be judged again and looked at without its
scenario. Only `timings.jsonl` holds wall time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from envs.errors import RunError
from envs.protocol import Answer, Case, Question, RowKey, Verdict

SCHEMAS = {
    name: f"driftdesk.{name.removesuffix('.jsonl')}/1"
    for name in ("model.jsonl", "calls.jsonl", "answers.jsonl", "verdicts.jsonl", "timings.jsonl")
}
"""File -> schema, in the order in which a commit makes them durable: an answer never stands without its calls."""

_ANSWER = TypeAdapter(Answer)
_CASE = TypeAdapter(Case)


def key_of(row: Mapping[str, Any]) -> RowKey:
    """The key that every row of answers, calls and verdicts begins with. Raises RunError for a row without."""
    try:
        return RowKey(row["instance"], row["question"], row["turn"], row["trial"])
    except KeyError:
        raise _misshapen(row) from None


def answer_row(case: Case) -> dict[str, Any]:
    """The line of `answers.jsonl`."""
    answer = case.answer
    return {
        **case.row._asdict(),
        "asked": case.asked,
        "ask": case.question.text,
        "mode": case.question.mode,
        "choices": case.question.choices,
        "text": answer.text,
        "code": answer.code,
        "fault": answer.fault,
        "detail": answer.detail,
        "usage": answer.usage,
        "findings": case.findings,
        "key": case.key,
    }


def call_rows(case: Case) -> list[dict[str, Any]]:
    """The lines of `calls.jsonl` of one case, numbered from 0 in the order of the calls."""
    prefix = case.row._asdict()
    return [
        {
            **prefix,
            "n": number,
            "tool": call.tool,
            "op": call.op,
            "arguments": call.arguments,
            "error": call.error,
            "time": call.time,
            "reads": call.reads,
            "writes": call.writes,
            "caller": call.caller,
            "result": call.result,
        }
        for number, call in enumerate(case.calls)
    ]


def verdict_row(row: RowKey, judge: str, verdict: Verdict) -> dict[str, Any]:
    """The line of `verdicts.jsonl`."""
    return {**row._asdict(), "judge": judge, "score": verdict.score, "reason": verdict.reason}


def read_answer(row: Mapping[str, Any]) -> Answer:
    """The answer that a line of `answers.jsonl` holds. Raises RunError for a row of another shape."""
    fields = ("text", "code", "fault", "detail", "usage")
    try:
        return _ANSWER.validate_python({"question": row["question"], **{name: row[name] for name in fields}})
    except _MISSHAPEN:
        raise _misshapen(row) from None


def read_case(row: Mapping[str, Any], calls: Iterable[Mapping[str, Any]]) -> Case:
    """The case that a line of `answers.jsonl` and its lines of `calls.jsonl` hold.

    Raises RunError for another shape.
    """
    answer = read_answer(row)
    try:
        question = Question(row["question"], row["ask"], row["mode"], tuple(row["choices"]))
        return _CASE.validate_python(
            {
                "row": key_of(row),
                "question": question,
                "asked": row["asked"],
                "key": row["key"],
                "answer": answer,
                "calls": [{name: call[name] for name in _CALL_FIELDS} for call in calls],
                "findings": row["findings"],
            }
        )
    except _MISSHAPEN:
        raise _misshapen(row) from None


_MISSHAPEN = (ValueError, KeyError, TypeError)


def _misshapen(row: Mapping[str, Any]) -> RunError:
    name = "/".join(str(row.get(field)) for field in RowKey._fields)
    return RunError(f"answers.jsonl: the row {name} is not of this version's shape; start a new run")


_CALL_FIELDS = ("tool", "op", "arguments", "error", "time", "reads", "writes", "caller", "result")
