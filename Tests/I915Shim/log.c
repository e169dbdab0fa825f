// SPDX-License-Identifier: MIT
#include "log.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "settings.h"

static int log_level;
static FILE *dump;

void shim_log_open(int level, const char *path) {
    log_level = level;
    if (!path) return;
    // The libc call would come back here.
    long file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    dump = file < 0 ? NULL : fdopen((int)file, "a");
    if (!dump) shim_refuse("I915_SHIM_DUMP", path, "a file that can be written");
}

void shim_log(int level, const char *format, ...) {
    if (level > log_level) return;
    char text[1024] = "i915-shim: ";
    const int prefix = 11;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + prefix, sizeof text - prefix, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    length += prefix;
    // One call, so that lines of several threads stay whole.
    if (length > (int)sizeof text - 1) length = sizeof text - 1;
    if (write(STDERR_FILENO, text, (size_t)length) < 0) return;
}

void shim_dump_submission(uint64_t submission, unsigned engine, uint32_t context, unsigned objects) {
    if (!dump) return;
    // As libva's traces tell time.
    struct timeval now;
    gettimeofday(&now, NULL);
    fprintf(dump, "# exec %" PRIu64 " engine %u ctx %" PRIu32 " objects %u time %ld.%06ld\n", submission, engine,
            context, objects, now.tv_sec & 0xffff, now.tv_usec);
}

void shim_dump_object(uint64_t address, uint64_t size) {
    if (dump) fprintf(dump, "# object %" PRIx64 " %" PRIx64 "\n", address, size);
}

static void dump_words(const uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) fprintf(dump, " %08" PRIx32, words[i]);
    fputc('\n', dump);
}

void shim_dump_firmware(uint32_t function, const uint32_t *words, uint32_t count) {
    if (!dump) return;
    fprintf(dump, "# firmware %" PRIu32, function);
    dump_words(words, count);
}

void shim_dump_command(uint64_t submission, int depth, const uint32_t *words, uint32_t count) {
    if (!dump) return;
    fprintf(dump, "%" PRIu64 " %d", submission, depth);
    dump_words(words, count);
}

void shim_dump_flush(void) {
    if (dump) fflush(dump);
}
