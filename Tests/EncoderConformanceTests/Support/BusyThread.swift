// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A thread that is busy for a quarter of the time, as one that polls is.
final class BusyThread: Sendable {
    private let flag = Flag()

    private final class Flag: Sendable {
        let isOver = Atomic(false)
    }

    init() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let flag = Unmanaged<Flag>.fromOpaque(argument).takeRetainedValue()
                while !flag.isOver.load(ordering: .relaxed) {
                    let end = ContinuousClock.now + .milliseconds(5)
                    while ContinuousClock.now < end {}
                    usleep(15_000)
                }
                return nil
            }, Unmanaged.passRetained(flag).toOpaque())
        pthread_detach(thread)
    }

    /// Ends the thread.
    func stop() { flag.isOver.store(true, ordering: .relaxed) }
}
