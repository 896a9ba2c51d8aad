# make serve      installs the requirements, builds the page and serves it (PORT=8000)
# make test       installs the requirements and browsers, then runs the checks and the fast tests
# make test-all   the same with all tests, such as thousands of edits in a row
# make bench      prints the benchmarks (DATA=folder: with the texts in it)
# make build      builds dist/, for any web server
# make clean      removes everything that the other targets create

PYTHON ?= python3
PORT ?= 8000
VENV := .venv/bin
PIP := $(VENV)/python -m pip install --quiet --disable-pip-version-check --require-hashes
PYTEST = $(VENV)/python -m pytest -n $(PROCESSES)

.PHONY: help serve build missing test test-all bench clean tools
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# //p' Makefile

serve: build
	@$(PYTHON) -m app serve --port $(PORT)

build: tools node_modules/.ready .venv/.build
	@$(VENV)/python -m app build

missing: .venv/.ready .chromium .engines
	@$(VENV)/python -m tests.support.missing_tools

test: SELECTED := -m "not slow"
test: PROCESSES := 2
test-all: PROCESSES := 3
test-all: export HYPOTHESIS_PROFILE := thorough
test test-all: export BLEU_TEST_BUILT := dist

test test-all: missing build
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(PYTEST) $(SELECTED)

bench: build .venv/.ready .chromium
	@$(VENV)/python -m tests.bench.bench $(if $(DATA),--data $(DATA))

clean:
	rm -rf dist build node_modules .venv .chromium .engines .mypy_cache .pytest_cache .ruff_cache *.egg-info

tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@command -v node >/dev/null && command -v npm >/dev/null || \
	  { echo "Node.js and npm are needed; install them first" >&2; exit 1; }
	@case "$$(node --version)" in v[0-9].*|v1[0-7].*) \
	  echo "Node.js 18 or newer is needed; this is $$(node --version)" >&2; exit 1;; esac

node_modules/.ready: package.json package-lock.json
	@npm ci --loglevel=error --no-progress --no-fund --no-audit >/dev/null
	@touch $@

.venv/.build: app/build/requirements.txt
	@test -x $(VENV)/pip || $(PYTHON) -m venv .venv
	@$(PIP) -r $<
	@touch $@

.venv/.ready: tests/requirements.txt .venv/.build
	@$(PIP) -r $<
	@touch $@

.chromium: .venv/.ready tests/chromium.sh
	@sh tests/chromium.sh $(VENV)/playwright > $@.new && mv $@.new $@

.engines: .chromium tests/engines.sh
	@sh tests/engines.sh > $@.new && mv $@.new $@
