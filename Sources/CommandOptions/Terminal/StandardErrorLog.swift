// SPDX-License-Identifier: MIT

import Glibc
package import Logging
import MediaFiles
import Synchronization

/// Messages of sessions and libraries on standard error: "encbench: warning: ...", each warning once.
package struct StandardErrorLog: LogHandler {
    /// Warnings that were shown.
    private final class Shown: Sendable {
        private let messages = Mutex<Set<String>>([])

        /// Whether a message is the first of its words.
        func isFirst(_ message: String) -> Bool { messages.withLock { $0.insert(message).inserted } }
    }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let program: String
    /// Of all handlers: an encoder is often opened by one after it was listed by another.
    private static let shown = Shown()

    private init(program: String, logLevel: Logger.Level) {
        self.program = program
        self.logLevel = logLevel
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        guard event.level != .warning || Self.shown.isFirst("\(event.message)") else { return }
        let text = "\(program): \(event.level.rawValue): \(event.message.description.shown)\n"
        StandardError.tell(text)
    }

    /// Takes the messages of loggers that a library makes for itself: a program's warnings and worse.
    ///
    /// Called once in a process, before the first of them.
    package static func takeDefaultLoggers(of program: Program) {
        let name = program.name
        LoggingSystem.bootstrap { _ in StandardErrorLog(program: name, logLevel: .warning) }
    }

    /// A logger that shows a program's warnings and worse, or everything.
    package static func logger(
        of program: Program, isVerbose: Bool, verboseLevel: Logger.Level = .trace
    ) -> Logger {
        let name = program.name
        return Logger(label: name) { _ in
            StandardErrorLog(program: name, logLevel: isVerbose ? verboseLevel : .warning)
        }
    }
}
