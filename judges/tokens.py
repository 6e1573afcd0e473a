"""An answer as words and marks, and a text's normal form.

Two texts have one normal form when they differ in no more than case, sentence punctuation, quotes and emphasis, white
space, the word `the` and a leading English `a` or `an`. Diacritics, inner hyphens, decimals, signs, leading dots and
symbols that belong to a word (`C++`, `.env`, `#search`, `--force`, `f()`) are kept, so that different golds stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_TABLE = {
    **dict.fromkeys(map(ord, "‐‑‒–−"), "-"),
    **dict.fromkeys(map(ord, "—―"), " — "),
    **dict.fromkeys(map(ord, "‘’‛′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»"), '"'),
    **dict.fromkeys(
        map(ord, "\u200b\ufeff\u00ad\u2060\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069™®")
    ),
}
_LONE_MARKS = {
    "—": "—",
    "-": "—",
    "--": "—",
    "•": "—",
    "*": "—",
    "|": "—",
    ">": "—",
    "→": "→",
    "->": "→",
    "=>": "→",
    "⇒": "→",
}
_ABBREVIATED = re.compile(
    r"\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.(?=,?\s{0,3}\d)",
    re.IGNORECASE | re.ASCII,
)
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*", re.ASCII)
_BULLET = re.compile(r"\s*(\d{1,2})[.)](?=\s+\S)", re.ASCII)
_QUOTED = re.compile(r'(["`])')
_TRAILING = frozenset(".,;:!?。、…")
_LEADING = frozenset(",;!?¿¡")
_CLOSER_OF = {"(": ")", "[": "]", "{": "}"}
_OPENER_OF = {closer: opener for opener, closer in _CLOSER_OF.items()}
_LONGEST_PEELED = 256
"""A longer run without white space is no word with punctuation around it; peeling it would cost its square."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word (`text` folded, `raw` as written) or a mark: one of `, . ; : ! ? ( ) " — →` or a line's end."""

    text: str
    raw: str
    mark: bool = False

    @property
    def is_name(self) -> bool:
        """Written with a capital, a digit or a symbol, as names, ids and versions are."""
        return not (self.raw.isalpha() and self.raw.islower())


def fold(text: str) -> str:
    """Without case. Not plain `casefold`: it would turn `Maße` into `Masse`, which is another word."""
    return "ß".join(piece.casefold() for piece in text.replace("ẞ", "ß").split("ß"))


def compatible(text: str) -> str:
    """NFKC, with one kind of dash and quote and no invisible characters.

    A superscript or subscript digit gets `^` or `_` before it and a vulgar fraction a space, since NFKC alone would
    make 102 of 10² and 11/2 of 1½.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", "".join(map(_spelt_out, text.translate(_TABLE)))).translate(_TABLE)
    return text


def _spelt_out(char: str) -> str:
    decomposition = unicodedata.decomposition(char)
    if decomposition.startswith("<fraction>"):
        return f" {char}"
    if char.isdigit() and decomposition.startswith("<super>"):
        return f"^{char}"
    if char.isdigit() and decomposition.startswith("<sub>"):
        return f"_{char}"
    return char


def tokenise(text: str) -> tuple[Token, ...]:
    """The words and marks of `text`, in order, without the headers of its tables. Linear in its length."""
    text = _ABBREVIATED.sub(r"\1", compatible(text))
    if text.count("**") % 2 == 0:
        text = text.replace("**", '"')
    lines = _without_headers(text.splitlines())
    bullets = _numbered(lines)
    tokens: list[Token] = []
    for index, line in enumerate(lines):
        if index in bullets:
            line = _BULLET.sub(" — ", line, count=1)
        for place, chunk in enumerate(line.split()):
            tokens.extend([Token(">", ">")] if place and chunk == ">" else _chunk(chunk))
        tokens.append(_mark("\n"))
    return tuple(tokens)


def normal(text: str) -> tuple[str, ...]:
    """The normal form of `text` as its words; never empty for a text that isn't blank."""
    return normal_form(tokenise(text), text)


def normal_form(tokens: Sequence[Token], text: str) -> tuple[str, ...]:
    """The normal form of `text`, whose tokens are `tokens`."""
    folded = [token.text for token in tokens if not token.mark]
    kept = [word for word in folded if word != "the"] or folded
    if len(kept) > 1 and text.isascii() and is_article(kept[0], kept[1]):
        del kept[0]
    if not kept and text.strip():
        return (fold(text.strip()),)
    return tuple(kept)


def is_article(word: str, following: str) -> bool:
    """Whether `word` is an English indefinite article: `an Bord` is none, and neither is the A of `A B`."""
    if len(following) < 2:
        return False
    return (word == "a" and following[0].isalpha()) or (word == "an" and following[0] in "aeioh")


def occurrences(tokens: Sequence[Token], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Every run of `tokens` that reads `words`, as (first, last); marks and `the` may lie between, no newline."""
    places = [i for i, token in enumerate(tokens) if not token.mark and (token.text != "the" or "the" in words)]
    length = len(words)
    for at in range(len(places) - length + 1):
        run = places[at : at + length]
        if tokens[run[0]].text != words[0] or any(tokens[i].text != word for i, word in zip(run, words, strict=True)):
            continue
        if not any(tokens[i].raw == "\n" for first, second in pairwise(run) for i in range(first, second)):
            yield run[0], run[-1]


def _mark(raw: str) -> Token:
    return Token(text="", raw=raw, mark=True)


def _without_headers(lines: list[str]) -> list[str]:
    """Without the header of each Markdown table and the rule below it."""
    rules = [at for at in range(1, len(lines)) if "|" in lines[at - 1] and _is_rule(lines[at])]
    left_out = {at - drop for at in rules for drop in (0, 1)}
    return [line for at, line in enumerate(lines) if at not in left_out]


def _is_rule(line: str) -> bool:
    return "|" in line and len(line) <= 1000 and _TABLE_RULE.fullmatch(line) is not None


def _numbered(lines: Sequence[str]) -> frozenset[int]:
    """The lines of a list numbered 1, 2, ...: their numbers are bullets. A single `42. So many` is not."""
    found: list[int] = []
    for index, line in enumerate(lines):
        match = _BULLET.match(line)
        if match and int(match[1]) == len(found) + 1:
            found.append(index)
    return frozenset(found) if len(found) > 1 else frozenset()


def _chunk(chunk: str) -> Iterator[Token]:
    if chunk in _LONE_MARKS or not chunk.strip("#"):
        yield _mark(_LONE_MARKS.get(chunk, "—"))
        return
    for piece in _QUOTED.split(chunk):
        if piece in ('"', "`"):
            yield _mark('"')
        elif piece:
            yield from _piece(piece)


