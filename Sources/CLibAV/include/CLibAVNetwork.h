// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_NETWORK_H
#define ENCODERKIT_CLIBAV_NETWORK_H

#include <libavformat/avio.h>
#include <stdbool.h>
#include <stddef.h>

// The functions of libavformat that open addresses of a network: X(library, name). Only publishing asks for them.
#define CLIBAV_NETWORK_FUNCTIONS(X) \
    X(avformat, avio_closep)        \
    X(avformat, avio_flush)         \
    X(avformat, avio_open2)         \
    X(avformat, avio_write)

/// The functions that `clibav_load_network` found.
typedef struct CLibAVNetwork {
#define CLIBAV_MEMBER(library, name) __typeof__(name) *_Nonnull name;
    CLIBAV_NETWORK_FUNCTIONS(CLIBAV_MEMBER)
#undef CLIBAV_MEMBER
} CLibAVNetwork;

/// Loads the libraries as `clibav_load` does, and keeps libsrt from writing to standard error.
const CLibAVNetwork *_Nullable clibav_load_network(char *_Nonnull reason, size_t size);

/// What the libraries logged on one thread, each line ended by a line feed.
typedef struct CLibAVLines {
    size_t length;
    size_t steps_length;
    /// The lines of errors. Those of warnings are left out: libavformat warns of calls that a server does not know, and
    /// goes on without them.
    char text[2048];
    /// The formats, without their values, of all that is no error: they tell how far a connection came.
    char steps[2048];
} CLibAVLines;

/// Keeps what the libraries log on the calling thread from here on in `lines`; NULL ends that.
void clibav_keep_lines(CLibAVLines *_Nullable lines);

#endif
