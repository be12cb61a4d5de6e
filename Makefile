# Two commands do all the set-up: `make run` and `make test`. The rest is for people who build Antinomy.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# One set of exact versions for everybody; `make lock` writes it from the environment that passes the tests.
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint requirements.lock
# For its OCR models alone, so without the packages that its own code would need (OpenCV and others, 120 MB).
MODELS := $(PIP) --no-deps rapidocr

.PHONY: run test check unit bench bundle installer samples lock clean

run: $(VENV)/installed-run                 ## open the window on the sample contract
	$(BIN)/python -m antinomy --sample

test: $(VENV)/installed-test check unit    ## everything that must pass before a commit counts

check: $(VENV)/installed-test              ## style, types and who imports whom
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tests/house_rules.py

unit: $(VENV)/installed-test               ## the tests alone; ARGS="tests/gui -k link" narrows them
	bash tests/system_packages.sh
	OMP_NUM_THREADS=2 OMP_WAIT_POLICY=PASSIVE $(BIN)/python -m pytest $(ARGS)

bench: $(VENV)/installed-test              ## every figure of the README that is about time or memory
	$(BIN)/python -m tests.bench

bundle: $(VENV)/installed-bundle           ## dist/antinomy, one folder that runs without Python, and its test
	$(BIN)/python -m PyInstaller --noconfirm --log-level WARN pyinstaller.spec
	$(BIN)/python -m pytest tests/bundle/test_bundle.py

installer: bundle                          ## dist/antinomy_VERSION_ARCH.deb for Debian and Ubuntu, and its test
	$(BIN)/python -m resources.installer.debian dist/antinomy dist
	$(BIN)/python -m pytest tests/bundle/installed

samples: $(VENV)/installed-test            ## write resources/samples anew from their sources
	$(BIN)/python resources/samples/build_samples.py

lock: $(VENV)/installed-bundle             ## the versions of this environment become everybody's
	$(BIN)/python -m pip freeze --exclude-editable --exclude antinomy | sed -e 's/+cpu$$//' > requirements.lock

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Antinomy needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed-run: pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) --editable .
	$(MODELS)
	@touch $@

$(VENV)/installed-test: pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) --editable '.[test]'
	$(MODELS)
	@touch $@ $(VENV)/installed-run

$(VENV)/installed-bundle: pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) --editable '.[test,bundle,write]'
	$(MODELS)
	@touch $@ $(VENV)/installed-run $(VENV)/installed-test

clean:                                     ## forget everything that can be made again
	rm -rf $(VENV) build dist bench-out *.egg-info
