// SPDX-License-Identifier: MIT

import CommandOptions

/// Opens an input on a thread of its own: a pipe may give nothing for ever, and a signal ends the run all the same.
enum InputOpening {
    /// What the thread leaves behind.
    private final class Desk<Value>: @unchecked Sendable {
        // Unchecked: written by the thread before it says that it is over, and read after that.
        var result: Result<Value, any Error>?
    }

    /// Waits until an input is open, or until the run is interrupted, which leaves the thread behind.
    ///
    /// - Parameters:
    ///   - name: What is opened, for the error.
    ///   - interruption: Ends the wait.
    ///   - open: Opens the input; what it returns is used by the caller alone.
    /// - Returns: What `open` returned.
    /// - Throws: What `open` throws; ``CommandFailure`` where the run was interrupted before.
    static func open<Value>(
        _ name: String, unless interruption: OneShotEvent, _ open: @escaping @Sendable () throws -> Value
    ) async throws -> sending Value {
        let desk = Desk<Value>()
        let isOver = OneShotEvent()
        interruption.whenSignalled { isOver.signal() }
        try Thread.start {
            desk.result = Result { try open() }
            isOver.signal()
        }
        await isOver.wait()
        guard !interruption.hasHappened, let result = desk.result else {
            throw CommandFailure("\(name): interrupted before it was open; nothing was written")
        }
        nonisolated(unsafe) let value = try result.get()
        return value
    }
}
