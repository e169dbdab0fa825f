# SPDX-License-Identifier: MIT
# Builds softva, the VA-API driver, and with `all` the programs that test it, which are linked to the driver.
#
#   make -f dev/softva.mk [OUT=folder] [SANITIZE=address,undefined] [CC=clang] [all | .../streams]
OUT := .build/softva
CC := gcc
folders := $(addprefix Sources/SoftVA/,Driver Coding H264 HEVC Checks Personalities)
flags := -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -ISources/SoftVA/include -ITests/SoftVAHarness/include
flags += $(addprefix -I,$(folders))
ifdef SANITIZE
# With sanitizers gcc guesses wrong bounds for what snprintf() writes; clang has no warning of that name.
flags += -Wno-unknown-warning-option -Wno-format-truncation -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

vpath %.c $(folders) Tests/SoftVAClient Tests/SoftVAHarness
objects = $(patsubst %.c,$(OUT)/objects/%.o,$(notdir $(wildcard $(1))))
driver := $(OUT)/softva_drv_video.so
driver_objects := $(call objects,$(addsuffix /*.c,$(folders)))
client_objects := $(call objects,Tests/SoftVAClient/client*.c Tests/SoftVAClient/decode.c) $(OUT)/objects/openh264_decode.o
programs := $(addprefix $(OUT)/,contract mutations fuzz bench openh264_yuv)

$(driver): $(driver_objects)
	$(CC) $(flags) -shared -Wl,-z,defs,-soname,$(@F) -o $@ $^ -pthread -lm

.PHONY: all
all: $(driver) $(programs)

$(programs): $(OUT)/%: $(OUT)/objects/%.o $(client_objects) $(driver)
	$(CC) $(flags) -o $@ $^ -Wl,-rpath,'$$ORIGIN' -lva -lavcodec -lavutil -lde265 -pthread -lm
$(OUT)/contract: $(call objects,Tests/SoftVAClient/contract_*.c)

# Needs no library that is not built here, as the memory sanitizer wants it.
$(OUT)/streams: $(OUT)/objects/streams.o $(filter-out %/openh264_decode.o,$(call objects,Tests/SoftVAHarness/*.c)) $(driver_objects)
	$(CC) $(flags) -o $@ $^ -pthread -lm

$(driver_objects): flags += -fPIC -fvisibility=hidden
$(OUT)/objects/%.o: %.c dev/softva.mk
	@mkdir -p $(@D)
	$(CC) $(flags) -MMD -MP -c -o $@ $<

# What an earlier build was made of may have moved to another folder, from where it is built anew.
Sources/SoftVA/%.c: ;

-include $(wildcard $(OUT)/objects/*.d)
