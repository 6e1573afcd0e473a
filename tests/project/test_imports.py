"""What one types most starts fast: help, the list and completion load no heavy library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pydantic", "rich", "fastmcp", "mcp", "openai", "aiohttp", "git", "chromadb", "mem0", "xllamacpp")

PROBE = """
import sys
sys.argv = ["envs", *sys.argv[1:]]
try:
    from envs.cli import main
    main()
finally:
    print("LOADED", *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""

LOWEST = ("envs.protocol", "envs.clock", "envs.answers", "envs.errors", "envs.canonical", "envs.wall")


def loaded(code: str, *arguments: str, cwd: Path, **environment: str) -> tuple[str, set[str]]:
    """Standard output of `code`, and the top-level modules that had been imported when it ended."""
    command = (sys.executable, "-c", code, *arguments)
    result = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False, timeout=30
    )
    last = result.stderr.rstrip().rpartition("LOADED ")
    assert last[1], result.stderr
    return result.stdout, set(last[2].split())


@pytest.mark.parametrize(
    ("arguments", "environment", "shows"),
    [
        (["--help"], {}, "Usage"),
        (["list"], {}, "s12"),
        (["run", "--help"], {}, "--scenario"),
        ([], {"_ENVS_COMPLETE": "complete_bash", "COMP_WORDS": "envs ", "COMP_CWORD": "1"}, "report"),
    ],
    ids=["help", "list", "run-help", "completion"],
)
def test_starts_without_heavy_imports(
    arguments: list[str], environment: dict[str, str], shows: str, tmp_path: Path
) -> None:
    output, modules = loaded(PROBE, *arguments, cwd=tmp_path, **environment)
    assert shows in output
    assert sorted(modules & set(HEAVY)) == []


def test_the_lowest_layer_loads_nothing_heavy(tmp_path: Path) -> None:
    code = f"import sys, {', '.join(LOWEST)}\nprint('LOADED', *sys.modules, file=sys.stderr)"
    _, modules = loaded(code, cwd=tmp_path)
    assert sorted(modules & set(HEAVY)) == []


def test_the_probe_sees_a_heavy_import(tmp_path: Path) -> None:
    _, modules = loaded(f"import pydantic\n{PROBE}", "--help", cwd=tmp_path)
    assert "pydantic" in modules
