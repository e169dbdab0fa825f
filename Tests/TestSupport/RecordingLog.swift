// SPDX-License-Identifier: MIT

public import Logging
import Synchronization

/// Keeps what is logged.
public final class RecordingLog: Sendable {
    private let lines = Mutex<[(level: Logger.Level, text: String)]>([])

    /// Makes an empty log.
    public init() {}

    /// What was logged at `level`.
    public func texts(_ level: Logger.Level) -> [String] {
        lines.withLock { $0.filter { $0.level == level }.map(\.text) }
    }

    /// A logger whose messages come here.
    public func logger(level: Logger.Level) -> Logger {
        Logger(label: "test") { _ in Handler(log: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append((event.level, "\(event.message)")) }
        }
    }
}

extension Logger {
    /// A logger that drops everything.
    public static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
