// SPDX-License-Identifier: MIT

import Glibc
import Logging
import MediaFiles
import Synchronization

extension StandardError {
    /// Writes lines for people, folded for the terminal.
    static func tell(_ text: String) { write(TextFold.prose(text, width: Terminal.width(of: STDERR_FILENO))) }
}

/// Messages of sessions and libraries on standard error: "encbench: warning: ...", each warning once.
struct StandardErrorLog: LogHandler {
    /// Warnings that were shown; copies of a handler share it.
    private final class Shown: Sendable {
        private let messages = Mutex<Set<String>>([])

        /// Whether a message is the first of its words.
        func isFirst(_ message: String) -> Bool { messages.withLock { $0.insert(message).inserted } }
    }

    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let shown = Shown()

    init(logLevel: Logger.Level) { self.logLevel = logLevel }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard event.level != .warning || shown.isFirst("\(event.message)") else { return }
        let text = "encbench: \(event.level.rawValue): \(event.message.description.shown)\n"
        StandardError.tell(text)
    }

    /// A logger that shows warnings and worse, or everything.
    static func logger(isVerbose: Bool) -> Logger {
        Logger(label: "encbench") { _ in StandardErrorLog(logLevel: isVerbose ? .trace : .warning) }
    }
}
