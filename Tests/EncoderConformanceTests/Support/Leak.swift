// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

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
        guard let memory = malloc(1 << 20) else { return }
        memset(memory, 1, 1 << 20)
        last.store(UInt(bitPattern: memory), ordering: .relaxed)
    }

    /// Where the last megabyte is: an optimizer would leave out what nobody can reach.
    private static let last = Atomic<UInt>(0)

    /// A file that stays open.
    static func file() {
        _ = open("/dev/null", O_RDONLY)
    }
}
