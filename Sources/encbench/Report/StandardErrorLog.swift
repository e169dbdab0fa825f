// SPDX-License-Identifier: MIT

import Logging

/// Messages of sessions and libraries on standard error: "encbench: warning: ...".
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        StandardError.write("encbench: \(event.level.rawValue): \(event.message)\n")
    }

    /// A logger that shows warnings and worse, or everything.
    static func logger(isVerbose: Bool) -> Logger {
        Logger(label: "encbench") { _ in StandardErrorLog(logLevel: isVerbose ? .trace : .warning) }
    }
}
