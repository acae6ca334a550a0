# One command file: people and CI call the same targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := .venv-peers
COMPILED := build/compiled
SPARK_STAMP := $(VENV)/.installed-spark
SDK_STAMP := sdk/node_modules/.installed
KERNEL_STAMP := build/.compiled
PEERS_LOCKS := requirements/peers.lock requirements/peers-refused.lock
PEERS_STAMP := $(PEERS)/.installed
UV_COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate

.PHONY: help setup programs programs-slow pyspark sdk sdk-audit sdk-cost sbom demo demo-check simulate test test-slow test-long test-crash test-crash-shared test-attack load load-shared shared-lists scale endurance check format docs bench accuracy cold coverage people flat distribution plan-check structures strings hints forgery audit reproduce tallies demo-spark spark lock clean
help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

setup: $(STAMP)  ## make .venv with pinned, hashed requirements and the command .venv/bin/hgldp
$(STAMP): pyproject.toml requirements/dev.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hgldp needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# $(call install,program:package …): Debian's packages of the programs that are missing, as root with apt-get. The tests
# that need a missing program are skipped with one line; on CI nothing may be missing.
define install
@missing=; for pair in $(1); do command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; done; \
if [ -z "$$missing" ]; then exit 0; fi; \
if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y -qq --no-install-recommends $$missing >/dev/null && exit 0; fi; \
echo "These could not be installed, and the tests that need them are skipped:$$missing"; [ "$$CI" != true ]
endef

programs:  ## Chromium, Node and PostgreSQL for `make test`, where they may be installed (root with apt-get)
	$(call install,chromium:chromium chromedriver:chromium-driver node:nodejs npm:npm psql:postgresql pgbouncer:pgbouncer)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(SDK_STAMP); fi

programs-slow: programs $(STAMP)  ## proxies, shells, pyspark and what checks deploy/ for `make test-slow`, likewise
	$(call install,bwrap:bubblewrap promtool:prometheus caddy:caddy nginx:nginx systemd-analyze:systemd zsh:zsh fish:fish)
	@$(MAKE) --no-print-directory pyspark

pyspark: $(STAMP)  ## Java and pyspark, likewise
	$(call install,java:openjdk-17-jre-headless)
	@if command -v java >/dev/null; then $(MAKE) --no-print-directory $(SPARK_STAMP); fi

# pip would pack half a gigabyte of Java into a wheel and unpack it again, which takes twice as long as unpacking alone.
$(SPARK_STAMP): requirements/spark.lock | $(STAMP)
	rm -rf build/spark
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-cache-dir --require-hashes --no-deps -d build/spark -r requirements/spark.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps build/spark/py4j-*.whl
	tar -xzf build/spark/pyspark-*.tar.gz -C "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	  --transform='s,^[^/]*/,,;s,^deps/,pyspark/,' --wildcards '*/pyspark/*' '*/deps/jars/*' '*/deps/bin/*'
	rm -rf build/spark
	@touch $@

$(SDK_STAMP): $(foreach folder,sdk examples/react_component,$(folder)/package.json $(folder)/package-lock.json)
	cd sdk && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd examples/react_component && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

sdk: $(SDK_STAMP)  ## check and build the browser scripts, into sdk/dist and for the collector, and print their sizes
	cd sdk && npm run --silent build

sdk-audit: $(STAMP) $(SDK_STAMP)  ## audit the built script: 200,000 reports of each of two items for every scheme
	HGLDP_AUDIT_REPORTS=200000 $(BIN)/python -m pytest -q -rP tests/slow/sdk/test_audit.py

sdk-cost: $(STAMP)  ## reports per second in a page, bytes on the wire, and how long a report or a list blocks the page
	$(BIN)/python -m tests.sdk.cost
	$(BIN)/python -m tests.sdk.cost.lists

sbom: $(STAMP)  ## software bills of materials of the collector and of the browser scripts, into build/sbom
	$(BIN)/python requirements/sbom.py build/sbom

demo: $(STAMP)  ## a collector with its dashboard, 10,000 simulated clients over HTTP, and the truth to compare with
	@$(BIN)/hgldp demo

demo-check: $(STAMP)  ## the same unattended; fails if fewer than 8 of the true top 10 are found
	@$(BIN)/hgldp demo --check

demo-spark: pyspark  ## a small Spark cluster seals epochs of simulated clients; fails if fewer than 8 of the true top 10 are found
	@$(BIN)/python -m benchmarks.spark.demo

