// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_SRT_H
#define ENCODERKIT_CLIBAV_SRT_H

#include <stdbool.h>

/// What a caller of SRT connects with.
typedef struct CLibAVSRTCaller {
    const char *_Nonnull host;
    int port;
    const char *_Nullable passphrase;
    const char *_Nullable stream_id;
    /// Bytes of the key, 16, 24 or 32; 0 for the library's own.
    int key_length;
    /// How long to wait for an answer.
    int milliseconds;
} CLibAVSRTCaller;

enum {
    /// The listener takes the connection.
    clibav_srt_accepted = -1,
    /// There is no libsrt, no such host, or the wait was ended.
    clibav_srt_unknown = -2,
};

/// Asks a listener of SRT once more for a connection, to learn why it refuses one: libavformat 59 tells of no reason.
///
/// `is_over` is asked every 5 ms whether to end the wait. Returns a number of libsrt's `SRT_REJECT_REASON`, of 1000 or
/// more one that the listener chose, or one of the numbers above. Call after `clibav_load_network`.
int clibav_srt_refusal(const CLibAVSRTCaller *_Nonnull caller, bool (*_Nonnull is_over)(void *_Nullable),
                       void *_Nullable owner);

#endif
