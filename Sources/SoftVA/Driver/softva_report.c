// SPDX-License-Identifier: MIT
#include "softva_report.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINES 256
#define KINDS (SOFTVA_FAULTS + 1)

typedef struct {
    softva_count_kind kind;
    size_t count, written;  // `written`: of them to the file that SOFTVA_REPORT names
    char text[240];
} Line;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t counts[KINDS], pictures_written;
static Line lines[MAX_LINES];
static size_t line_count;
static Line others = {.text = "others: no room for more lines"};

/// Whether two texts are the same but for their numbers.
static bool is_alike(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        if (!isdigit((unsigned char)*a) || !isdigit((unsigned char)*b)) {
            if (*a != *b) return false;
            continue;
        }
        // Hexadecimal numbers have an x and letters.
        while (isxdigit((unsigned char)a[1]) || a[1] == 'x') a++;
        while (isxdigit((unsigned char)b[1]) || b[1] == 'x') b++;
    }
    return *a == *b;
}

/// The line that counts `text`; the first of its kind keeps its numbers.
static Line *line_of(softva_count_kind kind, const char *text) {
    for (size_t i = 0; i < line_count; i++) {
        if (lines[i].kind != kind) continue;
        if (kind == SOFTVA_FAULTS ? strcmp(lines[i].text, text) == 0 : is_alike(lines[i].text, text)) return &lines[i];
    }
    if (line_count == MAX_LINES) return &others;
    Line *line = &lines[line_count++];
    *line = (Line){.kind = kind};
    memcpy(line->text, text, sizeof line->text);
    return line;
}

void sv_report(softva_count_kind kind, const char *subject, const char *format, ...) {
    char text[sizeof lines[0].text];
    int length = snprintf(text, sizeof text, "%s: ", subject);
    va_list arguments;
    va_start(arguments, format);
    if (length >= 0 && (size_t)length < sizeof text) vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);

    pthread_mutex_lock(&lock);
    counts[kind]++;
    if (kind != SOFTVA_PICTURES) line_of(kind, text)->count++;
    pthread_mutex_unlock(&lock);
}

size_t softva_count(softva_count_kind kind) {
    if (kind == SOFTVA_OBJECTS) return sv_objects_alive();
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
        case SOFTVA_FAULTS: return "fault";
        default: return "pictures";
    }
}

/// The line of the report at `index`, NULL behind the last.
static Line *line_at(size_t index) {
    if (index < line_count) return &lines[index];
    return index == line_count && others.count > 0 ? &others : NULL;
}

size_t softva_report(char *text, size_t capacity) {
    pthread_mutex_lock(&lock);
    size_t length = 0;
    if (capacity > 0) text[0] = 0;
    const Line *line;
    for (size_t i = 0; (line = line_at(i)); i++) {
        char *rest = length < capacity ? text + length : NULL;
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
    line_count = pictures_written = 0;
    others.count = others.written = 0;
    pthread_mutex_unlock(&lock);
}

void sv_report_write(const char *personality) {
    const char *path = getenv("SOFTVA_REPORT");
    if (!path) return;
    FILE *file = fopen(path, "a");
    if (!file) {
        fprintf(stderr, "softva: SOFTVA_REPORT %s: %s\n", path, strerror(errno));
        return;
    }
    pthread_mutex_lock(&lock);
    Line *line;
    for (size_t i = 0; (line = line_at(i)); i++) {
        if (line->count > line->written) {
            fprintf(file, "%s %s (%zu)\n", kind_name(line->kind), line->text, line->count - line->written);
        }
        line->written = line->count;
    }
    fprintf(file, "pictures %zu, %s, process %ld\n", counts[SOFTVA_PICTURES] - pictures_written, personality,
            (long)getpid());
    pictures_written = counts[SOFTVA_PICTURES];
    pthread_mutex_unlock(&lock);
    fclose(file);
}
