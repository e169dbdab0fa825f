// SPDX-License-Identifier: MIT

import Logging
import Synchronization

/// Counts what is logged.
final class MessageCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    /// A logger whose messages are counted here, of every level.
    var logger: Logger { Logger(label: "test") { _ in Handler(count: self) } }

    private struct Handler: LogHandler {
        let count: MessageCount
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { count.count.withLock { $0 += 1 } }
    }
}