def _piece(piece: str) -> Iterator[Token]:
    if len(piece) > _LONGEST_PEELED:
        yield Token(fold(piece), piece)
        return
    start, end = 0, len(piece)
    if end > 2 and piece[0] == piece[-1] and piece[0] in "*_":
        start, end = 1, end - 1
    leading: list[Token] = []
    trailing: list[Token] = []
    while start < end:
        first, last = piece[start], piece[end - 1]
        if last in _TRAILING or last == "'":
            end -= 1
            trailing.append(_mark('"' if last == "'" else last.replace("。", ".").replace("、", ",")))
        elif first in _CLOSER_OF and _opens_nothing(piece, start, end):
            start += 1
            leading.append(_mark("("))
        elif last in _OPENER_OF and piece.count(last, start, end) > piece.count(_OPENER_OF[last], start, end):
            end -= 1
            trailing.append(_mark(")"))
        elif first in _LEADING or first == "'" or (first == "." and not _dot_belongs(piece, start, end)):
            start += 1
            leading.append(_mark('"'))
        else:
            break
    yield from leading
    if start < end:
        yield Token(fold(piece[start:end]), piece[start:end])
    yield from reversed(trailing)


def _opens_nothing(piece: str, start: int, end: int) -> bool:
    """Whether the bracket at `start` closes at the very end or not at all: it is around the word, not in it."""
    closer = _CLOSER_OF[piece[start]]
    return piece.find(closer, start, end) in (-1, end - 1)


def _dot_belongs(piece: str, start: int, end: int) -> bool:
    """`.env`, `./x` and `../x` begin with their dot; `...so` does not."""
    rest = piece[start + 1 : end]
    return bool(rest) and (rest[0].isalnum() or rest[0] in "/_" or rest.startswith("./"))
