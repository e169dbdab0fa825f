# SPDX-License-Identifier: MIT
# Builds i915-shim.so, which stands in for the kernel's i915 device in programs that are started with it in LD_PRELOAD.
#
#   make -f dev/i915-shim.mk [OUT=folder]
OUT := .build/i915-shim
CC := gcc
flags := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -fPIC -fvisibility=hidden
# The functions that _FORTIFY_SOURCE would put in place of others are among those defined here.
flags += -U_FORTIFY_SOURCE
# The headers of libdrm name each other without their folder.
flags += -isystem /usr/include/libdrm

vpath %.c Tests/I915Shim
objects := $(patsubst %.c,$(OUT)/%.o,$(notdir $(wildcard Tests/I915Shim/*.c)))

$(OUT)/i915-shim.so: $(objects)
	$(CC) $(flags) -shared -Wl,-z,defs -o $@ $^ -pthread

$(OUT)/%.o: %.c dev/i915-shim.mk
	@mkdir -p $(OUT)
	$(CC) $(flags) -MMD -MP -c -o $@ $<

-include $(wildcard $(OUT)/*.d)
