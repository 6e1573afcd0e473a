"""Fixtures of the whole test run: the one embedded model server."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from agents import local


@pytest.fixture(scope="session")
def local_model() -> Iterator[str]:
    """Base URL of the one real small model of this run; skips where it is not installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the extra `local` is not installed")
    if not local.model_path().is_file():
        pytest.skip(f"no model file at {local.model_path()}: run `envs setup local`")
    server = local.LocalServer()
    yield server.url
    server.stop()
