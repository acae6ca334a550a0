# One command file: people and CI call the same targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help setup demo test check format bench accuracy coverage lock clean
help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(STAMP)  ## make .venv with pinned, hashed requirements and the command .venv/bin/hgldp
$(STAMP): pyproject.toml requirements/dev.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hgldp needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(STAMP)  ## simulate one stream with every scheme and print what came out
	@$(BIN)/hgldp simulate normal:n=100000,d=1000,sigma=5 --scheme all --epsilon 2 --k 10 --seed 1

check: $(STAMP)  ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports --no-cache

test: check  ## the checks, then every test
	$(BIN)/python -m pytest -n 2

format: $(STAMP)  ## let ruff format and sort
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)  ## CPU time of every scheme as a ratio to numpy.bincount, one thread
	$(BIN)/python -m benchmarks.throughput

accuracy: $(STAMP)  ## every scheme beside its warm-up and the authors' figures (DATA=folder with real streams)
	$(BIN)/python -m benchmarks.accuracy $(if $(DATA),--data $(DATA))

coverage: $(STAMP)  ## how often the published intervals hold the truth when cells are evicted
	$(BIN)/python -m benchmarks.coverage

lock: $(STAMP)  ## compile requirements/*.lock from pyproject.toml
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --extra dev -o requirements/dev.lock pyproject.toml

clean:  ## remove the environment and every cache
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
	find . -name __pycache__ -prune -exec rm -rf {} +
