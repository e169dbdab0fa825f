// SPDX-License-Identifier: MIT
// For functions that stand in front of libc's.
#ifndef I915_SHIM_INTERPOSE_H
#define I915_SHIM_INTERPOSE_H

#include <dlfcn.h>

#ifndef __x86_64__
#error "structures and system calls are those of x86-64"
#endif

#define EXPORTED __attribute__((visibility("default")))

/// The function of that name behind this library.
#define NEXT(name)                                                    \
    ({                                                                \
        static __typeof__(&name) next;                                \
        if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        next;                                                         \
    })

#endif
