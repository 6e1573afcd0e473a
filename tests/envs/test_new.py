"""`envs new`: a file of one's own, never over another one."""

from pathlib import Path

import pytest

from envs.errors import ScenarioError
from envs.new import write_new
from scenarios.loader import load


def test_it_loads_under_its_name_with_a_canary_of_its_own(tmp_path: Path) -> None:
    one, other = (load(write_new(name, tmp_path)) for name in ("one", "other-2.yaml"))
    assert (one.id, other.id) == ("one", "other-2")
    assert one.canary != other.canary
    assert "one, canary GUID" in one.canary
    assert "__" not in (tmp_path / "one.yaml").read_text()


def test_it_never_overwrites(tmp_path: Path) -> None:
    path = write_new("mine", tmp_path)
    path.write_text("changed")
    with pytest.raises(ScenarioError, match="there already"):
        write_new("mine", tmp_path)
    assert path.read_text() == "changed"


@pytest.mark.parametrize("name", ["", "Mine", "../mine", "a/b", "-x", "a" * 60, "two words"])
def test_a_name_that_no_scenario_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="can't name a scenario") as raised:
        write_new(name, tmp_path)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="can't be written"):
        write_new("mine", tmp_path / "nowhere")
