// SPDX-License-Identifier: MIT
// Preloaded by `dev/sanitize thread`: tells the thread sanitizer when Swift's Synchronization.Mutex changes hands under
// contention. The library that waits and wakes is not instrumented, so that without this whatever such a lock protects
// looks like a race. Taking a free lock is inlined into the instrumented code and needs no help.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *mutex);

// Absent in programs that are not instrumented, such as SwiftPM itself.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

LockSlow lockSlow __asm__(LOCK_SLOW);
UnlockSlow unlockSlow __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void lockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
    if (__tsan_acquire) {
        __tsan_acquire(mutex);
    }
}

__attribute__((swiftcall)) void unlockSlow(__attribute__((swift_context)) void *mutex) {
    if (__tsan_release) {
        __tsan_release(mutex);
    }
    ((UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
