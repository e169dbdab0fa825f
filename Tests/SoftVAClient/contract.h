// SPDX-License-Identifier: MIT
// What the files of the contract test share.
#ifndef CONTRACT_H
#define CONTRACT_H

#include <stdio.h>

#include "client.h"

extern int failures, checks;

#define EXPECT(condition, ...)                                             \
    do {                                                                   \
        checks++;                                                          \
        if (!(condition)) {                                                \
            failures++;                                                    \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);         \
            printf(__VA_ARGS__);                                           \
            printf("\n");                                                  \
        }                                                                  \
    } while (0)

/// The driver's report, until the next call.
const char *whole_report(void);
/// Forgets what was counted, and sets personality and faults.
void start(const char *personality, const char *fault);

/// Rate control, and a rate that changes.
void rates(void);
/// Packed headers that end before anything is said.
void endless_filler(void);
void far_orders(void);
void equal_orders(void);
void odd_buffers(void);
void cut_headers(void);
/// Lists with wrong counts, and the table of calls.
void hostile_counts(void);
void lone_descriptor(void);
void whole_table(void);
void stale_ids(void);
void child_process(void);
/// Buffers of every type in contexts of either codec and of none.
void types_of_buffers(void);
void buffers_of_other_contexts(void);
void buffers_without_context(void);
/// Objects that another thread destroys.
void destroyed_while_waiting(void);
/// DMA-BUF and images.
void shared_memory(void);

#endif
