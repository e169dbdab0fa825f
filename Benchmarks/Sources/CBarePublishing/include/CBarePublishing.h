// SPDX-License-Identifier: MIT
#ifndef CBAREPUBLISHING_H
#define CBAREPUBLISHING_H

#include <stdint.h>

/// A transport stream of one video track, written by a bare loop of av_interleaved_write_frame.
typedef struct BarePublisher BarePublisher;

/// Opens an address as ffmpeg does, and writes the header; NULL where that fails.
BarePublisher *bare_open(const char *url, int width, int height);

/// Writes one access unit in Annex B, `ticks` of 1/90000 s from the start; a negative number where that fails.
int bare_write(BarePublisher *publisher, const uint8_t *bytes, int count, int64_t ticks, int is_key);

void bare_close(BarePublisher *publisher);

/// A thread that writes to one publisher what it is given, one access unit at a time.
typedef struct BareThread BareThread;

/// Starts a thread, which owns the publisher from here on; NULL where there is none.
BareThread *bare_thread_start(BarePublisher *publisher);

/// Copies one access unit of at most 4096 bytes and wakes the thread, once it has written the one before; a negative
/// number where it could not, or the unit is larger.
int bare_thread_give(BareThread *thread, const uint8_t *bytes, int count, int64_t ticks, int is_key);

/// Ends the thread and closes its publisher.
void bare_thread_end(BareThread *thread);

/// Seconds that avio_open2 takes for an address with ffmpeg's own options; negative where it fails.
double bare_connect(const char *url);

/// A socket of UDP on the loopback interface whose datagrams the system stamps, and its port; -1 where there is none.
int stamped_socket(int *port);

/// Takes all datagrams that are there. Gives when the first came, in nanoseconds of CLOCK_REALTIME; 0 where none did
/// within `milliseconds`.
int64_t first_arrival(int socket, int milliseconds);

/// CLOCK_REALTIME in nanoseconds.
int64_t real_time(void);

#endif
