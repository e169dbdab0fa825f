// SPDX-License-Identifier: MIT

import CX264
import BackendSupport
import Logging

extension LibraryLog.Context {
    /// Makes libx264 send its messages to the log.
    func install(in parameters: inout x264_param_t) {
        parameters.p_log_private = pointer
        parameters.i_log_level = Self.level(for: log.logger.logLevel)
        parameters.pf_log = { context, level, format, arguments in
            guard let context, let format, let arguments else { return }
            typealias Context = LibraryLog.Context
            let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Context.longestMessage) { buffer in
                _ = cx264_format_message(buffer.baseAddress, buffer.count, format, arguments)
                return buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
            let message = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
            LibraryLog.at(context).take(message, level: Context.level(of: level))
        }
    }

    /// Warnings that say nothing to the caller.
    ///
    /// A frame type that is forced twice: both intervals of key frames ended at one picture, and the session forced the
    /// key frame that the library makes anyway. With limits, that the library's bucket ran dry: the session keeps the
    /// limits, and the bucket may lie beyond them.
    static func quiet(hasLimits: Bool) -> [String] { ["forced frame type"] + (hasLimits ? ["VBV underflow"] : []) }

    /// Longer messages lose their end; the library's own are a line each.
    private static let longestMessage = 1024

    private static func level(of level: Int32) -> Logger.Level {
        switch level {
        case X264_LOG_ERROR: .error
        case X264_LOG_WARNING: .warning
        case X264_LOG_INFO: .debug
        default: .trace
        }
    }

    /// The least the library must be asked to say for `level`: a message that nobody takes costs time to make.
    private static func level(for level: Logger.Level) -> Int32 {
        switch level {
        case .trace: X264_LOG_DEBUG
        case .debug: X264_LOG_INFO
        case .info, .notice, .warning: X264_LOG_WARNING
        case .error, .critical: X264_LOG_ERROR
        }
    }
}
