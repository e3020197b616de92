# Sabot. `make` sets everything up and lists the targets; a fresh machine needs Python >= 3.11, make and git.
# PYTHON=... picks the interpreter that .venv is made from; JOBS=... the number of test processes;
# DEPTH=... how many events make model tries behind each instant; SEEDS=... how many lives make torture lives;
# HOURS=... how many virtual hours make soak plays.

PYTHON ?= python3
JOBS ?= 2
DEPTH ?= 2
SEEDS ?= 500
HOURS ?= 24

BIN := .venv/bin
PY := $(BIN)/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
PACKAGES := .venv/.packages
READY := .venv/.ready
TYPINGS := typings/.ready

CHECKED := firmware drivers hw-sim host tests tools
BOARD_MYPY := --config-file tools/mypy-board.ini

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

.PHONY: all
all: setup help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(READY) ## make .venv with the pinned packages and the sabot command (done by every target that needs it)

$(PACKAGES): requirements.lock tools/preflight.py
	@$(PYTHON) tools/preflight.py
	@echo "setting up: the pinned packages come into .venv; a minute or more, once"
	$(PYTHON) -m venv --clear .venv
	$(PIP) --require-hashes -r requirements.lock
	@touch $@

$(READY): $(PACKAGES) pyproject.toml
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(TYPINGS): typings.lock tools/patch_typings.py $(PACKAGES)
	rm -rf typings
	$(PIP) --require-hashes --no-deps --target typings -r typings.lock
	@$(PY) tools/patch_typings.py typings
	@touch $@

.PHONY: run
run: $(READY) ## show full tables playing two games (live in a terminal; lines and a summary otherwise)
	@$(BIN)/sabot sim demo

.PHONY: test
test: $(READY) ## run every test that must never break (some 10 minutes on 2 cores)
	$(PY) -m pytest -n $(JOBS) --dist worksteal

.PHONY: campaign
campaign: $(READY) ## run the long tests: full boots, more seeds, more rounds (at most 30 minutes)
	timeout --kill-after=30 1800 $(PY) -m pytest -n $(JOBS) --dist worksteal -m campaign --timeout 1500

.PHONY: bench
bench: $(READY) ## measure latency, speed and memory; JSON on standard output and in build/bench.json
	@$(PY) -m tests.bench

.PHONY: soak
soak: $(READY) ## play whole tables under bad fields for HOURS= (24) virtual hours in all; writes results/soak.json (hours)
	$(PY) -m tests.soak $(HOURS)

.PHONY: exhaustive
exhaustive: $(READY) ## rank every hand there is against the reference; writes results/exhaustive.json (minutes)
	$(PY) -m tests.rules.exhaustive

.PHONY: strip
strip: $(READY) ## try every fault on every codeword of the optical strip; writes results/optical_strip.json (a quarter of an hour)
	PYTHONPATH=drivers $(PY) -m tests.strip.exhaustive

.PHONY: model
model: $(READY) ## try every order of events at a small table, DEPTH= (2) behind each instant; writes results/model.json (minutes)
	$(PY) -m tests.explore.record --depth $(DEPTH)

.PHONY: torture
torture: $(READY) ## live SEEDS= (500) lives under power cuts and faults; writes results/torture.json (an hour or more)
	$(PY) -m tests.torture.long $(SEEDS)

.PHONY: cuts
cuts: $(READY) ## cut the power at each byte of a round of each game; writes results/power_cuts.json (a quarter of an hour)
	$(PY) -m tests.cuts.long

.PHONY: odds
odds: $(READY) ## count the odds of every game anew; writes results/odds/ (minutes a game) and the table of edges
	$(PY) -m tests.odds.record

.PHONY: check
check: format-check lint types imports docs-check mpy test ## everything CI judges, in one go

.PHONY: format
format: $(READY) ## lay the code out (ruff)
	$(BIN)/ruff format $(CHECKED)
	$(BIN)/ruff check --select I --fix $(CHECKED)

.PHONY: format-check
format-check: $(READY)
	$(BIN)/ruff format --check $(CHECKED)

.PHONY: lint
lint: $(READY) ## look for mistakes and for names without documentation (ruff)
	$(BIN)/ruff check $(CHECKED)

.PHONY: types
types: $(READY) $(TYPINGS) ## check types, strictly: the board's side against the Pico 2 stubs, then CPython's side
	$(BIN)/mypy $(BOARD_MYPY)
	$(BIN)/mypy

.PHONY: imports
imports: $(READY) ## check who imports whom (docs/architecture.md)
	@$(PY) tools/check_imports.py

.PHONY: docs
docs: $(READY) ## write the generated parts of docs/ anew
	@$(PY) tools/error_codes.py --write
	@$(PY) tools/round_diagrams.py --write

.PHONY: docs-check
docs-check: $(READY)
	@$(PY) tools/error_codes.py
	@$(PY) tools/round_diagrams.py

.PHONY: mpy
mpy: $(READY) ## compile the firmware for RP2350 and RP2040 and print each module's size
	@$(PY) tools/build_mpy.py

.PHONY: lock
lock: $(READY) ## resolve the pinned packages anew from pyproject.toml
	@tools/lock.sh

.PHONY: clean
clean: ## remove everything that make created
	rm -rf .venv build typings .ruff_cache host/*.egg-info *.egg-info
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
