# Every target sets up .venv by itself; `make help` lists them.
BIN := .venv/bin
PACKAGE := .venv/.installed
TOOLS := .venv/.installed-tools
# processes that run tests side by side
WORKERS ?= 2
BUILD_INPUTS := pyproject.toml setup.py scripts/install.sh scripts/find_python.sh \
	$(foreach ending,pyx pxd,$(wildcard src/rocwise/kernels/compiled/*.$(ending)))

# In this order and one at a time: a compiler must be there before the installation looks for it.
.NOTPARALLEL:
.PHONY: help demo test slow install format lint types layers docs page bench growth scale study papers paper clean fuzz sanitize pins sbom wheels versions

help:            ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## */\t/' | expand -t 18

demo: $(PACKAGE) ## the main job on built-in data; prints where the report is
	@$(BIN)/rocwise demo

test: .system-packages-checked install lint types layers  ## everything that is checked
	# The same order and examples every time; long files first, which tests/conftest.py sees to.
	# Every worker has a core, so that more threads of its linear algebra would only wait.
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --randomly-seed=1 -m "not slow"

slow: install    ## tests marked slow: peak memory at 10 million rows
	$(BIN)/pytest -m slow

install: $(TOOLS)  ## .venv with rocwise, its extras and the tools, when something changed

$(PACKAGE): $(BUILD_INPUTS)
	@sh scripts/install.sh package
	@touch $@

$(TOOLS): $(PACKAGE)
	@sh scripts/install.sh tools
	@touch $@

.system-packages-checked: scripts/system_packages.sh scripts/system_packages.txt
	@sh scripts/system_packages.sh
	@touch $@

format: install  ## rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: install    ## style and likely mistakes
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: install   ## mypy --strict
	$(BIN)/mypy --num-workers auto

layers: install  ## who may import whom
	$(BIN)/lint-imports

docs: install    ## the pages, in docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

page:            ## build the page of reports and of the studio from frontend/ (needs Node)
	cd frontend && npm ci && npm run check && npm test && npm run build

bench: install   ## rocwise and other packages on the same data; ARGS=--readme writes the table
	sh benchmarks/setup_peers.sh
	OMP_WAIT_POLICY=passive .bench-venv/bin/python -m benchmarks $(ARGS)

scale: install   ## files beyond memory, every engine against Polars and DuckDB; ARGS="--rows 1e7"
	$(BIN)/python -m benchmarks.scale $(ARGS)

growth: install  ## run time and memory by number of rows
	$(BIN)/python -m benchmarks.growth $(ARGS)

study: install   ## simulation studies of coverage, type I error and power: make study NAME=survival; ARGS=--quick
	$(BIN)/python -m studies $(NAME) $(ARGS)

papers: install  ## the papers, run again; goes on where it was; ARGS=--quick changes no page
	$(BIN)/python -m papers $(ARGS)

paper: install   ## one of them: make paper NAME=smroc
	$(BIN)/python -m papers $(NAME) $(ARGS)

fuzz: install    ## spoil every argument, file, column and command line; ARGS="--seed 1 --fresh"
	PYTHONPATH=tests $(BIN)/python -m fuzz $(ARGS)

sanitize: install  ## the tests of the kernels, built with AddressSanitizer and UBSan
	sh scripts/sanitized_kernels.sh $(ARGS)

wheels: install  ## source archive and wheels for the Pythons at hand, tested, in dist/; ARGS=python3.13
	$(BIN)/python scripts/build_wheels.py $(ARGS)

versions: install  ## a wheel with the oldest packages that are allowed, then with the newest
	$(BIN)/python scripts/try_versions.py oldest $(ARGS)
	$(BIN)/python scripts/try_versions.py newest $(ARGS)

pins: install    ## versions and hashes of what builds a release, in requirements/*.txt
	$(BIN)/python scripts/pin_release.py

sbom: install    ## what is inside, as CycloneDX JSON, in build/sbom.json
	@mkdir -p build
	$(BIN)/python scripts/sbom.py build/sbom.json

clean:           ## remove what the other targets made
	rm -rf .venv .bench-venv build docs/_build docs/reference/generated .system-packages-checked
