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
/// DMA-BUF and images.
void shared_memory(void);

#endif
