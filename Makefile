# make run    runs an example with the plain package: no torch, no Triton, no GPU
# make test   checks and tests everything
# make bench  measures how fast the tools start

PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test bench clean

run: .venv/package
	$(BIN)/patlang run examples/mandelbrot.patlang

test: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/pytest -n 2

bench: .venv/package
	$(BIN)/python benchmarks/startup.py

.venv/package: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -e .
	touch $@

# torch comes first and alone: once it is there, nothing asks for a larger build of it.
.venv/tests: .venv/package
	$(BIN)/pip install -q torch==2.13.0
	$(BIN)/pip install -q -e '.[test]'
	touch $@

clean:
	rm -rf .venv
