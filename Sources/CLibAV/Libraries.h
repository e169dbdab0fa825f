// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_LIBRARIES_H
#define ENCODERKIT_CLIBAV_LIBRARIES_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

typedef struct Library {
    const char *soname;
    const char *package;
    const char *version_function;
    unsigned version;
} Library;

// A library of the version whose headers this is compiled with.
#define LIBRARY(name, NAME)                                                                                        \
    {"lib" #name ".so." STRINGIFY(LIB##NAME##_VERSION_MAJOR), "lib" #name STRINGIFY(LIB##NAME##_VERSION_MAJOR), \
     #name "_version", LIB##NAME##_VERSION_INT}

// Why something cannot be loaded.
typedef struct Failure {
    char text[512];
} Failure;

// Opens a library, which stays open for the life of the process; NULL where it is missing or of another version.
void *open_library(const Library *library, Failure *failure);

// The address of a function; NULL where the library has none of the name.
void *find_function(void *handle, const char *name, const Library *library, Failure *failure);

// Fills the member of `table` that a function has, or makes the function that this stands in return false. For lists
// of functions, X(unused, name), with `handle`, `library` and `failure` at hand.
#define FILL_MEMBER(table, name)                                                             \
    (table).name = (__typeof__((table).name))find_function(handle, #name, library, failure); \
    if (!(table).name)                                                                       \
        return false;

// The same for lists of functions of several libraries, X(library, name), with the arrays `handles` and `libraries` at
// hand, whose places are called index_library.
#define FILL_MEMBER_OF(table, name_of_library, name)                  \
    {                                                                 \
        void *handle = handles[index_##name_of_library];              \
        const Library *library = &libraries[index_##name_of_library]; \
        FILL_MEMBER(table, name)                                      \
    }

// Defines `accessor`, which gives `table` once `fill` has filled it, on the first call on whatever thread; else NULL,
// with the reason that `fill` left.
#define DEFINE_ACCESSOR(accessor, Table, table, fill)                                  \
    static pthread_once_t accessor##_once = PTHREAD_ONCE_INIT;                         \
    static bool accessor##_is_filled;                                                  \
    static Failure accessor##_failure;                                                 \
    static void accessor##_fill(void) { accessor##_is_filled = fill(&accessor##_failure); } \
    const Table *accessor(char *reason, size_t size) {                                 \
        pthread_once(&accessor##_once, accessor##_fill);                               \
        if (accessor##_is_filled)                                                      \
            return &table;                                                             \
        snprintf(reason, size, "%s", accessor##_failure.text);                         \
        return NULL;                                                                   \
    }

// libsrt, where libavformat has loaded it.
void *open_srt(void);

// Keeps a message of the libraries on threads that ask for it.
void keep_line(int level, const char *format, va_list arguments);

// Whether lines of the calling thread are kept.
bool keeps_lines(void);

#endif
