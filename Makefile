PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
# One retry: where the page of CPU wheels cannot be reached, pip goes on without it at once.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1

.PHONY: run test lint bench load pictures fuzz proxy

run: .venv/run
	@$(BIN)/python -c "from streamlit.net_util import get_internal_ip as ip; \
	print('Residual Lab: http://localhost:$(PORT), in the same network http://%s:$(PORT)' % ip())"
	$(BIN)/streamlit run dashboard.py --server.port=$(PORT)

# Two at a time, except where a server and a browser need both cores.
test: .venv/test
	$(BIN)/python -m tests.e2e.browser
	$(BIN)/python -m pytest -n 2 --dist loadfile --ignore tests/e2e
	$(BIN)/python -m pytest tests/e2e

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

bench: .venv/test
	$(BIN)/python -m tests.e2e.browser
	$(BIN)/python -m tests.bench

load: .venv/test
	$(BIN)/python -m tests.e2e.load

# make fuzz SECONDS=600 SEED=7: without a seed it takes one and says which.
fuzz: .venv/test
	$(BIN)/python -m tests.e2e.fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

proxy: .venv/test
	$(BIN)/python -m tests.e2e.browser
	$(BIN)/python -m tests.e2e.proxy

pictures: .venv/test
	$(BIN)/python -m tests.e2e.pictures

.venv/run: requirements.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) -r requirements.txt
	touch $@

.venv/test: tests/requirements.txt .venv/run
	$(INSTALL) -r tests/requirements.txt
	touch $@