simulate: $(STAMP)  ## simulate one stream with every scheme and print what came out
	@$(BIN)/hgldp simulate normal:n=100000,d=1000,sigma=5 --scheme all --epsilon 2 --k 10 --seed 1

check: $(STAMP)  ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports --no-cache

# Tests compile what they import. pip would compile every file of every package first, which takes half a minute.
test test-slow: export PYTHONDONTWRITEBYTECODE :=
test test-slow: export PIP_COMPILE := 0
test test-slow: export HGLDP_COMPILED := $(COMPILED)

# Many tests wait for a server, a browser or a clock: twice as many workers keep two cores busy.
test:  ## the checks and every test that a change needs: ten minutes on two cores
	$(MAKE) --no-print-directory -j2 programs check $(KERNEL_STAMP)
	$(BIN)/python -m pytest -n 4 --dist worksteal --durations 20

test-slow:  ## the tests in tests/slow, which take long and rarely fail: twenty minutes on two cores
	$(MAKE) --no-print-directory -j2 programs-slow $(KERNEL_STAMP)
	$(BIN)/python -m pytest tests/slow -n 4 --dist worksteal --durations 20

# The simulation comes second: half of its machine code is compiled by then.
$(KERNEL_STAMP): $(shell find src/hgldp -name '*.py') | $(STAMP)
	$(BIN)/python -m tests.compiled $(COMPILED)
	@$(BIN)/hgldp simulate normal:n=2000,d=100,sigma=5 --scheme all --epsilon 2 --k 10 >/dev/null
	@touch $@

test-long: $(STAMP)  ## a minute each of generated requests and of hostile bytes, 300 lives of a collector, the quick reproduction
	HGLDP_FUZZ_SECONDS=60 HGLDP_LIVES=300 HGLDP_QUICK=1 $(BIN)/python -m pytest tests/collector/http/test_openapi.py tests/collector/http/test_fuzz.py tests/collector/http/test_hostile_paths.py tests/slow/collector/test_simulation.py tests/cli/commands/test_damaged_folders.py tests/slow/cli/commands/test_reproduce.py

test-crash: $(STAMP)  ## kill collectors, backups and compactions KILLS times and count what was kept
	$(BIN)/python -m tests.slow.collector.crash_loop --kills $(or $(KILLS),25)

test-attack: $(STAMP)  ## every attack on a running collector, with the figures of an honest client beside it
	HGLDP_JUDGE_SPEED=1 $(BIN)/python -m pytest tests/slow/attack -n 0 -s

load: $(STAMP)  ## durable uploads per second compared with an empty handler, batches, latency, memory over ten minutes
	$(BIN)/python -m benchmarks.load

load-shared: $(STAMP)  ## the same with 1, 2 and 4 collectors on one PostgreSQL, beside pgbench's own commits
	$(BIN)/python -m benchmarks.load.shared

scale: $(STAMP)  ## what an upload costs on the shared store, and what 10^9 and 10^11 reports a day need
	$(BIN)/python -m benchmarks.scale

shared-lists: $(STAMP)  ## how good hot lists are on 1, 2 and 4 collectors with one PostgreSQL, beside one with a folder
	$(BIN)/python -m benchmarks.shared_lists

test-crash-shared: $(STAMP)  ## kill four collectors on one PostgreSQL KILLS times, and PostgreSQL 5 times, under load
	$(BIN)/python -m tests.slow.collector.shared.crash_loop --kills $(or $(KILLS),50)

endurance: $(STAMP)  ## 100 million single uploads and a billion reports in batches: start, commits, memory, disk, as charts
	$(BIN)/python -m benchmarks.endurance
	$(BIN)/python -m benchmarks.endurance --reports 1000000000 --batch 4096

format: $(STAMP)  ## let ruff format and sort
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP)  ## the documentation site, strictly, into build/site; python -m http.server -d build/site serves it
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench: $(STAMP) $(PEERS_STAMP)  ## other libraries and ours side by side in one run (build/bench; PASTE=docs/field.md)
	$(BIN)/python -m benchmarks.field --peers $(PEERS) --out build/bench $(if $(PASTE),--paste $(PASTE))

$(PEERS_STAMP): $(PEERS_LOCKS) | $(STAMP)
	$(BIN)/python -m benchmarks.field.environment $(PEERS) $(PEERS_LOCKS)
	@touch $@

