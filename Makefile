# `make` lists what there is to do. The environment is .venv; `make PYTHON=/path/to/python3.12 setup` chooses its Python.
PYTHON ?=
DEMO_DIR ?= runs/demo
DEMO_CONFIG := training_configs/case_fin.jsonnet
DEMO_INPUT := {"form": "talossa"}
DEMO_LOG := $(DEMO_DIR:/=).log
OR_SHOW_LOG = || { tail -n 20 "$(DEMO_LOG)" >&2; echo "The demo failed; the whole log is $(DEMO_LOG)" >&2; exit 1; }

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DOWNSTREAM := $(VENV)/.installed-downstream
PINS := $(filter-out %/downstream-no-deps.txt,$(wildcard requirements/*.txt))
COMPAT := $(wildcard $(addprefix compat/,*.py *.toml *.pth *.start */*.py))
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-warn-conflicts --no-build-isolation

.DEFAULT_GOAL := help
.PHONY: help setup setup-downstream demo report browser test check format clean FORCE

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '  make %-16s %s\n' "$$name" "$$text"; done

setup: $(INSTALLED) ## make .venv with everything in it (2 GB; PYTHON=... chooses the interpreter)

setup-downstream: $(DOWNSTREAM) ## add AllenNLP's own models, for parsing, NER and NLI (downstream tasks)

demo: setup ## train a Finnish case probe into DEMO_DIR (runs/demo), show its scores and one prediction
	@mkdir -p "$$(dirname "$(DEMO_LOG)")"
	@echo "Training $(DEMO_CONFIG) into $(DEMO_DIR) (log: $(DEMO_LOG)) ..."
	@$(BIN)/allennlp train $(DEMO_CONFIG) -s "$(DEMO_DIR)" --include-package linspector_allennlp -f > "$(DEMO_LOG)" 2>&1 $(OR_SHOW_LOG)
	@$(BIN)/linspector probe-summary "$(DEMO_DIR)" 2>> "$(DEMO_LOG)" $(OR_SHOW_LOG)
	@echo '$(DEMO_INPUT)' | $(BIN)/linspector predict "$(DEMO_DIR)/model.tar.gz" - 2>> "$(DEMO_LOG)" $(OR_SHOW_LOG)

report: setup ## train a small study and make its page, runs/report.html; under a minute
	@echo "Training training_configs/suites/gallery.jsonnet into runs/gallery (log: runs/gallery.log) ..."
	@mkdir -p runs
	@$(BIN)/linspector probe-suite training_configs/suites/gallery.jsonnet -s runs/gallery > runs/gallery.log 2>&1 || { tail -n 20 runs/gallery.log >&2; exit 1; }
	@$(BIN)/linspector probe-report runs/gallery -o runs/report.html

browser: ## get chromium (as root, on Debian) and axe-core for the tests of the page, which are skipped without
	@sh scripts/get_browser.sh

test: setup setup-downstream ## run the tests (LINSPECTOR_DATA=folder adds those on real data)
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --max-worker-restart 0

check: setup ## lint, check the format and the types, then run the tests
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory test

format: setup ## put the code into the house format
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

clean: ## remove what builds, tests and the demo leave behind, but not .venv
	rm -rf build dist *.egg-info compat/build compat/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis runs/demo runs/demo.log runs/gallery runs/gallery.log runs/report.html
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

# Looked at every time, and made anew only where it does not serve or is of another Python than the one asked for.
$(VENV)/pyvenv.cfg: FORCE
	@python=$$(sh scripts/find_python.sh $(VENV) "$(PYTHON)") || exit 1; \
	if [ -n "$$python" ]; then rm -rf $(VENV) && "$$python" -m venv $(VENV); fi

# The stamp comes last, so that an install that was broken off is taken up again.
$(INSTALLED): $(VENV)/pyvenv.cfg $(PINS) $(COMPAT) setup.cfg pyproject.toml
	@rm -f $@
	@echo "Installing about 2 GB into $(VENV); it takes about four minutes the first time."
	@set -e; \
	pins=requirements/modern; \
	echo "Step 1 of 4: the tools that install ($$pins.txt)"; \
	$(PIP_INSTALL) -q -c $$pins.txt setuptools wheel; \
	echo "Step 2 of 4: torch, spaCy, transformers and the rest ($$pins.txt)"; \
	$(PIP_INSTALL) -r $$pins.txt; \
	echo "Step 3 of 4: AllenNLP, without the old versions that it asks for, and what makes it run without them (compat/)"; \
	rm -rf compat/build; \
	$(PIP_INSTALL) -q --no-deps -r $$pins-no-deps.txt; \
	echo "Step 4 of 4: this package"; \
	$(PIP_INSTALL) -q --no-deps -e .
	@echo "Installed. The commands are in $(BIN); \`source $(BIN)/activate\` puts them on your path."
	@touch $@

$(DOWNSTREAM): $(INSTALLED) requirements/downstream-no-deps.txt
	@rm -f $@
	@$(PIP_INSTALL) -q --no-deps -r requirements/downstream-no-deps.txt
	@touch $@
