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
///
/// Swift sees no member: a C array is a tuple there, and each of its thousands of elements costs compile time.
typedef struct CLibAVLines CLibAVLines;

/// Makes room for lines, or gives NULL without memory: then nothing is kept. Pair it with `free`.
CLibAVLines *_Nullable clibav_make_lines(void);

/// Removes the lines that are there.
void clibav_clear_lines(CLibAVLines *_Nullable lines);

/// Keeps what the libraries log on the calling thread from here on in `lines`; NULL ends that.
void clibav_keep_lines(CLibAVLines *_Nullable lines);

/// The lines of errors. Those of warnings are left out: libavformat warns of calls that a server does not know, and
/// goes on without them.
const char *_Nonnull clibav_errors(const CLibAVLines *_Nullable lines);

/// The formats, without their values, of all that is no error: they tell how far a connection came.
const char *_Nonnull clibav_steps(const CLibAVLines *_Nullable lines);

#endif
