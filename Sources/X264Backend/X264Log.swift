// SPDX-License-Identifier: MIT

import CX264
import Logging
import Synchronization

/// Takes libx264's messages, from whichever of its threads they come, to swift-log.
final class X264Log: Sendable {
    private let logger: Logger
    private let errors = Mutex(Errors())

    private struct Errors {
        /// Until the library is open: the error that is thrown where it does not open says the same.
        var held: [String]? = []
        var last: String?
    }

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// What the library complained about last, to explain a failed call; nil when it said nothing.
    var lastErrorMessage: String? { errors.withLock { $0.last } }

    /// What it complained about while it did not open; nil when it said nothing.
    var openingErrors: String? {
        let held = errors.withLock { $0.held ?? [] }
        return held.isEmpty ? nil : held.joined(separator: "; ")
    }

    /// Logs what was held back: the library is open, and nobody throws it.
    func noteOpen() {
        let held = errors.withLock { errors in
            defer { errors.held = nil }
            return errors.held ?? []
        }
        for message in held { logger.error("\(message)") }
    }

    /// Makes the library send its messages here; `context` must hold this object while the encoder is open.
    static func install(_ context: Unmanaged<X264Log>, in parameters: inout x264_param_t) {
        parameters.p_log_private = context.toOpaque()
        parameters.i_log_level = context._withUnsafeGuaranteedRef { level(for: $0.logger.logLevel) }
        parameters.pf_log = { context, level, format, arguments in
            guard let context, let format, let arguments else { return }
            let log = Unmanaged<X264Log>.fromOpaque(context).takeUnretainedValue()
            let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: X264Log.longestMessage) { buffer in
                _ = cx264_format_message(buffer.baseAddress, buffer.count, format, arguments)
                return buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
            log.receive(text, level: level)
        }
    }

    /// Longer messages lose their end; the library's own are a line each.
    private static let longestMessage = 1024

    private func receive(_ text: String, level: Int32) {
        let message = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        switch level {
        case X264_LOG_ERROR:
            let isHeld = errors.withLock { errors in
                errors.last = message
                errors.held?.append(message)
                return errors.held != nil
            }
            if !isHeld { logger.error("\(message)") }
        case X264_LOG_WARNING: logger.warning("\(message)")
        case X264_LOG_INFO: logger.debug("\(message)")
        default: logger.trace("\(message)")
        }
    }

    /// The least the library must be asked to say for `level`: a message that nobody takes costs time to make.
    static func level(for level: Logger.Level) -> Int32 {
        switch level {
        case .trace: X264_LOG_DEBUG
        case .debug: X264_LOG_INFO
        case .info, .notice, .warning: X264_LOG_WARNING
        case .error, .critical: X264_LOG_ERROR
        }
    }
}
