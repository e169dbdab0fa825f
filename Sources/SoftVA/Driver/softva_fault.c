// SPDX-License-Identifier: MIT
#include "softva_fault.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softva_display.h"
#include "softva_report.h"

#define MAX_RULES 32

typedef struct {
    sv_fault_point point;
    unsigned long first, last;  // calls, counted from 1
    sv_fault fault;
    char text[64];
} Rule;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Rule rules[MAX_RULES];
static size_t rule_count;
static unsigned long calls[SV_AT_COUNT];
static bool was_set;

static const char *const points[SV_AT_COUNT] = {
    "createconfig", "createcontext", "createsurfaces", "createbuffer", "begin", "render",
    "endpicture",   "code",          "sync",           "map",          "derive", "caps",
};

static const struct {
    const char *name;
    sv_fault fault;
} actions[] = {
    {"operation_failed", {SV_STATUS, VA_STATUS_ERROR_OPERATION_FAILED, 0}},
    {"allocation_failed", {SV_STATUS, VA_STATUS_ERROR_ALLOCATION_FAILED, 0}},
    {"invalid_value", {SV_STATUS, VA_STATUS_ERROR_INVALID_VALUE, 0}},
    {"invalid_parameter", {SV_STATUS, VA_STATUS_ERROR_INVALID_PARAMETER, 0}},
    {"invalid_buffer", {SV_STATUS, VA_STATUS_ERROR_INVALID_BUFFER, 0}},
    {"encoding_error", {SV_STATUS, VA_STATUS_ERROR_ENCODING_ERROR, 0}},
    {"hw_busy", {SV_STATUS, VA_STATUS_ERROR_HW_BUSY, 0}},
    {"timeout", {SV_STATUS, VA_STATUS_ERROR_TIMEDOUT, 0}},
    {"out_of_surfaces", {SV_STATUS, VA_STATUS_ERROR_MAX_NUM_EXCEEDED, 0}},
    {"not_enough_buffer", {SV_STATUS, VA_STATUS_ERROR_NOT_ENOUGH_BUFFER, 0}},
    {"unimplemented", {SV_STATUS, VA_STATUS_ERROR_UNIMPLEMENTED, 0}},
    {"lost", {SV_LOST, VA_STATUS_ERROR_OPERATION_FAILED, 0}},
    {"abort", {SV_ABORT, 0, 0}},
    {"poison", {SV_POISON, VA_STATUS_ERROR_ENCODING_ERROR, 0}},
    {"size0", {SV_SIZE_ZERO, 0, 0}},
    {"overflow", {SV_OVERFLOW, 0, 0}},
    {"split", {SV_SPLIT, 0, 0}},
    {"reorder", {SV_REORDER, 0, 0}},
    {"tiled", {SV_TILED, 0, 0}},
    {"lie_create", {SV_LIE_CREATE, 0, 0}},
    {"lie_code", {SV_LIE_CODE, 0, 0}},
};

/// Whether `point` knows what to do with `action`.
static bool fits(sv_fault_point point, sv_fault_action action) {
    switch (action) {
        case SV_NO_FAULT:
        case SV_STATUS: return point != SV_AT_CAPS;
        case SV_LOST:
        case SV_ABORT: return point != SV_AT_CAPS && point != SV_AT_CODE;
        case SV_POISON: return point == SV_AT_END;
        case SV_SIZE_ZERO:
        case SV_OVERFLOW:
        case SV_SPLIT:
        case SV_REORDER: return point == SV_AT_CODE;
        case SV_TILED: return point == SV_AT_DERIVE;
        default: return point == SV_AT_CAPS;
    }
}

/// Reads `+50ms` or the name of an action.
static bool read_action(const char *text, sv_fault *fault) {
    unsigned milliseconds;
    int length = 0;
    bool delays = text[0] == '+' && isdigit((unsigned char)text[1]);
    if (delays && sscanf(text, "+%5ums%n", &milliseconds, &length) == 1 && length > 0 && text[length] == 0) {
        *fault = (sv_fault){SV_NO_FAULT, 0, milliseconds};
        return true;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, text) != 0) continue;
        *fault = actions[i].fault;
        return true;
    }
    return false;
}

