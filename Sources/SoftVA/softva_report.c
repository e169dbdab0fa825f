// SPDX-License-Identifier: MIT
#include "softva_report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 256

typedef struct {
    softva_count_kind kind;
    size_t count;
    char text[240];
} Line;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t counts[4];
static Line lines[MAX_LINES];  // lines past the last are counted and not kept
static size_t line_count;

void sv_report(softva_count_kind kind, const char *subject, const char *format, ...) {
    char text[sizeof lines[0].text];
    int length = snprintf(text, sizeof text, "%s: ", subject);
    va_list arguments;
    va_start(arguments, format);
    if (length >= 0 && (size_t)length < sizeof text) vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);

    pthread_mutex_lock(&lock);
    counts[kind]++;
    size_t i = 0;
    while (i < line_count && (lines[i].kind != kind || strcmp(lines[i].text, text) != 0)) i++;
    if (i < line_count) {
        lines[i].count++;
    } else if (line_count < MAX_LINES && kind != SOFTVA_PICTURES) {
        lines[line_count].kind = kind;
        lines[line_count].count = 1;
        memcpy(lines[line_count++].text, text, sizeof text);
    }
    pthread_mutex_unlock(&lock);
}

size_t softva_count(softva_count_kind kind) {
    if ((unsigned)kind >= sizeof counts / sizeof *counts) return 0;
    pthread_mutex_lock(&lock);
    size_t count = counts[kind];
    pthread_mutex_unlock(&lock);
    return count;
}

static const char *kind_name(softva_count_kind kind) {
    switch (kind) {
        case SOFTVA_VIOLATIONS: return "violation";
        case SOFTVA_MISUSES: return "misuse";
        case SOFTVA_LEAKS: return "leak";
        default: return "pictures";
    }
}

size_t softva_report(char *text, size_t capacity) {
    pthread_mutex_lock(&lock);
    size_t length = 0;
    if (capacity > 0) text[0] = 0;
    for (size_t i = 0; i < line_count; i++) {
        char *rest = length < capacity ? text + length : NULL;
        const Line *line = &lines[i];
        int more = snprintf(rest, rest ? capacity - length : 0, "%s %s (%zu)\n", kind_name(line->kind), line->text,
                            line->count);
        length += more > 0 ? (size_t)more : 0;
    }
    pthread_mutex_unlock(&lock);
    return length;
}

void softva_reset(void) {
    pthread_mutex_lock(&lock);
    memset(counts, 0, sizeof counts);
    line_count = 0;
    pthread_mutex_unlock(&lock);
}

void sv_report_write(void) {
    const char *path = getenv("SOFTVA_REPORT");
    if (!path) return;
    size_t length = softva_report(NULL, 0);
    char *text = malloc(length + 1);
    FILE *file = text ? fopen(path, "a") : NULL;
    if (file) {
        softva_report(text, length + 1);
        fprintf(file, "%spictures %zu\n", text, softva_count(SOFTVA_PICTURES));
        fclose(file);
        softva_reset();
    }
    free(text);
}
