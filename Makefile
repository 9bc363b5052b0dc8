# fencepost: everything that is done in this tree, from a fresh clone on, with Python, make and git.
#
##   make demo          install into .venv and check a real command stream
##   make test          install everything and run all tests
##   make check         lint, format-check and types together
##   make lint          ruff's rules
##   make format        lay the Python files out
##   make format-check  say which Python files are not laid out
##   make types         mypy, strict
##   make verify        compare the checker with the explorer of every execution, exhaustively; plans with brute force
##   make fuzz          the fuzz tests, for longer
##   make bench         speed, peak memory, start-up
##   make pages         build the script and style of the HTML pages anew (needs node and npm)
##   make clean         remove .venv and what the tools leave behind
#
# PYTHON=..., VENV=... and PYTEST_ARGS=... may be given on the command line.

PYTHON      ?= python3
VENV        ?= .venv
PYTEST_ARGS ?= -n 2

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
RUN := $(BIN)/python
PIP := $(RUN) -m pip --disable-pip-version-check install --quiet

# Modules that are compiled, with their C types: the installation builds them anew.
TYPES   := $(shell find src -name '*.pxd')
KERNELS := $(TYPES) $(TYPES:.pxd=.py) src/fencepost/_kernels.py

STREAM      := examples/pm4/ffmpeg-avgblur.txt
ANNOTATIONS := examples/pm4/ffmpeg-avgblur.notes

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install develop demo test check lint format format-check types verify fuzz bench pages clean

help:
	@sed -n 's/^## //p' Makefile

$(VENV)/pyvenv.cfg:
	@echo "making $(VENV)" >&2
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/pyvenv.cfg pyproject.toml setup.py $(KERNELS)
	@echo "installing fencepost into $(VENV)" >&2
	@$(PIP) --editable .
	@touch $@

$(VENV)/developed: $(VENV)/installed requirements/dev.txt
	@echo "installing the development tools into $(VENV)" >&2
	@$(PIP) --requirement requirements/dev.txt
	@touch $@

# Compiled on purpose: where Python is told to write no byte code, every start would compile anew.
install: $(VENV)/installed
	@$(RUN) -m compileall -q src

develop: $(VENV)/developed install

# Exit code 1 means "findings", and this stream holds a bug that really shipped: 1 is what is due.
# A Python that fails ends with 1 too, so the hazard has to be there in words.
demo: install
	@echo "fencepost check $(STREAM) --annotations $(ANNOTATIONS)" >&2
	@$(BIN)/fencepost check $(STREAM) --annotations $(ANNOTATIONS) || true
	@brief=$$($(BIN)/fencepost check $(STREAM) --annotations $(ANNOTATIONS) --brief); status=$$?; \
	case "$$status $$brief" in \
	"1 "*hazard*) echo "demo: done; exit code 1 says that it has a hazard. In three lines:" >&2;; \
	"0 "*) echo "demo: failed; this stream is known to have a hazard and none was found" >&2; exit 1;; \
	*) echo "demo: failed; fencepost ended with exit code $$status" >&2; exit 2;; \
	esac; \
	printf '%s\n' "$$brief"

test: develop
	@$(RUN) -m pytest $(PYTEST_ARGS)

check: lint format-check types

lint: develop
	@$(BIN)/ruff check .

format: develop
	@$(BIN)/ruff format .

format-check: develop
	@$(BIN)/ruff format --check .

types: develop
	@$(BIN)/mypy

verify: develop
	@$(RUN) -m verify
	@$(RUN) -m verify.plans

fuzz: develop
	@$(RUN) -m pytest $(PYTEST_ARGS) -k fuzz --hypothesis-profile=fuzz

bench: develop
	@$(RUN) -m benchmarks

# npm writes that file last.
pages/node_modules/.package-lock.json: pages/package.json pages/package-lock.json
	@echo "installing what builds the pages into pages/node_modules" >&2
	@cd pages && npm ci --silent
	@touch $@

pages: pages/node_modules/.package-lock.json
	@cd pages && npm run --silent build

clean:
	rm -rf $(VENV) build dist pages/build pages/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache src/fencepost.egg-info
	find src -name '*.so' -delete