/// Reads `point=action`, `point:n=action` (the nth call) or `point:n+=action` (the nth and every later call).
static bool read_rule(const char *text, Rule *rule) {
    const char *equals = strchr(text, '=');
    size_t length = strcspn(text, ":=");
    *rule = (Rule){.first = 1, .last = (unsigned long)-1};
    if (!equals || strlen(text) >= sizeof rule->text) return false;
    strcpy(rule->text, text);
    bool counted = text[length] == ':';
    if (counted) {
        char *end;
        if (!isdigit((unsigned char)text[length + 1])) return false;
        rule->first = strtoul(text + length + 1, &end, 10);
        if (*end == '+') {
            end++;
        } else {
            rule->last = rule->first;
        }
        if (rule->first == 0 || end != equals) return false;
    }
    for (int i = 0; i < SV_AT_COUNT; i++) {
        if (strlen(points[i]) != length || strncmp(points[i], text, length) != 0) continue;
        rule->point = (sv_fault_point)i;
        // What the driver says it can do is not counted.
        if (counted && rule->point == SV_AT_CAPS) return false;
        return read_action(equals + 1, &rule->fault) && fits(rule->point, rule->fault.action);
    }
    return false;
}

/// Replaces the rules; false, without any, if one is not understood, which is then copied to `wrong`.
static bool read_rules(const char *text, char wrong[64]) {
    rule_count = 0;
    memset(calls, 0, sizeof calls);
    char *copy = strdup(text ? text : "");
    bool known = copy != NULL;
    char *position = NULL;
    for (char *word = known ? strtok_r(copy, ", ", &position) : NULL; word; word = strtok_r(NULL, ", ", &position)) {
        if (!known) continue;
        known = rule_count < MAX_RULES && read_rule(word, &rules[rule_count]);
        if (known) rule_count++;
        if (!known) snprintf(wrong, 64, "%s", word);
    }
    free(copy);
    if (!known) rule_count = 0;
    return known;
}

int softva_set_fault(const char *faults) {
    pthread_mutex_lock(&lock);
    char wrong[64];
    bool known = read_rules(faults, wrong);
    was_set = true;
    pthread_mutex_unlock(&lock);
    return known ? 0 : -1;
}

bool sv_fault_read_environment(void) {
    pthread_mutex_lock(&lock);
    char wrong[64] = "";
    bool known = was_set || read_rules(getenv("SOFTVA_FAULT"), wrong);
    was_set = was_set || known;
    pthread_mutex_unlock(&lock);
    if (!known) {
        fprintf(stderr, "softva: SOFTVA_FAULT: \"%s\" is not point=action; points are", wrong);
        for (size_t i = 0; i < SV_AT_COUNT; i++) fprintf(stderr, " %s", points[i]);
        fprintf(stderr, "; actions +50ms");
        for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) fprintf(stderr, " %s", actions[i].name);
        fprintf(stderr, ", each where it makes sense\n");
    }
    return known;
}

sv_fault sv_fault_at(sv_fault_point point) {
    sv_fault found = {SV_NO_FAULT, 0, 0};
    pthread_mutex_lock(&lock);
    unsigned long call = point == SV_AT_CAPS ? 1 : ++calls[point];
    for (size_t i = 0; i < rule_count; i++) {
        const Rule *rule = &rules[i];
        bool strikes = rule->point == point && call >= rule->first && call <= rule->last;
        bool delays = rule->fault.action == SV_NO_FAULT;
        if (!strikes || (!delays && found.action != SV_NO_FAULT)) continue;
        if (!delays) found = (sv_fault){rule->fault.action, rule->fault.status, found.milliseconds};
        if (delays) found.milliseconds += rule->fault.milliseconds;
        if (point != SV_AT_CAPS) sv_report(SOFTVA_FAULTS, rule->text, "struck");
    }
    pthread_mutex_unlock(&lock);
    if (found.action == SV_ABORT) {
        sv_displays_abandon();
        abort();
    }
    return found;
}

void sv_fault_note_lie(sv_fault_action lie) {
    sv_report(SOFTVA_FAULTS, lie == SV_LIE_CREATE ? "caps=lie_create" : "caps=lie_code", "struck");
}
