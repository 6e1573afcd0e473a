"""One mistake a file: the place (marked in the replacement), what is said, and how to mend it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from broken_file import Broken, check_refusal
from scenarios.part import Part
from scenarios.question_schema import ANSWER_KINDS
from scenarios.scalars import BREACHES
from scenarios.scenario import Scenario
from scenarios.schema import EVENT_KINDS, ScenarioFile

REPLY = 'text: "Fine: with me", thread: hello}\n'

DAY = "{date: 2025-10-27}"
SOURCE = "source: {issue: ENG-1, change: the second one, files: [a.py, b.py]}\n"
ERRATUM = "errata: [{question: day, version: 1, note: Read again, answer: {date: 2025-10-28}}]\n"

BROKEN: Broken = {
    # ---- YAML
    "bracket_open": (
        "labels: [bug, size]\n    milestones:\n",
        "labels: [bug, size\n    milestones¦:\n",
        "a bracket is never closed",
    ),
    "colon_in_text": ("title: A small scenario", "title: A small¦: scenario", "needs quotes"),
    "tab": ("      by: kim\n      title", "¦\tby: kim\n      title", "indent with spaces"),
    "at_sign": ("text: Are you in?", "text: ¦@ana are you in?", "starts with @"),
    "second_document": ("questions:\n", "¦---\nquestions:\n", "one file holds one scenario"),
    "duplicate_key": (
        "      by: kim\n      title",
        "      by: kim\n      ¦by: lee\n      title",
        '"by" is there twice',
    ),
    "duplicate_flow_key": (
        "{channel: launch, person: ana}",
        "{channel: launch, ¦channel: random}",
        '"channel" is there twice',
    ),
    "list_as_key": ("    tags: [owner]", "    ¦[a]: owner", "a key must be text"),
    "number_as_key": ("    tags: [owner]", "    ¦7: owner", 'a key must be text, which "7" without quotes'),
    "truth_as_key": ("    tags: [owner]", "    ¦true: owner", 'a key must be text, which "true" without quotes'),
    "nothing_as_key": ("    tags: [owner]", "    ¦null: owner", 'a key must be text, which "null" without quotes'),
    "float_as_key": ("    tags: [owner]", "    ¦1e3: owner", 'a key must be text, which "1e3" without quotes'),
    "cut_by_bracket": ("title: Size finder", "title: See ¦#(search", "for a comment; write a text with # in quotes"),
    "cut_by_emoji": ("title: Size finder", "title: See ¦#😀", "for a comment; write a text with # in quotes"),
    "cut_by_sign": ("title: Size finder", "title: See ¦#-1", "for a comment; write a text with # in quotes"),
    "cut_by_two": ("title: Size finder", "title: See ¦##b", "for a comment; write a text with # in quotes"),
    "merge_key": ("    tags: [owner]", "    ¦<<: {tags: [owner]}", "merge keys .* write the keys out"),
    "merge_in_entry": ("  - id: away\n", "  - ¦<<: {id: away}\n", "merge keys"),
    "own_tag": ("title: Size finder", "title: ¦!text Size finder", "tag !text can't be used"),
    "known_tag": ("title: Size finder", "title: ¦!!binary aGk=", "tag !!binary can't be used"),
    "undefined_alias": ("title: Size finder", "title: ¦*size", "undefined alias"),
    "anchor_twice": ("role: engineer", "role: &r engineer\n      team: ¦&r x", "the anchor &r is there twice"),
    "cut_by_comment": (
        "title: Size finder",
        "title: See ¦#search please",
        "for a comment; write a text with # in quotes",
    ),
    "control_character": ("text: Are you in?", "text: Are you¦\x07 in?", r"U\+0007 .* \\u0007"),
    "line_separator": ("text: Are you in?", 'text: "Are you¦\u2028in?"', r"U\+2028"),
    "huge_integer": ("priority: 2", "priority: ¦99999999999999999999999", "more than 64 bits"),
    "unicode_before": ('#search. 😀"', '#search. 😀" ¦é', "not YAML"),
    # ---- shape
    "unknown_key": ("title: Size finder", "¦tilte: Size finder", 'unknown key "tilte"; did you mean "title"?'),
    "unknown_top_key": ("summary: One", "¦sumary: One", 'did you mean "summary"'),
    "unknown_key_deep": ("blocks: [ENG-1]", "¦block: [ENG-1]", 'did you mean "blocks"'),
    "unknown_question_key": ("    follow_up: false", "    ¦folow_up: false", 'did you mean "follow_up"'),
    "unknown_answer_option": ("tolerance: 0.5", "¦tolerence: 0.5", 'did you mean "tolerance"'),
    "missing_key": ("      by: kim\n      title: Size finder\n", "      title: Size finder\n", "`by` is missing"),
    "missing_top": ("canary:", "# canary:", "`canary` is missing"),
    "unknown_event": ("slack.leave: {", "¦slack.leaves: {", 'did you mean "slack.leave"'),
    "two_events": (
        "    slack.delete: {message: reply}",
        "    slack.delete: {message: reply}\n    ¦slack.leave: {}",
        "second event",
    ),
    "no_event": ("\n    slack.delete: {message: reply}", "", "has no event"),
    "payload_text": ("slack.delete: {message: reply}", "slack.delete: ¦reply", "a mapping is expected"),
    "null_payload": ("slack.delete: {message: reply}", "slack.delete:¦", "a mapping is expected here .*, not nothing"),
    "not_a_list": ("members: [kim, lee, ana]", "members: ¦kim", "a list is expected"),
    "list_for_text": ("text: Are you in?", "text: ¦[Are, you]", "not a list"),
    "mapping_for_text": ("text: Are you in?", "text: ¦{are: you}", "not a mapping"),
    "bool_as_text": ("role: designer", "role: ¦true", 'YAML reads true as a truth value.*"true"'),
    "float_as_text": (
        "text: Call me",
        "text: ¦3.10",
        'YAML reads 3.10 as the number 3.1, not as text; .*quotes: "3.10"',
    ),
    "null_as_text": ("summary: One of nearly every kind of event.", "summary:¦", "reads as null"),
    "tilde_as_text": ("topic: Launch day", "topic: ¦~", 'YAML reads ~ as no value.*"~"'),
    "blank_text": ("text: Call me", 'text: ¦" "', "is blank"),
    "text_as_number": ("priority: 2", "priority: ¦0123", "a whole number is expected here, not the text .0123"),
    "float_as_integer": ("priority: 2", "priority: ¦2.0", "a whole number is expected"),
    "too_large": ("priority: 2", "priority: ¦5", "at most 4"),
    "rate": ("rate: 0.25", "rate: ¦25", "at most 1"),
    "text_as_bool": ("follow_up: false", "follow_up: ¦no", "true or false is expected"),
    "yes_no_bool": ("yes_no: yes", "yes_no: ¦true", "write yes or no"),
    "no_day": ("start: 2025-12-01", "start: ¦2025-11-31", "no day of the calendar"),
    "day_form": ("start: 2025-12-01", "start: ¦1.12.2025", "is no day; write one like"),
    "handle_form": ("handle: ana", "handle: ¦Ana", "is no handle"),
    "channel_hash": ("channel: launch, by: lee, members", 'channel: ¦"#launch", by: lee, members', "without the #"),
    "issue_form": ("{issue: ENG-2, by: lee}", "{issue: ¦eng-2, by: lee}", "write one like ENG-12"),
    "event_id_form": ("- id: away", "- id: ¦Away", "is no id"),
    "event_id_number": ("- id: away", "- id: ¦7", "7 is no id"),
    "origin": ("origin: hybrid", "origin: ¦hybird", 'did you mean "hybrid"'),
    # ---- time
    "no_zone": ("zone: Europe/Berlin", "zone: ¦Europe/Berlim", 'did you mean "Europe/Berlin"'),
    "day_number": ("start: 2025-12-01", "start: ¦20251201", "20251201 is no day; write one like"),
    "day_empty": ("start: 2025-12-01,", "start: ¦,", "nothing is written here"),
    "handle_bool": ("agent:\n  handle: kim", "agent:\n  handle: ¦true", 'quotes: "true"'),
    "person_zone": ("zone: America/New_York", "zone: ¦America/NewYork", 'did you mean "America/New_York"'),
    "host_zone": ("zone: Europe/Berlin", "zone: ¦localtime", "no time zone"),
    "nonexistent": ("at: 2025-10-02T08:00Z", "at: ¦2025-03-30T02:30", "does not exist"),
    "ambiguous": ("at: 2025-10-02T08:00Z", "at: ¦2025-10-26T02:30", "occurs twice"),
    "no_instant": ("at: 2025-10-02T08:00Z", "at: ¦2025-10-02", "is not an instant"),
    "no_span": ("at: +5m", "at: ¦+5min", "is not a span"),
    "span_first": ("at: 2025-10-01T09:00\n", "at: ¦+1h\n", "this is the first"),
    "at_missing": ("  - id: reply\n    at: +5m\n", "  - ¦id: reply\n", "`at` is missing"),
    "at_number": ("at: +5m", "at: ¦2025", "this is no instant"),
    # ---- the company
    "handle_twice": ("- handle: lee", "- handle: ¦kim", 'handle "kim" is there twice'),
    "email_twice": ("lee@fernweh", "¦KIM@fernweh", "is there twice"),
    "channel_twice": ("- name: random", "- name: ¦search", "is there twice"),
    "label_twice": ("labels: [bug, size]", "labels: [bug, ¦Bug]", "is there twice"),
    "member_unknown": ("members: [kim, lee]\n      - name", "members: [kim, ¦le]\n      - name", 'did you mean "lee"'),
    "member_twice": ("members: [kim, lee, ana]", "members: [kim, lee, ¦kim]", "is there twice"),
    "agent_unknown": ("agent:\n  handle: kim", "agent:\n  handle: ¦kin", 'did you mean "kim"'),
    "days_swapped": ("end: 2025-11-30", "end: ¦2025-08-31", "before the start"),
    # ---- Slack
    "id_twice": ("- id: away", "- id: ¦reply", '"reply" is there twice'),
    "sender_unknown": ("{from: ana, to: lee", "{from: ¦anna, to: lee", 'did you mean "ana"'),
    "channel_unknown": ("{from: lee, channel: search", "{from: lee, channel: ¦serch", 'did you mean "search"'),
    "channel_or_dm": ("{from: kim, dm: ana,", "{from: kim, channel: search, ¦dm: ana,", "not to both"),
    "no_place": ("{from: kim, dm: ana,", "¦{from: kim,", "needs `channel`"),
    "dm_self": ("dm: ana", "dm: ¦kim", "write to themselves"),
    "not_member": ("{from: lee, channel: search", "{from: ¦ana, channel: search", "not in #search then"),
    "thread_unknown": ("thread: hello", "thread: ¦helo", 'did you mean "hello"'),
    "thread_later": ("thread: hello", "thread: ¦dm1", "no message before this event"),
    "thread_elsewhere": ("text: Are you in?", "text: Are you in?, thread: ¦hello", "another conversation"),
    "thread_of_reply": (
        REPLY,
        REPLY + "  - at: +1m\n    slack.message: {from: kim, channel: search, text: Yes, thread: ¦reply}\n",
        "is a reply itself",
    ),
    "react_outsider": ("{message: dm1, from: ana", "{message: dm1, from: ¦lee", "can't see"),
    "react_again": (
        "from: ana, emoji: thumbsup}\n",
        "from: ana, emoji: thumbsup}\n  - at: +0m\n    slack.react: {message: dm1, from: ana, emoji: ¦thumbsup}\n",
        "reacted with thumbsup before",
    ),
    "edit_deleted": (
        "slack.delete: {message: reply}\n",
        "slack.delete: {message: reply}\n  - at: +1m\n    slack.edit: {message: ¦reply, text: No}\n",
        "deleted by then",
    ),
    "thread_deleted": (
        "slack.delete: {message: reply}\n",
        "slack.delete: {message: dm1}\n  - at: +1m\n    slack.message: {from: ana, dm: kim, text: a, thread: ¦dm1}\n",
        "deleted by then",
    ),
    "default_id_taken": ("- id: dropped", "- id: ¦slack-message-20251004t000000z", "the unnamed entry 23 has"),
    "edit_unknown": ("slack.edit: {message: hello", "slack.edit: {message: ¦issue1", "no message before"),
    "old_name": ("channel: fit-finder, text", "channel: ¦search, text", "called #fit-finder by then"),
    "archived": ("channel: fit-finder, text", "channel: ¦launch, text", "archived by then"),
    "name_taken": ("name: fit-finder", "name: ¦random", "already; choose another"),
    "join_again": ("channel: search, person: ana", "channel: search, person: ¦lee", "already"),
    "leave_stranger": ("{channel: launch, person: ana}", "{channel: launch, person: ¦kim}", "not in #launch"),
    # ---- Linear
    "team_unknown": ("issue: ENG-1\n", "issue: ¦ENB-1\n", 'did you mean "ENG"'),
    "issue_twice": ("{issue: ENG-2, by: lee, title", "{issue: ¦ENG-1, by: lee, title", "created before"),
    "issue_unknown": ("linear.comment: {issue: ENG-2", "linear.comment: {issue: ¦ENG-3", 'did you mean "ENG-2"'),
    "issue_deleted": (
        "linear.delete: {issue: ENG-2, by: lee}",
        "linear.delete: {issue: ENG-2, by: lee}\n  - at: +1h\n    linear.comment: {issue: ¦ENG-2, by: kim, body: Gone}",
        "deleted by then",
    ),
    "status_unknown": ("status: In Progress", "status: ¦In Progres", 'did you mean "In Progress"'),
    "status_default": (
        "        labels: [bug, size]",
        "        labels: [bug, size]\n        states: [{name: Open, type: started}]",
        'no "Backlog" to start in',
    ),
    "label_unknown": ("labels: [size]", "labels: [¦sizes]", 'did you mean "size"'),
    "milestone_unknown": ("milestone: Autumn", "milestone: ¦Winter", "no milestone at that time"),
    "milestone_twice": ("{milestone: Winter, by: lee, start", "{milestone: ¦autumn, by: lee, start", "exists"),
    "parent_unknown": ("parent: ENG-1", "parent: ¦ENG-7", 'did you mean "ENG-1"'),
    "parent_self": ("parent: ENG-1", "parent: ¦ENG-2", "can't refer to itself"),
    "parent_cycle": ("status: In Progress", "parent: ¦ENG-2", "lies under ENG-1 already"),
    "relation_unknown": ("blocks: [ENG-1]", "blocks: [ENG-1, ¦ENG-9]", "no earlier issue"),
    "due_before_start": ("due_date: 2025-10-27", "due_date: ¦2025-09-30", "before the start"),
    "update_nothing": (
        "{issue: ENG-1, by: lee, due_date: 2025-10-27, status: In Progress}",
        "¦{issue: ENG-1, by: lee}",
        "changes nothing",
    ),
    "null_title": ("status: In Progress", "title: ¦null", "reads null as no value"),
    "member_already": (
        "{team: ENG, person: ana, by: lee}\n  - id: unmember",
        "{team: ENG, person: ¦kim, by: lee}\n  - id: unmember",
        "already",
    ),
    "member_never": (
        "linear.add_member: {team: ENG, person: ana",
        "linear.remove_member: {team: ENG, person: ¦ana",
        "not in ENG then",
    ),
    # ---- questions
    "question_twice": ("- id: who", "- id: ¦day", "is there twice"),
    "at_and_after": ("    at: 2025-10-03T12:00", "    at: 2025-10-03T12:00\n    ¦after: comment", "not both"),
    "after_unknown": ("after: comment", "after: ¦coment", 'did you mean "comment"'),
    "times_decrease": ("at: 2025-10-03T12:00", "at: ¦2025-10-02T12:00", "order of their times"),
    "ask_blank": ("ask: How urgent was it?", "ask: ¦''", "is blank"),
    "answer_scalar": ("answer: {date: 2025-10-27}", "answer: ¦2025-10-27", "a mapping is expected"),
    "answer_none": ("answer: {date: 2025-10-27}", "answer: ¦{}", "one kind as its key"),
    "answer_two": ("{date: 2025-10-27}", "{date: 2025-10-27, ¦text: x}", "says the answer already"),
    "answer_unknown": ("{date: 2025-10-27}", "{¦dat: 2025-10-27}", 'did you mean "date"'),
    "gold_blank": ("text: Shipped, accept", "text: ¦'', accept", "is blank"),
    "gold_number": ("text: Shipped, accept", "text: ¦1e3, accept", 'quotes: "1e3"'),
    "gold_date": ("{date: 2025-10-27}", "{date: ¦27 October}", "precision: minute"),
    "gold_minute": ("{date: 2025-10-27}", "{date: ¦2025-10-27, precision: minute}", "leave `precision` out"),
    "gold_nan": ("{number: 2,", "{number: ¦.nan,", "finite"),
    "gold_parts": ("[size finder, sizes]", "¦[size finder, LEE]", "another part's spelling"),
    "gold_retyped_part": ("[size finder, sizes]", "[size finder, ¦3.10]", 'quotes: "3.10"'),
    "was_is_right": ('was: ["2025-10-20"]', "was: [¦2025-10-27]", "is right in `answer`"),
    "was_retyped": ('was: ["2025-10-20"]', "was: [¦20]", 'quotes: "20"'),
    "evidence_none": ("evidence: {moved: 2025-10-27}", "evidence: ¦{}", "at least one event"),
    "evidence_unknown": ("evidence: {moved: 2025-10-27}", "evidence: {¦moves: 2025-10-27}", 'did you mean "moved"'),
    "evidence_late": ("evidence: {moved: 2025-10-27}", "evidence: {¦edited: 2025-10-27}", "after the question"),
    "evidence_silent": ("evidence: {moved: 2025-10-27}", "evidence: {moved: ¦2025-10-20}", "doesn't say"),
    "evidence_part_of_word": ("evidence: {comment: wide feet}", "evidence: {comment: ¦ide fee}", "doesn't say"),
    "was_twice": (
        'was: ["2025-10-20"]',
        'was: ["2025-10-20"]\n    not: [¦"2025-10-20"]',
        "is there twice in `was` and `not`",
    ),
    # ---- further kinds of answers
    "list_one": (DAY, "{list: ¦[Lee]}", "at least 2 are expected"),
    "list_parts": (DAY, "{list: [Lee, Ana, ¦lee]}", "another part's spelling"),
    "list_retyped": (DAY, "{list: [Lee, ¦3.10]}", 'quotes: "3.10"'),
    "choice_alone": (DAY, "{choice: Lee}", "`options` is missing"),
    "choice_absent": (DAY, "{choice: ¦Lea, options: [Lee, Ana]}", 'no option "Lea"; did you mean "Lee"'),
    "choice_options": (DAY, "{choice: Lee, options: [Lee, ¦[Ana, lee]]}", "another part's spelling"),
    "choice_one": (DAY, "{choice: Lee, options: ¦[Lee]}", "at least 2"),
    "abstain_blank": (DAY, "{abstain: ¦''}", "is blank"),
    "abstain_bool": (DAY, "{abstain: ¦true}", 'quotes: "true"'),
    "formula_misspelt": (DAY, "{formula: ¦dat(moved)}", "there is number, date, day, count, days"),
    "formula_open": (DAY, "{formula: ¦date(moved}", "is missing before the end"),
    "formula_event": (
        DAY,
        "{formula: ¦date(moves)}",
        'no evidence "moves"; did you mean "moved".*add it to `evidence`',
    ),
    "formula_words": (DAY, "{formula: ¦number(moved)}", "says no number"),
    "formula_kinds": (DAY, "{formula: ¦date(moved) + 1}", "means nothing"),
    "formula_broken": (DAY, "{formula: ¦10 / 3}", "a broken number; give a `tolerance`"),
    "formula_unit": (DAY, "{formula: date(moved), ¦unit: days}", "comes to the day 2025-10-27, which has no unit"),
    "formula_span_unit": (DAY, "{formula: days(14), unit: ¦weeks}", r"divide it, as by days\(7\)"),
    "formula_number": (DAY, "{formula: ¦12}", 'quotes: "12"'),
    "script_alone": (DAY, "¦{script: total.py}", "one kind as its key"),
    "script_absent": (DAY, "{number: 2, script: ¦totals.py}", 'no file "totals.py".*did you mean "total.py"'),
    "script_up": (DAY, "{number: 2, script: ¦../total.py}", r'has the part "\.\."'),
    "script_number": (DAY, "{number: 2, script: ¦7}", 'quotes: "7"'),
    # ---- where it comes from, and what was found wrong with it
    "source_missing": ("origin: hybrid", "origin: ¦bottom-up", "add `source:`"),
    "source_for_others": ("agent:\n", f"¦{SOURCE}agent:\n", "this one is hybrid; remove it"),
    "source_issue": (
        "origin: hybrid\n",
        f"origin: bottom-up\n{SOURCE.replace('ENG-1', '¦ENG-9')}",
        "no issue created here",
    ),
    "source_file": (
        "origin: hybrid\n",
        f"origin: bottom-up\n{SOURCE.replace('[a.py', '[¦a.py')}",
        "no file written here",
    ),
    "source_files": ("origin: hybrid\n", f"origin: bottom-up\n{SOURCE.replace('[a.py', '¦[c.py, a.py')}", "at most 2"),
    "source_no_files": (
        "origin: hybrid\n",
        f"origin: bottom-up\n{SOURCE.replace('[a.py, b.py]', '¦[]')}",
        "at least one is",
    ),
    "source_path": ("origin: hybrid\n", f"origin: bottom-up\n{SOURCE.replace('a.py', '¦/a.py')}", "is absolute"),
    "unscored_unknown": ("agent:\n", "unscored: {¦days: too vague}\nagent:\n", 'did you mean "day"'),
    "unscored_list": ("agent:\n", "unscored: ¦[day]\nagent:\n", "a mapping is expected"),
    "erratum_question": (
        "questions:\n",
        f"{ERRATUM.replace('question: day', 'question: ¦days')}questions:\n",
        'mean "day"',
    ),
    "erratum_version": ("questions:\n", f"{ERRATUM.replace('version: 1', 'version: ¦2')}questions:\n", "this one is 1"),
    "erratum_same": (
        "questions:\n",
        f"{ERRATUM.replace('{date: 2025-10-28}', '¦{date: 2025-10-27}')}questions:\n",
        "has already",
    ),
    "erratum_kind": ("questions:\n", f"{ERRATUM.replace('date:', '¦dat:')}questions:\n", 'did you mean "date"'),
    "erratum_note": ("questions:\n", f"{ERRATUM.replace('note: Read again, ', '')}questions:\n", "`note` is missing"),
    "read_form": ("  briefing:", "  initial_read: ¦some\n  briefing:", "or write none or all"),
    "read_late": ("  briefing:", "  initial_read: ¦2026-01-01T00:00\n  briefing:", "after the first question"),
    # ---- not yet
    "yet_top": ("agent:\n", "¦reactions: []\nagent:\n", "`reactions` is not supported yet"),
    "yet_clock": ("agent:\n", "clock: ¦live\nagent:\n", "not supported yet"),
    "clock_list": ("agent:\n", "clock: ¦[live]\nagent:\n", "a list can't stand here; write frozen"),
    "yet_question": ("    follow_up: false", "    ¦expect: []", "`expect` is not supported yet"),
    "yet_probes": ("agent:\n", "¦probes: []\nagent:\n", "`probes` is not supported yet"),
    "yet_nothing_else": ("    follow_up: false", "    ¦nothing_else: true", "`nothing_else` is not supported yet"),
    "yet_writes": ("agent:\n", "write_policy: ¦allow\nagent:\n", "`write_policy: allow` is not supported yet; leave"),
    "yet_push": ("agent:\n", "push: ¦agent\nagent:\n", "`push: agent` is not supported yet; leave"),
    "yet_call_seconds": ("agent:\n", "call_seconds: ¦60\nagent:\n", "`call_seconds` is not supported yet"),
    "push_unknown": ("agent:\n", "push: ¦non\nagent:\n", 'did you mean "none"'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file(name: str, small: str, load_text: Callable[[str], Scenario]) -> None:
    check_refusal(small, BROKEN[name], load_text)


def test_every_pattern_of_the_schema_has_words() -> None:
    models: list[type[Part]] = [ScenarioFile, *EVENT_KINDS.values(), *ANSWER_KINDS.values()]
    schemas = json.dumps([model.model_json_schema() for model in models])
    patterns = {json.loads(f'"{text}"') for text in re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', schemas)}
    assert patterns == set(BREACHES)
