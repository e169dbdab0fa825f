// SPDX-License-Identifier: MIT

import Glibc

/// What a back end that cleans up badly leaves behind.
enum Leak {
    /// A thread that never ends.
    static func thread() {
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in while true { sleep(1000) } }, nil)
        pthread_detach(thread)
    }

    /// A megabyte that is written to.
    static func memory() {
        if let memory = malloc(1 << 20) { memset(memory, 1, 1 << 20) }
    }

    /// A file that stays open.
    static func file() {
        _ = open("/dev/null", O_RDONLY)
    }
}
