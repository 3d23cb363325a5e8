# Every target sets up what it needs by itself, in .venv: with uv where there is one, else with python3 and pip.
# `make UV=` uses pip although uv is there; `make PYTHON=/path/to/python3.12` chooses the interpreter.

UV ?= $(shell command -v uv 2>/dev/null)
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PINNED := pyproject.toml constraints.txt
PREFIX ?= $(HOME)/.local
EXTRAS ?=
OWNER ?=

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
# What builds the package is pinned too. pip reads the first of these below 25.3, the second from there on.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export UV_BUILD_CONSTRAINT := constraints.txt
ifneq ($(UV),)
INSTALL := $(UV) pip install --quiet --python $(BIN)/python -c constraints.txt
else
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
endif

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
# One more than there are cores: a quarter of the time a test waits for a process, a socket or a database.
export PYTEST_XDIST_AUTO_NUM_WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)))

.PHONY: help install uninstall setup demo check test coverage lint types interop bench picture prepared bundle lock server.json clean
.DELETE_ON_ERROR:

help:
	@echo "make install  for you alone, below ~/.local (PREFIX=…, EXTRAS=\"postgres keyring pdf\"); make uninstall undoes it"
	@echo "make demo     watch a research run: offline, without a key"
	@echo "make check    format, lint, and types and tests of what you changed, in a minute"
	@echo "make test     format, lint, types and all quick tests"
	@echo "make coverage all quick tests again, with the coverage that they have to reach"
	@echo "make interop  the slow tests, with real foreign programs"
	@echo "make lint     format and lint alone        make types   types alone"
	@echo "make bench    the measurements of bench/ that need nothing else   make setup   the whole environment"
	@echo "make picture  the README's picture of a report, anew (needs chromium)"
	@echo "make prepared the texts made from the source, anew: README tables, docs/reference.md, a client's first answers"
	@echo "make bundle   dist/deepresearch-server.mcpb, for Claude Desktop's one-click installation"
	@echo "make lock     constraints.txt and locks/ anew, after a change of dependencies (UPGRADE=1: the newest that fit)"
	@echo "make clean    remove what was built and cached, but not .venv"

setup: $(VENV)/development

demo: $(VENV)/run-time
	@$(BIN)/deepresearch-server demo

install:
	@$(FIND_PYTHON); unset PIP_CONSTRAINT PIP_BUILD_CONSTRAINT UV_BUILD_CONSTRAINT; \
	echo "==> installing below $(PREFIX)"; \
	$$python tools/install.py --prefix "$(PREFIX)" --extras "$(EXTRAS)" --uv "$(UV)"

uninstall:
	@$(FIND_PYTHON); $$python tools/install.py --prefix "$(PREFIX)" --undo

check: lint
	@$(BIN)/python tools/check.py

test: lint types
	@echo "==> tests"
	@$(BIN)/pytest -n auto --durations=20

# By itself, as tracing makes the tests take nearly twice as long, and all of the gate has forty minutes.
coverage: $(VENV)/development
	@echo "==> tests with coverage"
	@$(BIN)/pytest -n auto --cov --cov-report=term --cov-fail-under=95

lint: $(VENV)/development
	@echo "==> format and lint"
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(VENV)/development
	@echo "==> types"
	@$(BIN)/pyright

# What cannot be installed is a failure, unless CI=false says otherwise. pytest's 5: no such tests.
interop: $(VENV)/development
	@$(BIN)/python tests/foreign.py
	@echo "==> tests with foreign programs"
	@CI=$${CI:-true} $(BIN)/pytest -m interop -n auto --dist loadfile --durations=20 || { code=$$?; test $$code -eq 5 || exit $$code; }

bench: $(VENV)/development
	@$(BIN)/python tools/bench.py

picture: $(VENV)/run-time
	@$(BIN)/python docs/picture.py

prepared: $(VENV)/development
	@$(BIN)/python tools/texts.py
	@$(BIN)/python bundle/prepare.py

bundle: $(VENV)/development
	@$(BIN)/python bundle/build.py

clean:
	rm -rf build dist .pytest_cache .ruff_cache .hypothesis .demo .coverage .coverage.*
	find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} +

lock: $(VENV)/run-time
	@uv="$(UV)"; \
	if [ -z "$$uv" ]; then \
	  $(BIN)/python -m venv build/uv && build/uv/bin/pip install -qq uv && uv=build/uv/bin/uv; \
	fi; \
	$(BIN)/python tools/lock.py "$$uv" $(if $(UPGRADE),--upgrade)

server.json: $(VENV)/run-time
	@$(BIN)/python tools/server_json.py "$(OWNER)"

define FIND_PYTHON
for python in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11; do \
  command -v "$$python" >/dev/null 2>&1 && "$$python" -c '$(NEW_ENOUGH)' 2>/dev/null && break; \
  python=; \
done; \
if [ -z "$$python" ] && [ -n "$(UV)" ]; then \
  python=$$("$(UV)" python find --quiet '>=3.11' 2>/dev/null || { "$(UV)" python install --quiet 3.13 && "$(UV)" python find '>=3.11'; }); \
fi; \
if [ -z "$$python" ]; then \
  echo "Python 3.11 or newer is needed, and none was found (python3 is: $$(python3 --version 2>&1))." >&2; \
  echo "Install one, or uv, or name one: make PYTHON=/path/to/python3.12" >&2; \
  exit 1; \
fi
endef

# A .venv that is broken, or older than we need, is made anew.
$(VENV)/made:
	@if $(BIN)/python -c '$(NEW_ENOUGH)' 2>/dev/null; then :; \
	elif [ -n "$(UV)" ]; then \
	  echo "==> making $(VENV) with uv"; \
	  "$(UV)" venv --quiet --clear --python "$(or $(PYTHON),>=3.11)" $(VENV); \
	else \
	  $(FIND_PYTHON); \
	  echo "==> making $(VENV) with $$python"; \
	  "$$python" -m venv --clear $(VENV); \
	fi
	@touch $@

$(VENV)/run-time: $(VENV)/made $(PINNED)
	@echo "==> installing what it runs on"
	@test -n "$(UV)" || $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null
	@$(INSTALL) --editable .
	@touch $@

# pip learned of dependency groups in 25.1; the one that Python brings along may be older.
$(VENV)/development: $(VENV)/run-time
	@echo "==> installing what it is tested with"
	@test -n "$(UV)" || $(INSTALL) --upgrade pip 'setuptools; python_version < "3.12"'
	@$(INSTALL) --group dev
	@touch $@
