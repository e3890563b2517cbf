# make run      builds the editor and renders the example's movie
# make test     builds and runs all tests
# make examples builds and tests the example module
# make bench    measures speed and memory
# make docs     writes the reference in docs; make reference makes pages of the doc comments
# make install  installs the editor under PREFIX (default /usr/local)
# make format   lays out the Swift sources; make lint only checks them

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PREFIX ?= /usr/local
DESTDIR ?=

swift := $(or $(shell scripts/find-swift.sh),swift)
editor := .build/release/editor
example := Examples/first
movie := $(example)/out/first.mp4
swift_files := Package.swift Sources Tests Benchmarks $(wildcard Examples/*/Package.swift Examples/*/Sources Examples/*/Tests)

# Tests have a build folder of their own: warnings are errors there and internals are visible, so sharing one would
# compile everything anew at each change between run and test. Release, because the tests render real movies.
test_build := .build/tests
test_editor := $(test_build)/release/editor

# Real media and acceptance cases, where they lie beside the project, are used by tests that know of them.
shared := $(wildcard ../shared)
test_environment := EDITOR_STRICT=1 EDITOR_BIN=$(abspath $(test_editor)) \
    $(if $(shared),EDITOR_CORPUS=$(abspath $(shared)/corpus) EDITOR_CASES=$(abspath $(shared)/cases))

.PHONY: run build test examples cases bench docs reference install uninstall format lint media bootstrap clean

run: build media
	mkdir -p $(dir $(movie))
	$(editor) --config $(example)/cfg.json run --overwrite --output $(movie)

build: bootstrap
	$(swift) build --configuration release --product editor

test: bootstrap lint
	$(test_environment) $(swift) test --configuration release --scratch-path $(test_build)

# The example module and the skeletons of new modules, each with its own tests.
examples: bootstrap media
	scripts/check-examples.sh

# The acceptance cases beside the project, with the binary that the tests used. Those that may still fail are listed in
# a file of the project, which only shrinks.
cases:
	../shared/cases/run --editor $(test_editor) --expected-failures Tests/expected-failures.txt

bench: build
	Benchmarks/compose.py --editor $(editor) --folder .build/bench
	Benchmarks/foreign.py --editor $(editor) --folder .build/bench
	Benchmarks/filmstrip.py --editor $(editor) --folder .build/bench
	$(swift) build --configuration release --product filter-times
	Benchmarks/filters.py --times .build/release/filter-times --folder .build/bench
	Benchmarks/overlays.py --editor $(editor) --folder .build/bench

# The reference, from the declarations of the parameters. A test compares it.
docs: build
	mkdir -p docs
	$(editor) schema --markdown config > docs/config.md
	$(editor) schema --markdown effects > docs/effects.md

# The compiled interface of EditorCore goes along: `editor effects build` compiles modules against it.
install: build
	install -D --mode=755 $(editor) $(DESTDIR)$(PREFIX)/bin/editor
	install -D --mode=644 $(dir $(editor))Modules/EditorCore.swiftmodule \
	    $(DESTDIR)$(PREFIX)/lib/editor/EditorCore.swiftmodule

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/editor $(DESTDIR)$(PREFIX)/lib/editor/EditorCore.swiftmodule

# Pages from the doc comments of what effect modules import, by the DocC that comes with Swift.
# They lie where the compiler's own files do, which need not be where the command `swift` is.
reference: tools = $(shell $(swift) -print-target-info | sed -n 's|^ *"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p')
reference: build
	rm -rf .build/reference .build/symbols && mkdir -p .build/symbols
	$(tools)/swift-symbolgraph-extract -module-name EditorCore -I .build/release/Modules \
	    -target $$($(swift) -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p') \
	    -minimum-access-level public -output-dir .build/symbols
	$(tools)/docc convert docs/EditorCore.docc --additional-symbol-graph-dir .build/symbols \
	    --fallback-display-name EditorCore --fallback-bundle-identifier editor.core \
	    --output-path .build/reference >.build/reference.log
	@echo .build/reference/documentation/editorcore/index.html

format:
	$(swift) format format --in-place --recursive --parallel $(swift_files)

lint:
	$(swift) format lint --strict --recursive --parallel $(swift_files)

media: $(example)/media/.made

$(example)/media/.made: $(example)/make-media.sh $(wildcard $(example)/drawing/*.py) | bootstrap
	$(example)/make-media.sh $(@D)
	touch $@

bootstrap:
	@scripts/bootstrap.sh

clean:
	rm -rf .build $(example)/media $(example)/out
