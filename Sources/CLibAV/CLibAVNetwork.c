// SPDX-License-Identifier: MIT
#include "CLibAVNetwork.h"

#include "CLibAV.h"
#include "Libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const Library library = LIBRARY(avformat, AVFORMAT);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static CLibAVNetwork functions;
static bool is_loaded;
static Failure failure;

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

static void load_once(void) {
    if (!clibav_load(failure.text, sizeof failure.text))
        return;
    void *handle = open_library(&library, &failure);
    if (!handle)
        return;
#define LOAD(unused, name)                                                                          \
    functions.name = (__typeof__(functions.name))find_function(handle, #name, &library, &failure); \
    if (!functions.name)                                                                            \
        return;
    CLIBAV_NETWORK_FUNCTIONS(LOAD)
#undef LOAD
    silence_srt();
    is_loaded = true;
}

const CLibAVNetwork *clibav_load_network(char *reason, size_t size) {
    pthread_once(&once, load_once);
    if (is_loaded)
        return &functions;
    snprintf(reason, size, "%s", failure.text);
    return NULL;
}

static _Thread_local CLibAVLines *kept_lines;

void clibav_keep_lines(CLibAVLines *lines) { kept_lines = lines; }

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

void keep_line(int level, const char *format, va_list arguments) {
    CLibAVLines *lines = kept_lines;
    if (!lines)
        return;
    if (level <= AV_LOG_ERROR)
        append(lines->text, sizeof lines->text, &lines->length, format, arguments);
    else if (level <= AV_LOG_DEBUG)
        append_format(lines, "%s", format);
}
