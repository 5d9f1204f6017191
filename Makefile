# `make demo` and `make test` do all their own set-up: Python 3.11 or newer, make and network
# are enough.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; \
	done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_ERRANT := $(VENV)/.ready-errant

.PHONY: demo cluster-demo test slow properties lint docs studies bench clean

demo: $(READY)
	@$(BIN)/jurybox demo

# A Dask scheduler and two workers on this machine, the same digits as without them (docs/scale.md).
cluster-demo: $(READY_DEV)
	@$(BIN)/python tools/cluster_demo.py

test: $(READY_DEV)
	$(BIN)/python -m pytest -m "not slow" -n auto --dist loadfile

# Long checks: more examples, every official count, ERRANT's own edit extraction.
slow: $(READY_ERRANT)
	$(BIN)/python -m pytest -m slow --hypothesis-profile many -n auto --dist loadfile

# Every property with many examples, others each time; CI takes a few, the same each time.
properties: $(READY_DEV)
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile many -n auto --dist loadfile

lint: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The documentation as a site, in site/; a link that leads nowhere is an error (not with --quiet,
# which hides warnings from --strict too).
docs: $(READY_DEV)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html: open it in a browser"

# Tables and figures of the studies, from the data in JURYBOX_DATA (docs/studies/index.md).
studies: $(READY_DEV)
	@for name in ten-annotators agreed-errors crowd-of-five sampling coverage; do \
		echo "== $$name"; $(BIN)/python docs/studies/$$name.py || exit 1; done

bench: $(READY_DEV)
	@for script in bench/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "jurybox needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	@test -x $(BIN)/python || { echo "Creating $(VENV) with $(PYTHON) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "Installing jurybox and what it needs ..."
	@$(PIP) install --constraint constraints.txt --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

$(READY_DEV): $(READY)
	@echo "Installing what the tests need ..."
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(READY_ERRANT): $(READY_DEV)
	@echo "Installing ERRANT ..."
	@$(PIP) install --constraint constraints.txt --editable '.[errant]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis demo site