spark: pyspark  ## 50 million reports on a Spark cluster while an executor and the driver are killed; rates beside DuckDB
	$(BIN)/python -m benchmarks.spark $(if $(REPORTS),--reports $(REPORTS))

accuracy: $(STAMP)  ## every scheme beside its warm-up and the authors' figures (DATA=folder with real streams)
	$(BIN)/python -m benchmarks.accuracy $(if $(DATA),--data $(DATA))

cold: $(STAMP)  ## pfr in 16 and 48 kB beside OLH and HR, steady and drifting streams (DATA=folder, AGAINST=file of --json)
	$(BIN)/python -m benchmarks.cold --warmup 0.01 $(if $(DATA),--data $(DATA)) $(if $(AGAINST),--against $(AGAINST))

coverage: $(STAMP)  ## how often the published intervals and rank ranges contain the truth, for every scheme and kind of interval
	$(BIN)/python -m benchmarks.coverage

people: $(STAMP)  ## every level at the same ε per person and month: how good the answer is, and what people spend
	$(BIN)/python -m benchmarks.people

flat: $(STAMP)  ## how often a flat stream has no clear top, and a stream with a top has one
	$(BIN)/python -m benchmarks.flat

distribution: $(STAMP)  ## how many items have a share in each decade, beside the truth, and how often the intervals hold (DATA=folder, PASTE=docs/distribution.md)
	$(BIN)/python -m benchmarks.distribution $(if $(DATA),--data $(DATA)) $(if $(PASTE),--paste $(PASTE) --picture docs/figures/distribution.svg)

plan-check: $(STAMP)  ## 30 launches planned, then simulated with other seeds; fails if fewer than 27 plans hold (PASTE=docs/planning.md)
	$(BIN)/python -m benchmarks.planning $(if $(PASTE),--paste $(PASTE) --picture docs/figures/plan-check.svg)

structures: $(STAMP)  ## Space-Saving, Misra-Gries and HeavyKeeper beside HeavyGuardian, at equal bytes (DATA=folder)
	$(BIN)/python -m benchmarks.structures $(if $(DATA),--data $(DATA))

strings: $(STAMP)  ## pfr among strings nobody listed beside PEM, TreeHist and OLH over a list (DATA=folder, PASTE=docs/strings.md)
	$(BIN)/python -m benchmarks.strings contest $(if $(DATA),--data $(DATA)) $(if $(PASTE),--paste $(PASTE) --picture docs/figures/strings-contest.svg)

hints: $(STAMP)  ## pfr among strings with a list of some, good and wrong, beside no list (DATA=folder, PASTE=docs/strings.md)
	$(BIN)/python -m benchmarks.strings.hints $(if $(DATA),--data $(DATA)) $(if $(PASTE),--paste $(PASTE))

tallies: $(STAMP)  ## hgldp tally over a billion reports in Parquet, and a tenth in uploads, beside DuckDB: rate and memory (REPORTS=n)
	$(BIN)/python -m benchmarks.tallies $(if $(REPORTS),--reports $(REPORTS))

forgery: $(STAMP)  ## how far a few forged reports push an item, beside what the schemes state
	$(BIN)/python -m benchmarks.forgery

audit: $(STAMP)  ## audits of every planted mistake and of a hundred seeds of every real scheme, with a million draws each
	$(BIN)/python -m benchmarks.audit

reproduce: $(STAMP)  ## every figure, table and claim of the paper into ./reproduction (DATA=folder with real streams)
	$(BIN)/hgldp reproduce $(if $(DATA),--data $(DATA))

lock: $(STAMP)  ## compile requirements/*.lock from pyproject.toml and requirements/*.in
	$(UV_COMPILE) --extra dev -o requirements/dev.lock pyproject.toml
	$(UV_COMPILE) --extra collector --extra parquet --extra postgres -c requirements/dev.lock -o requirements/collector.lock pyproject.toml
	echo hatchling | $(UV_COMPILE) -c requirements/dev.lock -o requirements/build.lock -
	echo 'pyspark>=4.0,<5' | $(UV_COMPILE) -o requirements/spark.lock -
	$(UV_COMPILE) -o requirements/peers.lock requirements/peers.in
	$(UV_COMPILE) --no-deps -o requirements/peers-refused.lock requirements/peers-refused.in

clean:  ## remove the environments and every cache
	rm -rf $(VENV) $(PEERS) sdk/node_modules examples/react_component/node_modules sdk/dist sdk/build .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
	find . -name __pycache__ -prune -exec rm -rf {} +
