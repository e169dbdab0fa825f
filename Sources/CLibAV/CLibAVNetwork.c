// SPDX-License-Identifier: MIT
#include "CLibAVNetwork.h"

#include "CLibAV.h"
#include "Libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CLibAVNetwork functions;

static void ignore_srt(void *owner, int level, const char *file, int line, const char *area, const char *message) {
    (void)owner, (void)level, (void)file, (void)line, (void)area, (void)message;
}

// libsrt logs to standard error, also what it was given as address. libavformat has loaded it where it can use it.
static void silence_srt(void) {
    void *handle = open_srt();
    typedef void Handler(void *, int, const char *, int, const char *, const char *);
    void (*set)(void *, Handler *) = handle ? (void (*)(void *, Handler *))dlsym(handle, "srt_setloghandler") : NULL;
    if (set)
        set(NULL, ignore_srt);
}

static bool fill(Failure *failure) {
    static const Library avformat = LIBRARY(avformat, AVFORMAT);
    const Library *library = &avformat;
    void *handle = clibav_load(failure->text, sizeof failure->text) ? open_library(library, failure) : NULL;
    if (!handle)
        return false;
#define FILL(unused, name) FILL_MEMBER(functions, name)
    CLIBAV_NETWORK_FUNCTIONS(FILL)
#undef FILL
    silence_srt();
    return true;
}

DEFINE_ACCESSOR(clibav_load_network, CLibAVNetwork, functions, fill)

struct CLibAVLines {
    size_t length;
    size_t steps_length;
    char text[2048];
    char steps[2048];
};

static _Thread_local CLibAVLines *kept_lines;

CLibAVLines *clibav_make_lines(void) { return calloc(1, sizeof(CLibAVLines)); }

void clibav_clear_lines(CLibAVLines *lines) {
    if (!lines)
        return;
    lines->length = lines->steps_length = 0;
    lines->text[0] = lines->steps[0] = 0;
}

void clibav_keep_lines(CLibAVLines *lines) { kept_lines = lines; }

const char *clibav_errors(const CLibAVLines *lines) { return lines ? lines->text : ""; }

const char *clibav_steps(const CLibAVLines *lines) { return lines ? lines->steps : ""; }

static void append(char *text, size_t size, size_t *length, const char *format, va_list arguments) {
    if (*length + 2 >= size)
        return;
    size_t room = size - *length - 1;
    int written = vsnprintf(text + *length, room, format, arguments);
    if (written <= 0)
        return;
    *length += (size_t)written < room ? (size_t)written : room - 1;
    if (text[*length - 1] != '\n')
        text[(*length)++] = '\n';
    text[*length] = 0;
}

// Copies a format as it is.
static void append_format(CLibAVLines *lines, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(lines->steps, sizeof lines->steps, &lines->steps_length, format, arguments);
    va_end(arguments);
}

bool keeps_lines(void) { return kept_lines != NULL; }

void keep_line(int level, const char *format, va_list arguments) {
    CLibAVLines *lines = kept_lines;
    if (!lines)
        return;
    if (level <= AV_LOG_ERROR)
        append(lines->text, sizeof lines->text, &lines->length, format, arguments);
    else if (level <= AV_LOG_DEBUG)
        append_format(lines, "%s", format);
}
