// SPDX-License-Identifier: MIT
#include "fault.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "settings.h"

#define MAX_RULES 16
#define MAX_CONTEXTS 4096u

typedef struct {
    shim_fault_point point;
    unsigned long first, last;  // requests, counted from 1
    int error;
    unsigned milliseconds;  // of a batch, where there is no error
} Rule;

static Rule rules[MAX_RULES];
static size_t rule_count;
static unsigned long counts[SHIM_AT_COUNT];
static bool no_firmware;
static unsigned char hangs[MAX_CONTEXTS];  // by context

static const char *const points[SHIM_AT_COUNT] = {"submit", "create", "open"};
static const struct {
    const char *name;
    int error;
} actions[] = {{"eio", EIO}, {"enomem", ENOMEM}, {"enospc", ENOSPC}, {"enodev", ENODEV}, {"eacces", EACCES}, {"hang", SHIM_HANG}};

/// Reads `+20ms`, of at most a minute; 0 for anything else.
static unsigned read_delay(const char *text) {
    char *end;
    if (text[0] != '+' || !isdigit((unsigned char)text[1])) return 0;
    unsigned long milliseconds = strtoul(text + 1, &end, 10);
    return strcmp(end, "ms") == 0 && milliseconds <= 60000 ? (unsigned)milliseconds : 0;
}

/// Reads `point=action`, `point:n=action` (the nth request) or `point:n+=action` (the nth and every later one).
static bool read_rule(const char *text, Rule *rule) {
    *rule = (Rule){.point = SHIM_AT_COUNT, .first = 1, .last = (unsigned long)-1};
    size_t length = strcspn(text, ":=");
    for (int i = 0; i < SHIM_AT_COUNT; i++) {
        if (strlen(points[i]) == length && strncmp(points[i], text, length) == 0) rule->point = (shim_fault_point)i;
    }
    text += length;
    if (*text == ':') {
        if (!isdigit((unsigned char)text[1])) return false;
        char *end;
        rule->first = strtoul(text + 1, &end, 10);
        if (*end == '+') {
            end++;
        } else {
            rule->last = rule->first;
        }
        text = end;
    }
    if (rule->point == SHIM_AT_COUNT || rule->first == 0 || *text != '=') return false;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, text + 1) == 0) rule->error = actions[i].error;
    }
    rule->milliseconds = read_delay(text + 1);
    bool is_of_batches = rule->error == SHIM_HANG || rule->milliseconds > 0;
    return (rule->error != 0 || rule->milliseconds > 0) && (!is_of_batches || rule->point == SHIM_AT_SUBMIT);
}

void shim_fault_read(const char *text) {
    char copy[512], *position = NULL;
    if (!text) return;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy) {
        shim_refuse("I915_SHIM_FAULT", text, "less than 512 characters");
    }
    for (char *word = strtok_r(copy, ", ", &position); word; word = strtok_r(NULL, ", ", &position)) {
        if (strcmp(word, "huc=absent") == 0) {
            no_firmware = true;
        } else if (rule_count == MAX_RULES || !read_rule(word, &rules[rule_count++])) {
            shim_refuse("I915_SHIM_FAULT", word,
                        "huc=absent, or at most 16 of (submit|create|open)[:N[+]]=ACTION, or submit[:N[+]]=+1...60000ms");
        }
    }
}

int shim_fault_at(shim_fault_point point, uint32_t context) {
    unsigned long count = ++counts[point];
    for (size_t i = 0; i < rule_count; i++) {
        const Rule *rule = &rules[i];
        if (rule->point != point || !rule->error || count < rule->first || count > rule->last) continue;
        shim_log(1, "fault: %s %lu: %s\n", points[point], count,
                 rule->error == SHIM_HANG ? "hang" : strerror(rule->error));
        if (rule->error == SHIM_HANG) hangs[context % MAX_CONTEXTS]++;
        return rule->error;
    }
    return 0;
}

unsigned shim_fault_delay(void) {
    unsigned milliseconds = 0;
    for (size_t i = 0; i < rule_count; i++) {
        const Rule *rule = &rules[i];
        unsigned long count = counts[SHIM_AT_SUBMIT];
        bool strikes = rule->point == SHIM_AT_SUBMIT && count >= rule->first && count <= rule->last;
        if (strikes) milliseconds += rule->milliseconds;
    }
    return milliseconds;
}

bool shim_fault_no_firmware(void) { return no_firmware; }

unsigned shim_fault_hangs(uint32_t context) { return hangs[context % MAX_CONTEXTS]; }
