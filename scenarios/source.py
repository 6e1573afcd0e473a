"""A scenario file's text: decoded, read as YAML, and asked for places.

Values come from ryaml (fast, YAML 1.2, refuses duplicate keys and alias bombs); places come from PyYAML, which is slow
and is asked only where something is wrong or looks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson
import ryaml
import yaml

from envs.errors import ScenarioError
from scenarios.mistake import KeyPath, Mistake, quoted

LIMIT_BYTES = 4 * 1024 * 1024

_BREAK = re.compile(r"\r\n|\r|\n")
# The parser takes U+0085, U+2028 and U+2029 for line breaks and folds them away without a word.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TAG_LIKE = re.compile(r"(?<![^\s\[{,])![^\s=]")
_ANCHOR_LIKE = re.compile(r"(?<![^\s\[{,])&([^\s\[\]{},]+)")
_ALIAS_LIKE = re.compile(r"(?<![^\s\[{,])\*\w")
_HASH = re.compile(r"#[^\s#]")
_GLUED = re.compile(r"#+[^\s#]")
_COMMENT = re.compile(r"#[^\r\n]*")
_AT = re.compile(r" at line (\d+) column (\d+)")


class Source:
    """One file's text with its path."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.folder = path.parent
        self._name = str(path).translate(dict.fromkeys(range(32), " "))
        self._text = text

    @classmethod
    def read(cls, path: Path) -> Source:
        """Raises ScenarioError for a file that can't be read, is larger than 4 MiB or isn't UTF-8."""
        empty = cls(path, "")
        try:
            with path.open("rb") as file:
                data = file.read(LIMIT_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise empty.error(1, 1, f"the file can't be read ({reason}); give the path of a YAML file") from None
        if len(data) > LIMIT_BYTES:
            raise empty.error(1, 1, f"the file is larger than {LIMIT_BYTES >> 20} MiB; split the scenario")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line, column = _place(data[: error.start].decode("utf-8").removeprefix("\ufeff"), None)
            message = f"the byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8"
            raise empty.error(line, column, message) from None
        return cls(path, text.removeprefix("\ufeff"))

    def error(self, line: int, column: int, message: str) -> ScenarioError:
        """The one-line error for a place; both numbers count from 1, columns in characters."""
        return ScenarioError(f"{self._name}:{line}:{column}: {message}")

    def error_of(self, mistake: Mistake) -> ScenarioError:
        """The one-line error for a mistake that is known by its key path."""
        return self.error(*self.place(mistake.path, at_key=mistake.at_key), mistake.message)

    def values(self) -> Any:
        """The file's value. Raises ScenarioError for what isn't one plain YAML document."""
        forbidden = _FORBIDDEN.search(self._text)
        if forbidden is not None:
            code = ord(forbidden[0])
            message = f"the character U+{code:04X} can't stand here; in double quotes it is written \\u{code:04X}"
            raise self.error(*_place(self._text, forbidden.start()), message)
        try:
            value = ryaml.loads(self._text)  # type: ignore[attr-defined]  # its exports aren't declared
        except ValueError as error:
            raise self._unreadable(str(error)) from None
        if value is None:
            raise self._empty()
        self._check_properties()
        self._check_comments(value)
        return value

    def place(self, path: KeyPath, *, at_key: bool = False) -> tuple[int, int]:
        """Line and column of the value at `path`, or of its key; of what encloses it where the path ends early."""
        found, key = self._walk(path)
        mark = key.start_mark if at_key and key is not None else found.start_mark
        return mark.line + 1, mark.column + 1

    def written(self, path: KeyPath) -> str | None:
        """The scalar at `path` as the author wrote it, None for a list or a mapping."""
        found, _ = self._walk(path)
        return found.value if isinstance(found, yaml.ScalarNode) else None

    @cached_property
    def _root(self) -> yaml.Node:
        node = yaml.compose(self._text, Loader=yaml.CSafeLoader)
        if node is None:
            raise self._empty()
        return node

    def _walk(self, path: KeyPath) -> tuple[yaml.Node, yaml.Node | None]:
        found, key = self._root, None
        for step in path:
            if isinstance(found, yaml.SequenceNode) and isinstance(step, int):
                found, key = found.value[step], None
                continue
            pairs = found.value if isinstance(found, yaml.MappingNode) else ()
            pair = next((pair for pair in pairs if pair[0].value == str(step)), None)
            if pair is None:
                return found, None
            key, found = pair
        return found, key

    # ---- what isn't YAML, or only nearly

    def _unreadable(self, complaint: str) -> ScenarioError:
        """The error for what ryaml refused, with the place that it often leaves out."""
        named = _AT.search(complaint)
        line, column = (int(named[1]), int(named[2])) if named else (1, 1)
        if complaint.startswith("repetition limit"):
            alias = next(event for event in self._events() if isinstance(event, yaml.AliasEvent))
            return self._error_at(alias.start_mark, "aliases multiply the file's size too often; write the parts out")
        if complaint.startswith("recursion limit"):
            return self.error(line, column, "nested too deep, or an alias that contains itself; make it flatter")
        try:
            self._check_properties()
            self._check_documents()
            root = self._root
        except yaml.MarkedYAMLError as error:
            problem, mark = error.problem, error.problem_mark or error.context_mark
            return self._error_at(mark, f"this is not YAML: {problem}{_syntax_hint(str(problem))}")
        except ScenarioError as error:
            return error
        for key, message in _bad_keys(root):
            return self._error_at(key.start_mark, message)
        if "invalid type: integer" in complaint:
            return self.error(line, column, "an integer of more than 64 bits; if it is text, write it in quotes")
        return self.error(line, column, f"this can't be read: {_AT.sub('', complaint)}")

    def _error_at(self, mark: Any, message: str) -> ScenarioError:
        return self.error(mark.line + 1, mark.column + 1, message)

    def _empty(self) -> ScenarioError:
        return self.error(1, 1, "the file is empty; begin with `id:`")

    def _events(self) -> Iterator[Any]:
        events: Iterator[Any] = yaml.parse(self._text, Loader=yaml.CSafeLoader)
        return events

    def _check_documents(self) -> None:
        starts = [event for event in self._events() if isinstance(event, yaml.DocumentStartEvent)]
        if len(starts) > 1:
            raise self._error_at(starts[1].start_mark, "a second document starts here; one file holds one scenario")

    def _check_properties(self) -> None:
        """Refuses tags (ryaml drops those that it knows and makes keys of the others) and anchors of one name."""
        anchors = _ANCHOR_LIKE.findall(self._text)
        if _TAG_LIKE.search(self._text) is None and len(anchors) == len(set(anchors)):
            return
        seen: set[str] = set()
        for event in self._events():
            anchor = None if isinstance(event, yaml.AliasEvent) else getattr(event, "anchor", None)
            if anchor is not None and anchor in seen:
                raise self._error_at(event.start_mark, f"the anchor &{anchor} is there twice; rename one")
            seen.add(anchor or "")
            tag = getattr(event, "tag", None)
            if tag is not None:
                shown = tag.replace("tag:yaml.org,2002:", "!!")
                message = f"the tag {shown} can't be used; write the plain value (text in quotes stays text)"
                raise self._error_at(event.start_mark, message)

    def _check_comments(self, value: Any) -> None:
        """Refuses `#word` outside quotes: YAML reads `text: moved to #search` as "moved to" and a comment.

        Where as many of these stand in the text as in the values (and no alias repeats any), none was cut, and nothing
        more has to be read.
        """
        try:
            dumped = orjson.dumps(value).decode()
        except TypeError:
            key, message = next(_retyped_keys(self._root))
            raise self._error_at(key.start_mark, message) from None
        whole = len(_HASH.findall(self._text)) == len(_HASH.findall(dumped))
        if whole and _ALIAS_LIKE.search(self._text) is None:
            return
        for start, end in self._gaps():
            for comment in _COMMENT.finditer(self._text, start, end):
                if _GLUED.match(comment[0]):
                    mend = "write a text with # in quotes, and a comment with a space after #"
                    message = f"YAML takes {quoted(comment[0])} for a comment; {mend}"
                    raise self.error(*_place(self._text, comment.start()), message)

    def _gaps(self) -> Iterator[tuple[int, int]]:
        """Where no scalar stands: layout, punctuation and comments, as (start, end) in characters."""
        start = 0
        for event in self._events():
            if isinstance(event, yaml.ScalarEvent):
                yield start, _index(event.start_mark)
                start = _index(event.end_mark)
        yield start, len(self._text)


def _index(mark: Any) -> int:
    index: int = mark.index
    return index


def _place(text: str, end: int | None) -> tuple[int, int]:
    lines = _BREAK.split(text[:end])
    return len(lines), len(lines[-1]) + 1


def _retyped_keys(root: yaml.Node) -> Iterator[tuple[yaml.Node, str]]:
    """Keys that YAML reads as something else than text, top down."""
    if isinstance(root, yaml.MappingNode):
        for key, value in root.value:
            plain = isinstance(key, yaml.ScalarNode) and not key.style
            if plain and not isinstance(ryaml.loads(key.value), str):  # type: ignore[attr-defined]  # as above
                yield key, f"a key must be text, which {quoted(key.value)} without quotes isn't; quote it"
            yield from _retyped_keys(value)
    elif isinstance(root, yaml.SequenceNode):
        for item in root.value:
            yield from _retyped_keys(item)


def _bad_keys(root: yaml.Node) -> Iterator[tuple[yaml.Node, str]]:
    """Keys that stand twice in their mapping, or that aren't scalars; top down, in the order of the file."""
    pending, seen = [root], {id(root)}
    while pending:
        node = pending.pop()
        children: list[yaml.Node] = []
        if isinstance(node, yaml.SequenceNode):
            children = node.value
        elif isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    yield key, "a key must be text, not a list or a mapping; write it in quotes"
                elif key.value in keys:
                    yield key, f"the key {quoted(key.value)} is there twice in this mapping; remove one"
                else:
                    keys.add(key.value)
                children.append(value)
        for child in reversed(children):
            if id(child) not in seen:
                seen.add(id(child))
                pending.append(child)


def _syntax_hint(problem: str) -> str:
    if "mapping values" in problem:
        return "; a text with a colon and a space in it needs quotes"
    if "cannot start any token" in problem or "tab character" in problem:
        return "; indent with spaces, and write text that starts with @, ` or % in quotes"
    if "expected ','" in problem:
        return "; a bracket is never closed, or a text in it needs quotes"
    if "expected ':'" in problem or "block end" in problem:
        return "; look at the indentation and at the line before"
    if "end of stream" in problem:
        return "; a quote or a bracket is never closed"
    if "document start" in problem:
        return "; one file holds one scenario"
    if "undefined alias" in problem:
        return "; a text that starts with * needs quotes"
    return "; look at this line and the one before"
