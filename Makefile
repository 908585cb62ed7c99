# The same commands for people and for CI. `make play` and `make test` need nothing but
# Python 3.11 or newer, make and a C compiler; everything else is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin

# Where this is set, each of the hundreds of processes that the tests start would compile all that it
# imports once more.
export PYTHONDONTWRITEBYTECODE :=

KERNEL := $(wildcard src/dalapapa/kernel/*.py src/dalapapa/kernel/*.pxd)

WEB := web/index.html web/package-lock.json $(wildcard web/*.mjs) \
	$(shell find web/src web/public -type f)

.PHONY: play engine test checked .checked-python .checked-web .browsers coverage pictures test-all test-hostile lint lint-python \
	lint-web bench soak figures screenshots docs site pages ladder lock clean

# With the engine for browsers, if `make engine` has built it: pages then offer tables on the device.
play: .stamps/kernel .stamps/web
	DALAPAPA_ENGINE=$(CURDIR)/build/edition/engine $(BIN)/dalapapa play $(ARGS)

# Keep the lines of targets that run at the same time together. Where /tmp cannot be written to, make 4.3
# crashes with this option.
SYNC := $(shell test -w /tmp && echo --output-sync=target)

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

# Missing browsers are installed at the same time, where that is possible: Playwright, one of the
# development packages, downloads them without root.
test: .stamps/venv
	@$(MAKE) --no-print-directory -j3 $(SYNC) .checked-python .checked-web .browsers
	$(PYTEST) $(ARGS)

.browsers: .stamps/dev
	$(BIN)/python -m tests.support.browser.provision

# Whatever is known without running the game: Python and the client side by side, from the first
# package on.
checked: .stamps/venv
	@$(MAKE) --no-print-directory -j2 $(SYNC) .checked-python .checked-web

.checked-python: lint-python .stamps/kernel

.checked-web: .stamps/web lint-web
	$(BIN)/python scripts/build_web.py node test.mjs

# The same tests as `make test`, counting the lines that they run, which takes twice as long.
coverage: .stamps/dev .stamps/kernel .stamps/web
	rm -f .coverage .coverage.*
	$(PYTEST) --cov --cov-report= $(ARGS)
	$(BIN)/coverage report

# Every page in four looks, to look at: build/screenshots.
pictures: .stamps/dev .stamps/kernel .stamps/web
	PICTURES=1 $(PYTEST) tests/browser/test_rooms.py $(ARGS)

# Everything, with what is slow and seldom fails, and many more examples by chance. Without counting
# lines, which takes twice as long: `HYPOTHESIS_PROFILE=thorough make coverage` does both.
test-all: checked .stamps/docs .browsers engine
	HYPOTHESIS_PROFILE=thorough $(PYTEST) $(ARGS)

# The fast tests at awkward times, in random order, in an awkward folder, without root.
test-hostile: .stamps/hostile
	$(BIN)/python scripts/test_hostile.py $(ARGS)

lint: lint-python lint-web

lint-python: .stamps/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python scripts/check_words.py
	$(BIN)/mypy

# After .stamps/web, which installs what it needs.
lint-web: .stamps/web
	$(BIN)/python scripts/build_web.py npx tsc
	$(BIN)/python scripts/build_web.py npx tsc -p engine
	$(BIN)/python scripts/build_web.py npx biome ci --error-on-warnings --colors=off

# The engine for browsers, as static files with a manifest: build/edition/engine.
ENGINE := $(wildcard web/engine/*.mjs web/engine/*.ts web/engine/*.json scripts/engine/*.py) \
	$(shell find src/dalapapa \( -path '*/web' -o -path '*/server' -o -path '*/cli' \) -prune -o \
	  \( -name '*.py' -o -name '*.pxd' -o -name '*.json' \) -print)
engine: build/edition/engine/manifest.json

build/edition/engine/manifest.json: scripts/build_engine.py pyproject.toml $(ENGINE) | .stamps/engine
	$(BIN)/python scripts/build_engine.py

bench: .stamps/bench .stamps/kernel .stamps/web
	$(BIN)/python -m benchmarks $(ARGS)

# Kills, full disks, wrong clocks and liars for an hour (ARGS="--minutes 10"), and what came of it.
soak: .stamps/dev .stamps/kernel .stamps/web
	$(BIN)/python -m benchmarks.soak $(ARGS)

# The figures of README and docs, drawn from the positions of scenarios and README.
figures: .stamps/kernel
	$(BIN)/python scripts/draw_figures.py

# The animation and the screenshots of README and docs, taken in Chromium.
screenshots: .stamps/dev .stamps/kernel .stamps/web
	$(BIN)/python scripts/make_animation.py
	$(BIN)/python scripts/take_screenshots.py
	$(BIN)/python scripts/draw_paper.py

# The documentation: pages made from the code, and all of it as a site (build/site/index.html).
docs: pages
	$(BIN)/python scripts/build_site.py

# The static edition for any web host, with the documentation: build/edition.
site: engine docs .stamps/web
	$(BIN)/python scripts/build_edition.py

# The pages of docs that are made from the code, and what the browser client knows beforehand.
pages: .stamps/kernel .stamps/docs
	$(BIN)/python scripts/write_games.py
	$(BIN)/python scripts/write_protocol.py
	$(BIN)/python scripts/write_ladder.py
	$(BIN)/python scripts/write_environments.py
	$(BIN)/python scripts/write_protocol_types.py
	$(BIN)/python scripts/write_web_data.py
	$(BIN)/python scripts/write_web_cases.py
	$(BIN)/python scripts/write_alone_cases.py

# How strong the levels are in all games, or in those of GAMES="classic gone": minutes for each.
GAMES ?= all
ladder: .stamps/kernel
	$(BIN)/python scripts/write_ladder.py $(GAMES)
	$(BIN)/python scripts/write_web_data.py

# Exact versions and hashes of everything that is installed, with no address in them.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate pyproject.toml
PLAY := --extra fleet --extra notify --extra print --group build
lock: .stamps/venv
	$(BIN)/pip install --quiet uv
	$(LOCK) $(PLAY) -o requirements/run.lock $(ARGS)
	$(LOCK) $(PLAY) --extra rl --group dev -o requirements/dev.lock $(ARGS)
	$(LOCK) $(PLAY) --group bench -c requirements/dev.lock -o requirements/bench.lock $(ARGS)
	$(LOCK) $(PLAY) --extra rl --group docs --group deploy -c requirements/dev.lock -o requirements/docs.lock $(ARGS)
	$(LOCK) --group engine -c requirements/run.lock -o requirements/engine.lock $(ARGS)
	$(LOCK) $(PLAY) --group hostile -c requirements/dev.lock -o requirements/hostile.lock $(ARGS)

.stamps/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Dalapapa needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	@mkdir -p .stamps && touch $@

# A lock file names all that is needed, so pip need not look for more; and most of what is installed is
# never imported, so it is compiled when it is.
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-compile

.stamps/run: requirements/run.lock | .stamps/venv
	$(INSTALL) --require-hashes -r $<
	@touch $@

.stamps/dev .stamps/bench .stamps/docs .stamps/engine .stamps/hostile: .stamps/%: requirements/%.lock .stamps/run
	$(INSTALL) --require-hashes -r $<
	@touch $@

.stamps/kernel: .stamps/run pyproject.toml setup.py $(KERNEL)
	$(INSTALL) --no-build-isolation -e .
	@touch $@

# The browser client, built into the package by the Node.js of requirements/run.lock.
.stamps/web: .stamps/run scripts/build_web.py $(WEB)
	$(BIN)/python scripts/build_web.py
	@touch $@

clean:
	rm -rf .venv .stamps .cache build dist src/*.egg-info src/dalapapa/kernel/*.so src/dalapapa/web \
	  web/node_modules web/engine/node_modules
