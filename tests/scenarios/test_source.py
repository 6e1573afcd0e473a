"""Files as bytes: encodings, sizes, bombs, and what no editor should have written."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envs.errors import ScenarioError
from scenarios.loader import load
from scenarios.scenario import Scenario
from scenarios.source import LIMIT_BYTES, Source

Load = Callable[[str | bytes], Scenario]


def test_bom_and_crlf_change_nothing(small: str, load_text: Load) -> None:
    plain = load_text(small)
    assert load_text("\ufeff" + small) == plain
    assert load_text(small.replace("\n", "\r\n")) == plain
    assert load_text(b"\xef\xbb\xbf" + small.replace("\n", "\r\n").encode()) == plain


def test_places_are_the_same_with_bom_and_crlf(small: str, load_text: Load) -> None:
    broken = small.replace("title: Size finder", "tilte: Size finder")
    with pytest.raises(ScenarioError) as plain:
        load_text(broken)
    for other in ("\ufeff" + broken, broken.replace("\n", "\r\n"), broken.replace("\n", "\r")):
        with pytest.raises(ScenarioError) as caught:
            load_text(other)
        assert str(caught.value) == str(plain.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id: small\ntitle: \xc3\xa9 caf\xe9 x\n", r":2:13: the byte 0xE9 is not UTF-8"),
        ("id: small\n".encode("utf-16"), r":1:1: the byte 0xFF is not UTF-8"),
        (b"\xef\xbb\xbfid: \xff", r":1:5: the byte 0xFF is not UTF-8"),
        (b"id: a\xed\xa0\x80", r":1:6: the byte 0xED is not UTF-8"),
        (b"", ":1:1: the file is empty"),
        (b"# only a comment\n", ":1:1: the file is empty"),
        (b"just text", ":1:1: a mapping is expected here"),
        (b"- id: small", ":1:1: a mapping is expected here .*, not a list"),
        (b"3.10", ":1:1: a mapping is expected here"),
        (b"[" * 200 + b"]" * 200, ":1:129: nested too deep"),
        (b"[" * 100_000, "nested too deep"),
        (b"a: 1\na: 2\nb: " + b"[" * 5000, "(nested|nesting)"),
        (b"a: &a [*a]", ":1:4: nested too deep, or an alias that contains itself"),
        (b"a: 1\n...\nb: 2", ":3:1: .* one file holds one scenario"),
        (b"id: a\x00b", r":1:6: the character U\+0000"),
        (b'a: "\\ud800"', ":1:7: this is not YAML"),
    ],
)
def test_unreadable_content(content: bytes, message: str, load_text: Load) -> None:
    with pytest.raises(ScenarioError, match=message) as caught:
        load_text(content)
    assert "\n" not in str(caught.value)


def test_alias_bomb(load_text: Load) -> None:
    bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    bomb += [
        f"{name}: &{name} [{', '.join([f'*{last}'] * 9)}]" for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    with pytest.raises(ScenarioError, match=":2:8: aliases multiply"):
        load_text("\n".join(bomb))


def test_size_limit(small: str, load_text: Load) -> None:
    filler = "# " + "x" * 997 + "\n"
    room = (LIMIT_BYTES - len(small.encode())) // len(filler)
    load_text(small + filler * room)
    with pytest.raises(ScenarioError, match=r"larger than 4 MiB"):
        load_text(small + filler * (room + 1))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, Path("a\x00b.yaml"), tmp_path / "two\nlines.yaml"):
        with pytest.raises(ScenarioError, match=r":1:1: the file can't be read \(.+\); give") as caught:
            load(path)
        assert "\n" not in str(caught.value)


def test_place_falls_back_to_what_encloses(small: str) -> None:
    source = Source(Path("x.yaml"), small)
    line, column = source.place(("org", "people", 1, "handle"))
    assert small.splitlines()[line - 1][column - 1 :] == "lee"
    assert source.place(("org", "people", 1, "handle"), at_key=True) == (line, column - len("handle: "))
    assert source.place(("org", "people", 1, "absent", "deeper")) == source.place(("org", "people", 1))


SNIPPETS = [
    "~",
    "3.10",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "#x",
    "\t",
    "'",
    '"',
    "&a ",
    "*a",
    "!x ",
    "\n",
    "---\n",
    "\r",
    "é",
]


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_damage_is_a_crash(data: st.DataObject, small: str, load_text: Load) -> None:
    """Whatever is done to a file, it loads, or one line says what is wrong where."""
    lines = small.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["delete", "repeat", "insert", "cut", "value"])):
            case "delete":
                del lines[at]
            case "repeat":
                lines.insert(at, lines[data.draw(st.integers(0, len(lines) - 1))])
            case "insert":
                place = data.draw(st.integers(0, len(lines[at])))
                lines[at] = lines[at][:place] + data.draw(st.sampled_from(SNIPPETS)) + lines[at][place:]
            case "cut":
                lines[at] = lines[at][: data.draw(st.integers(0, len(lines[at])))] + "\n"
            case _:
                lines[at] = f"{lines[at].partition(':')[0]}: {data.draw(st.sampled_from(SNIPPETS))}\n"
    said = ""
    try:
        load_text("".join(lines))
    except ScenarioError as error:
        said = str(error)
    assert re.fullmatch(r"([^\r\n]+scenario\.yaml:\d+:\d+: [^\r\n]+)?", said)
