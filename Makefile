# A thin front for people: every recipe is a line or two of CMake, CTest or a
# script in scripts/. `make help` lists the targets.

PREFIX       ?= /usr/local
JOBS         ?= $(shell nproc)
FUZZ_SECONDS ?= 600

# CMake is not told about this make's own flags: it makes its own parallel build.
CMAKE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
CTEST := ctest -j $(JOBS)

# What was compiled before is taken from ccache where that is installed; it is never needed. An
# empty CMAKE_C_COMPILER_LAUNCHER does without.
CCACHE := $(shell command -v ccache)
ifneq ($(CCACHE),)
export CMAKE_C_COMPILER_LAUNCHER ?= $(CCACHE)
endif

# $(call built,PRESET): configure once, then build with all cores: library and
# command; $(call built,PRESET,tests): these and the tests' programs. CMake
# configures again by itself when its files or the list of sources change.
define built
@test -f build/$(1)/CMakeCache.txt || $(CMAKE) --preset $(1)
@$(CMAKE) --build --preset $(1) --parallel $(JOBS) $(if $(2),--target all $(2))
endef

.DEFAULT_GOAL := help
.PHONY: help setup build debug test demo bench bench-onednn peers install uninstall clang asan test-asan \
        test-ubsan test-tsan valgrind fuzz starve format analyze lint clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  variables: JOBS=$(JOBS) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) FUZZ_SECONDS=$(FUZZ_SECONDS)"

setup: ## install what building and testing need and is missing (Debian packages)
	@scripts/setup

build: setup ## build the library and the command into build/release
	$(call built,release)

debug: setup ## the same for a debugger, into build/debug
	$(call built,debug)

demo: build ## build, then fit blankets to generated data; ends with a table and a report
	build/release/zeroflow demo

test: setup ## build, then run every test
	$(call built,release,tests)
	$(CTEST) --preset release

bench: build ## measure the kernels against this machine's peak
	build/release/zeroflow bench

bench-onednn: build ## our convolutions beside oneDNN's (installs oneDNN)
	@scripts/setup --bench
	@$(CMAKE) -D ZF_BENCH=ON build/release > /dev/null
	@$(CMAKE) --build build/release --target conv_onednn
	build/release/bench/conv_onednn

peers: build ## the same networks in PyTorch, side by side (installs PyTorch)
	bench/peers/run

install: build ## install library, headers, command and man page under PREFIX
	@$(CMAKE) -D CMAKE_INSTALL_PREFIX=$(PREFIX) build/release > /dev/null
	DESTDIR=$(DESTDIR) $(CMAKE) --install build/release

uninstall: ## remove what the last install put there
	@test -f build/release/install_manifest.txt || { echo "nothing was installed from here"; exit 1; }
	sed 's|^|$(DESTDIR)|' build/release/install_manifest.txt | xargs -d '\n' rm -fv

clang: setup ## build all with clang, where a warning is an error
	@scripts/setup --clang
	$(call built,clang,tests)

asan: setup ## build with the address and undefined-behaviour sanitizers
	$(call built,asan)

test-asan: setup ## every test under them, leaks included
	$(call built,asan,tests)
	$(CTEST) --preset asan

test-ubsan: setup ## every test under the undefined-behaviour sanitizer alone
	$(call built,ubsan,tests)
	$(CTEST) --preset ubsan

# The thread sanitizer of older compilers cannot live with a fully random
# address space, so it is given a fixed one.
test-tsan: setup ## every test under the thread sanitizer
	$(call built,tsan,tests)
	setarch -R $(CTEST) --preset tsan

valgrind: ## unit tests under valgrind, leaks included
	@scripts/setup --valgrind
	$(call built,debug,tests)
	scripts/valgrind build/debug

fuzz: ## every fuzz target for FUZZ_SECONDS, with clang
	@scripts/setup --fuzz
	$(call built,fuzz)
	scripts/fuzz build/fuzz $(FUZZ_SECONDS)

starve: setup ## every command with each of its allocations refused, one at a time
	$(call built,release,tests)
	tests/starve/run build/release/zeroflow build/release/tests/libstarve.so --jobs $(JOBS) --list

format: ## rewrite the C sources in house style
	@scripts/setup --lint
	scripts/format

lint: ## check style, static analysis, includes, sizes
	@scripts/setup --lint
	scripts/lint

clean: ## remove build/
	rm -rf build
