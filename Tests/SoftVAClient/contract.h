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
/// The settings that a personality allows.
client_settings settings_for(const char *personality, bool hevc);
/// Sends a buffer of miscellaneous parameters of two words; what the driver says.
VAStatus send_misc(client *c, VAEncMiscParameterType type, uint32_t value);

/// Rate control, and a rate that changes.
void rates(void);
/// Parameters that no honest program sends: a rate without bounds, order counts, sizes of buffers, and headers that end
/// before anything is said.
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
/// What ties a picture to others, and to its surfaces.
void shown_sizes(void);
void other_depths(void);
void syncs_of_contexts(void);
void failed_references(void);
void rules_of_streams(void);
void losses(void);
void mapped_too_long(void);
/// Reports, and the grammar of faults.
void lines_of_reports(void);
void report_files(void);
void recon_files(void);
void grammar_of_faults(void);
void largest_frames(void);
/// What Mesa makes of what it is given.
void headers_of_mesa(void);
void parameters_of_mesa(void);
void regions_of_mesa(void);
/// Slices with a largest size.
void slices_of_bytes(void);
void sizes_of_slices(void);
/// DMA-BUF and images.
void shared_memory(void);

#endif
