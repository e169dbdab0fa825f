// SPDX-License-Identifier: MIT

import Glibc

/// What the system calls of reading and writing have in common.
package enum SystemCall {
    /// Repeats `call` while a signal interrupts it, and waits while the descriptor is not ready.
    ///
    /// - Parameters:
    ///   - descriptor: Waited for, because it may come from a parent process in non-blocking mode.
    ///   - events: POLLIN or POLLOUT.
    ///   - call: Returns -1 and sets errno when it fails.
    /// - Returns: What `call` returned; negative with errno as the status otherwise.
    static func retrying(_ descriptor: CInt, events: CInt, _ call: () -> Int) -> Result {
        while true {
            let count = call()
            if count >= 0 { return Result(count: count, status: 0) }
            let status = errno
            switch status {
            case EINTR:
                continue
            case EAGAIN:
                var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
                _ = poll(&request, 1, -1)
            default:
                return Result(count: -1, status: status)
            }
        }
    }

    /// How a call ended.
    struct Result {
        /// Bytes moved; -1 for a failure.
        var count: Int
        /// errno of a failure.
        var status: CInt
    }

    /// The system's sentence for an errno.
    package static func message(_ status: CInt) -> String { String(cString: strerror(status)) }
}
