// SPDX-License-Identifier: MIT

package import EncoderAPI
package import Logging
import Synchronization

/// Takes a library's messages, from whichever of its threads they come, to swift-log, and explains failed calls with
/// them.
package final class LibraryLog: Sendable {
    /// Where the messages go, with the library's name as their source.
    package let logger: Logger
    private let library: String
    private let quiet: [String]
    private let errors = Mutex(Errors())
    private let warnings = Mutex(Warnings())

    private struct Errors {
        /// The last few: a failure seldom has more to say, and an encoder may run for days.
        var latest: [String] = []
        var isOpen = false

        static let most = 4
    }

    /// How often each kind of warning was logged: those that begin alike, up to the first number.
    ///
    /// A rate that no picture is small enough for has libx264 warn of each picture.
    private struct Warnings {
        private var counts: [Substring: Int] = [:]

        /// Of each kind so many are logged as warnings, and of so many kinds.
        private static let (most, mostKinds) = (10, 100)

        /// Whether a warning is one too many; the last that is not.
        mutating func count(_ message: String) -> (isMore: Bool, isLast: Bool) {
            let beginning = message.prefix { !$0.isNumber && $0 != "-" }
            let kind = beginning.isEmpty ? message[...] : beginning
            guard counts[kind] != nil || counts.count < Self.mostKinds else { return (false, false) }
            let count = counts[kind, default: 0] + 1
            counts[kind] = min(count, Self.most + 1)
            return (count > Self.most, count == Self.most)
        }
    }

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - logger: Where the messages go.
    ///   - library: The library's name.
    ///   - quiet: What warnings begin with that say nothing to the caller: they are logged at debug.
    package init(_ logger: Logger, library: String, quiet: [String] = []) {
        self.logger = logger
        self.library = library
        self.quiet = quiet
    }

    /// Takes one message.
    ///
    /// Errors are held until the library is open: the error that is thrown where it does not open says the same. From
    /// the eleventh on, warnings that begin alike are logged at debug.
    package func take(_ message: String, level: Logger.Level) {
        guard level >= .error else {
            guard level == .warning else { return logger.log(level: level, "\(message)", source: library) }
            let (isMore, isLast) = warnings.withLock { $0.count(message) }
            let isQuiet = isMore || quiet.contains { message.hasPrefix($0) }
            let end = isLast ? "; more of this kind are logged at debug" : ""
            return logger.log(level: isQuiet ? .debug : .warning, "\(message)\(end)", source: library)
        }
        let isOpen = errors.withLock { errors in
            errors.latest = errors.latest.suffix(Errors.most - 1) + [message]
            return errors.isOpen
        }
        if isOpen { logger.log(level: level, "\(message)", source: library) }
    }

    /// Logs what was held, as warnings: the library is open, so that what it complained about did not stop it.
    package func noteOpen() {
        let held = errors.withLock { errors in
            errors.isOpen = true
            defer { errors.latest = [] }
            return errors.latest
        }
        for message in held { logger.warning("\(message)", source: library) }
    }

    /// What the library complained about last, to explain a failed call.
    package var complaint: String {
        let latest = errors.withLock { $0.latest }
        return latest.isEmpty ? "no reason given" : latest.joined(separator: "; ")
    }

    /// The error of a call that returned `status`.
    package func failure(of function: String, _ status: Int32) -> EncoderError {
        EncoderError(.backendFailure, reason: "\(function) failed: \(complaint)", status: Int(status))
    }
}

extension LibraryLog {
    /// A log as the context of a library's callback: retained until this value ends, which must be after the library
    /// closed.
    package struct Context: ~Copyable {
        /// What the callback is given.
        package let pointer: UnsafeMutableRawPointer

        package init(_ logger: Logger, library: String, quiet: [String] = []) {
            pointer = Unmanaged.passRetained(LibraryLog(logger, library: library, quiet: quiet)).toOpaque()
        }

        deinit { Unmanaged<LibraryLog>.fromOpaque(pointer).release() }

        /// The log.
        package var log: LibraryLog { LibraryLog.at(pointer) }
    }

    /// The log whose context a callback was given.
    package static func at(_ context: UnsafeMutableRawPointer) -> LibraryLog {
        Unmanaged<LibraryLog>.fromOpaque(context).takeUnretainedValue()
    }
}
