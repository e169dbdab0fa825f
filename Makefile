# SPDX-License-Identifier: MIT
# Without a debug build of all tests, what builds from nothing soonest (dev/build-options).
WHOLE = if [ ! -e "$$(dev/build-options | grep -o '[.]build/[^ ]*')/debug" ]; then export ENCODERKIT_WHOLE=$${ENCODERKIT_WHOLE:-1}; fi;

# One target at a time: some tests measure how long something takes.
.NOTPARALLEL:

.PHONY: help bench softva i915-shim test test-setup test-softva test-i915 test-swift test-i915-encoder check sanitize clean

help:
	@echo "make bench      compare x264 and x265 on the bundled clip, after installing what is missing"
	@echo "make softva     build softva_drv_video.so, a VA-API driver that encodes on the CPU, in .build/softva"
	@echo "make i915-shim  build i915-shim.so, with which Intel's VA-API drivers run without a GPU, in .build/i915-shim"
	@echo "make test       run the tests, of what takes long a sixth by turns, after installing what is missing"
	@echo "make check      run the gates a change must pass, tests included"
	@echo "make sanitize   run the tests under the address and the thread sanitizer"
	@echo "make clean      remove everything that was built"

# Without debug information the compiler takes a fifth less processor time, and another tenth less where one run of it
# writes code and module.
bench:
	@dev/setup build
	swift build -c release --product encbench -Xswiftc -gnone -Xswiftc -no-emit-module-separately-wmo
	"$$(swift build -c release --show-bin-path)/encbench"

softva:
	@$(MAKE) -s -j "$$(nproc)" -f dev/softva.mk

i915-shim:
	@$(MAKE) -s -j "$$(nproc)" -f dev/i915-shim.mk

# Targets of their own, so that `--keep-going` runs those behind one that fails.
test: test-softva test-i915 test-swift test-i915-encoder

test-setup:
	@dev/setup build test

test-softva: test-setup
	dev/test-softva

test-i915: test-setup
	dev/test-i915

test-swift: test-setup
	$(WHOLE) dev/test

# Runs the encbench that test-swift has built.
test-i915-encoder: test-setup
	$(WHOLE) dev/test-i915 encoder

check:
	@dev/setup build test check
	dev/check
	dev/test-softva
	dev/test-i915
	dev/test-i915 encoder

sanitize:
	@dev/setup build test
	dev/sanitize address
	dev/sanitize thread
	dev/test-softva sanitize

clean:
	rm -rf .build */.build Compatibility/*/.build Fuzz/*/.build
