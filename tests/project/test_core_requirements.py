"""What installing the project without extras brings, read from the lock: never a GPU library or a vector store."""

import re
import tomllib
from pathlib import Path
from typing import Any

LOCK = tomllib.loads((Path(__file__).parents[2] / "uv.lock").read_text(encoding="utf-8"))
HEAVY = {
    "chromadb",
    "datasets",
    "faiss-cpu",
    "graphiti-core",
    "kuzu",
    "mem0ai",
    "numpy",
    "onnxruntime",
    "pandas",
    "pyarrow",
    "ray",
    "sentence-transformers",
    "torch",
    "transformers",
    "vllm",
    "xllamacpp",
    "zep-cloud",
}


def closure(packages: list[dict[str, Any]], root: str, extra: str | None = None) -> set[str]:
    """Every package that `root` (with `extra`) needs, on any platform, extras of dependencies included."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for package in packages:
        by_name.setdefault(package["name"], []).append(package)
    seen: set[tuple[str, str | None]] = set()
    todo: list[tuple[str, str | None]] = [(root, None), (root, extra)]
    while todo:
        name, wanted = todo.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        for package in by_name[name]:
            needs = (
                package.get("optional-dependencies", {}).get(wanted, []) if wanted else package.get("dependencies", [])
            )
            for need in needs:
                todo.append((need["name"], None))
                todo.extend((need["name"], of_need) for of_need in need.get("extra", []))
    return {name for name, _ in seen} - {root}


def test_core_pulls_nothing_heavy() -> None:
    core = closure(LOCK["package"], "driftdesk")
    assert {"fastmcp", "openai", "pydantic"} <= core
    assert sorted(core & HEAVY) == []
    assert not any(re.match(r"nvidia|cuda|triton", name) for name in core)


def test_the_closure_sees_what_an_extra_adds() -> None:
    assert {"mem0ai", "chromadb", "numpy"} <= closure(LOCK["package"], "driftdesk", "mem0")
    assert "torch" in closure(LOCK["package"], "driftdesk", "dense")


def test_the_local_model_needs_one_package() -> None:
    core = closure(LOCK["package"], "driftdesk")
    assert closure(LOCK["package"], "driftdesk", "local") - core == {"xllamacpp"}
