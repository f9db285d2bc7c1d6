# Needs python3 >= 3.11 and make. The first target that runs makes .venv and installs into it, at the
# versions of uv.lock; later ones only do so again when pyproject.toml or uv.lock has changed.

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$name; break; }; done)
ARGS ?= -n auto
PORT ?= 2024
STUDIO_PORT ?= 2025
SERVE_HOME ?= .serve

.DEFAULT_GOAL := help
.PHONY: help demo test check format generate bench serve studio lock clean

help:  ## Show what can be made
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-8s %s\n", $$1, $$2 }'

demo: $(RUNTIME)  ## Index the example documents and ask them two questions, offline
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && trap 'exit 130' INT TERM && \
	unset TOCWALK_INDEX && export TOCWALK_HOME="$$home" && \
	run() { printf '\n$$ tocwalk %s "%s"\n' "$$@"; $(BIN)/tocwalk "$$@"; } && \
	run index examples/documents && \
	run ask "How long are umbrellas and gloves found on a seat stored before somebody else may have them?" && \
	run ask "What does late delivery cost the Supplier, and late payment the Operator?"

test: $(DEV)  ## Run the tests; make test ARGS="tests/project -x" runs some
	$(BIN)/python -m pytest $(ARGS)

check: $(DEV)  ## Check format, lint, types and layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(DEV)  ## Bring the code into format and mend what lint can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

generate: $(DEV)  ## Write anew what follows from the code: docs/settings.md, .env.example, Dockerfile, .dockerignore
	$(BIN)/python tools/generate.py

bench: $(DEV)  ## Run every benchmark in benchmarks/ and print its table
	@for script in benchmarks/bench_*.py; do echo "== $$script" && $(BIN)/python $$script || exit 1; done

serve: $(DEV)  ## Serve the graphs over the example documents on PORT, and say what to open
	@$(BIN)/python tools/serve.py --port $(PORT) --home $(SERVE_HOME)

studio: $(DEV)  ## Step through the retrieval graph in a page of this machine, offline, on STUDIO_PORT
	@exec $(BIN)/python tools/studio.py --port $(STUDIO_PORT) --home $(SERVE_HOME)

lock: $(DEV)  ## Resolve the dependencies anew into uv.lock
	$(BIN)/uv lock

clean:  ## Remove .venv and everything that tools left behind
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .langgraph_api .serve
	find src tests benchmarks examples tools -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNTIME): pyproject.toml uv.lock
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	{ echo "tocwalk needs Python 3.11 or newer: install one, or name it with 'make PYTHON=/path/to/python3'." >&2; exit 1; }
	"$(PYTHON)" -m venv $(VENV)
	$(PIP_INSTALL) --upgrade "pip>=25.1" uv
	$(BIN)/uv export --quiet --frozen --all-groups --no-emit-project --no-hashes --output-file $(VENV)/constraints.txt
	$(PIP_INSTALL) --constraint $(VENV)/constraints.txt --editable '.[chat,eval]'
	@touch $@

$(DEV): $(RUNTIME)
	$(PIP_INSTALL) --constraint $(VENV)/constraints.txt --group dev --editable .
	@touch $@
