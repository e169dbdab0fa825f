# SPDX-License-Identifier: MIT
# Builds v4l2-shim.so, which stands in for a camera in programs that are started with it in LD_PRELOAD.
#
#   make -f dev/v4l2-shim.mk [OUT=folder]
OUT := .build/v4l2-shim
CC := gcc
flags := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -fPIC -fvisibility=hidden
# The functions that _FORTIFY_SOURCE would put in place of others are among those defined here.
flags += -U_FORTIFY_SOURCE

vpath %.c Tests/V4L2Shim
objects := $(patsubst %.c,$(OUT)/%.o,$(notdir $(wildcard Tests/V4L2Shim/*.c)))

$(OUT)/v4l2-shim.so: $(objects)
	$(CC) $(flags) -shared -Wl,-z,defs -o $@ $^ -pthread

$(OUT)/%.o: %.c dev/v4l2-shim.mk
	@mkdir -p $(OUT)
	$(CC) $(flags) -MMD -MP -c -o $@ $<

-include $(wildcard $(OUT)/*.d)
