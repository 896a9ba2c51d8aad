# make serve   installs what is needed, builds the page, and serves it (PORT=8000)
# make test    installs what is needed, browsers too, and runs every check and test
# make bench   prints the benchmarks (DATA=folder: of the texts in it)
# make build   makes dist/, which any web server can serve
# make clean   removes what the others made

PYTHON ?= python3
PORT ?= 8000
VENV := .venv/bin

.PHONY: help serve build test bench clean tools
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# //p' Makefile

serve: build
	@$(PYTHON) -m app serve --port $(PORT)

build: tools node_modules/.ready
	@$(PYTHON) -m app build

test: build .venv/.ready .chromium .engines
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/python -m pytest

bench: build .venv/.ready .chromium
	@$(VENV)/python -m tests.bench $(if $(DATA),--data $(DATA))

clean:
	rm -rf dist build node_modules .venv .chromium .engines .mypy_cache .pytest_cache .ruff_cache *.egg-info

tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@command -v node >/dev/null && command -v npm >/dev/null || \
	  { echo "Node.js and npm are needed; install them first" >&2; exit 1; }

node_modules/.ready: package.json package-lock.json
	@npm ci --silent --no-fund --no-audit
	@touch $@

.venv/.ready: tests/requirements.txt
	@$(PYTHON) -m venv .venv
	@$(VENV)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

.chromium: .venv/.ready tests/chromium.sh
	@sh tests/chromium.sh $(VENV)/playwright > $@.new && mv $@.new $@

.engines: .chromium tests/engines.sh
	@sh tests/engines.sh > $@.new && mv $@.new $@
