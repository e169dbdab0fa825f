// SPDX-License-Identifier: MIT
// What the driver counts and reports, for the whole process.
#ifndef SOFTVA_REPORT_H
#define SOFTVA_REPORT_H

#include <stdbool.h>

#include <softva.h>

/// Counts one event; `subject` and `format` make its line. A line that came before, with these numbers or others, only
/// counts on.
void sv_report(softva_count_kind kind, const char *subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define sv_violation(field, ...) sv_report(SOFTVA_VIOLATIONS, field, __VA_ARGS__)
/// Reports a violation unless `good`; returns `good`.
#define sv_require(good, field, ...) ((good) ? true : (sv_violation(field, __VA_ARGS__), false))
#define sv_misuse(call, ...) sv_report(SOFTVA_MISUSES, call, __VA_ARGS__)

/// Appends what was counted since the last time to the file that SOFTVA_REPORT names, if it is set.
void sv_report_write(const char *personality);

/// Objects that are alive, of all displays; softva_objects.c counts them.
size_t sv_objects_alive(void);

#endif
