# Everything lives in .venv; nothing is installed globally but by `make system`, which asks Debian for it.
VENV := .venv
UV_VERSION := 0.13.9

.DEFAULT_GOAL := help
.PHONY: help system setup demo test test-full check bench

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 12

system: ## Debian's bubblewrap, chromium, nodejs and npm, where the rights to install them are there
	@.ci/system

$(VENV)/bin/python:
	python=$$(.ci/python) && "$$python" -m venv --clear $(VENV)

$(VENV)/bin/uv: | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install --disable-pip-version-check --quiet uv==$(UV_VERSION)

# --inexact: pip and uv themselves are in the environment and in no lock.
setup: $(VENV)/bin/uv ## .venv from the lock, and the small local model
	UV_PROJECT_ENVIRONMENT=$(VENV) $(VENV)/bin/uv sync --frozen --inexact --python $(VENV)/bin/python --extra dev --extra local
	$(VENV)/bin/envs setup local

demo: setup ## the small local model works through a scenario, beside an agent that says nothing
	$(VENV)/bin/python .ci/demo.py

test: setup ## every test that is quick and needs nothing from outside
	$(VENV)/bin/python -m pytest

test-full: setup ## all tests, those of minutes too
	$(VENV)/bin/python -m pytest -m "full or not full"

check: setup ## style, types, layers, sizes; pre-commit runs this too
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/python .ci/sizes.py
	$(VENV)/bin/lint-imports
	$(VENV)/bin/mypy

bench: setup ## speed and memory against their targets
	$(VENV)/bin/python -m benchmarks
