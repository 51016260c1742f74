# `make demo` to look at it, `make test` for every check. Both make the environment first.
# Works with GNU make 3.81 and later, on Linux and macOS.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.complete
PACKAGES := ingest queries dashboard
UV := $(shell command -v uv 2>/dev/null)
PIP_FLAGS := --quiet --disable-pip-version-check
IS_OURS := test "$$(cat $(STAMP) 2>/dev/null)" = '$(CURDIR)'
IS_RECENT = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null

# Tests start many programs: without compiled modules each would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := demo
.PHONY: demo test lint lock clean environment interpreter browser format types layers tests wheel

demo: environment
	$(BIN)/unaveraged demo

# Every check, in the order in which they are quick to fail.
test: environment browser lint tests wheel

lint: format types layers

environment: $(STAMP)

# The stamp is written last, so that an interrupted installation is done again. It holds the path,
# which the environment's programs hold too: one that was moved or copied is made again.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif

$(STAMP): requirements.lock pyproject.toml
	@$(MAKE) --no-print-directory interpreter
ifeq ($(UV),)
	$(BIN)/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements.lock
	$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps --no-build-isolation -e .
else
	VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --require-hashes -r requirements.lock
	VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --no-deps --no-build-isolation -e .
endif
	@echo '$(CURDIR)' > $(STAMP)

# Keeps an environment that works here, with the tool that is here, and replaces any other.
interpreter:
ifeq ($(UV),)
	@if $(IS_OURS) && $(BIN)/python -m pip --version >/dev/null 2>&1; then exit 0; fi; \
	rm -rf $(VENV); \
	if ! $(IS_RECENT); then \
	  found=$$($(PYTHON) --version 2>&1) || found=missing; \
	  echo "Python 3.11 or later is needed; '$(PYTHON)' is $$found." >&2; \
	  echo "Name another one: make PYTHON=python3.12 ..." >&2; exit 1; fi; \
	if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "'$(PYTHON)' cannot make environments." >&2; \
	  echo "On Debian and Ubuntu install python3-venv: apt-get install python3-venv" >&2; exit 1; fi; \
	$(PYTHON) -m venv $(VENV)
else
	@if $(IS_OURS) && $(BIN)/python --version >/dev/null 2>&1; then exit 0; fi; \
	rm -rf $(VENV); \
	if $(IS_RECENT); then wanted=$(PYTHON); else wanted='>=3.11'; fi; \
	if ! $(UV) venv --quiet --python "$$wanted" $(VENV); then \
	  echo "Python 3.11 or later is needed, and none was found." >&2; exit 1; fi
endif

format: environment
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: environment
	$(BIN)/mypy

layers: environment
	$(BIN)/lint-imports

tests: environment
	$(BIN)/python -m pytest -m "not browser and not cluster" --numprocesses auto --dist loadfile $(PYTEST_ARGS)
	@# One after the other: a page, or a node, that shares its processor answers late.
	@# What fails is tried once more: a busy machine can be slower than a browser waits.
	$(BIN)/python -m pytest -m "browser or cluster" $(PYTEST_ARGS) || [ $$? -eq 5 ] || \
	  $(BIN)/python -m pytest -m "browser or cluster" --last-failed $(PYTEST_ARGS)

wheel: environment
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation

# Installs Chromium where that takes no question; elsewhere the tests that need it are skipped.
browser:
	@why=; for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  if command -v $$name >/dev/null 2>&1; then exit 0; fi; done; \
	if ! command -v apt-get >/dev/null 2>&1; then why='there is no apt-get to install it with'; \
	elif [ "$$(id -u)" -eq 0 ]; then as_root=env; \
	elif sudo -n true >/dev/null 2>&1; then as_root='sudo -n env'; \
	else why='installing it takes root'; fi; \
	if [ -z "$$why" ]; then \
	  echo 'Installing Chromium for the browser tests.'; \
	  $$as_root apt-get update -qq >/dev/null && \
	  $$as_root DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null || \
	  why='apt-get could not install it'; fi; \
	if [ -n "$$why" ]; then \
	  echo "NOTE: browser tests will be SKIPPED: no Chromium on the PATH, and $$why." >&2; fi

# Resolves all versions anew, for every platform and Python the project runs on.
lock:
	uv pip compile --universal --python-version 3.11 --extra dev --generate-hashes \
	  --no-emit-index-url --no-header --quiet --upgrade --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
