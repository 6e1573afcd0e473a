"""Finding scenarios by name, without loading anything heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from envs.errors import ScenarioError
from scenarios import library
from scenarios.loader import load


def test_bundled_ids_are_those_in_the_files() -> None:
    ids = library.bundled()
    assert ids == sorted(ids)
    assert "s12" in ids
    for scenario_id in ids:
        assert load(library.find(scenario_id)).id == scenario_id


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.touch()
    assert library.find(str(path)) == path


def test_unknown_names_are_refused_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").touch()
    with pytest.raises(ScenarioError, match=r'there is no scenario "s21"; did you mean "s12"\?.*ends in \.yaml'):
        library.find("s21")
    with pytest.raises(ScenarioError, match=r'there is no file .*mime\.yaml"; did you mean "mine\.yaml"\?'):
        library.find(str(tmp_path / "mime.yaml"))
    for name in ("", ".", "/", "s12\n", "no/such/folder/x.yaml", "../s12"):
        with pytest.raises(ScenarioError) as caught:
            library.find(name)
        assert "\n" not in str(caught.value)


def test_names_load_nothing_heavy() -> None:
    code = "import sys; from scenarios import library; library.bundled(); library.find('s12'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "scenarios.library" in loaded
    assert not {"pydantic", "ryaml", "yaml", "rich", "orjson", "zoneinfo"} & set(loaded)
