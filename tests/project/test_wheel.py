"""The built wheel is whole: installed by itself, away from the checkout, the command runs from it."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PACKAGES = ("agents", "envs", "judges", "scenarios", "servers")
UV = Path(sys.executable).parent / "uv"


def attempt(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def run(*command: str | Path, cwd: Path) -> str:
    result = attempt(*command, cwd=cwd)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = (UV, "build", "--wheel", "--quiet", "--python", sys.executable, "--out-dir", folder)
    # The build back end is in uv's cache since the environment was made; only a cleared cache needs the registry.
    if attempt(*build, "--offline", cwd=PROJECT).returncode != 0:
        run(*build, cwd=PROJECT)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel; its dependencies are borrowed from the one running this."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    run(UV, "venv", "--quiet", "--offline", "--python", sys.executable, home, cwd=home.parent)
    run(UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", home, wheel, cwd=home.parent)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home / "bin"


def test_the_wheel_holds_every_file_of_the_packages_and_no_other_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    ours = {
        path.relative_to(PROJECT).as_posix()
        for package in PACKAGES
        for path in (PROJECT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert names == ours
    kinds = {Path(name).suffix for name in names}
    assert {".py", ".yaml", ".txt"} <= kinds
    assert {"scenarios/s12.yaml", "agents/models.yaml"} <= names


def test_the_command_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = run(installed / "python", "-c", "import envs; print(envs.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    assert "Usage" in run(installed / "envs", "--help", cwd=tmp_path)
    assert "s12" in run(installed / "envs", "list", cwd=tmp_path)
