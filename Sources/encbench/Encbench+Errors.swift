// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import Glibc
import MediaFiles

/// Something that ends a command with status 1, in words for people.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension EncoderError {
    /// Whether an option is at fault that no clip could make right.
    var isOfCommandLine: Bool {
        let settings: [Setting] = [
            .preset, .tune, .nativeOptions, .constantRateFactor, .constantQuantizer, .averageBitRate,
        ]
        return (code == .invalidValue || code == .unsupported) && setting.map(settings.contains) == true
    }
}

extension Encbench {
    /// Prints what an error has to say and ends the process: 0 for help, 64 for usage, 130 when interrupted, else 1.
    static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        if code.isSuccess {
            exit(withError: error)
        }
        if let text = message(of: error, code: code) { StandardError.tell(text) }
        Glibc.exit((isRefusedValue(error) ? ExitCode.validationFailure : code).rawValue)
    }

    /// Whether a value on the command line is to blame, where only the session or the file could tell.
    static func isRefusedValue(_ error: any Error) -> Bool {
        switch error {
        case let error as EncoderError:
            error.code == .invalidValue || error.code == .conflictingSettings || error.isOfCommandLine
        case let error as MediaFileError: error.code == .invalidValue
        default: false
        }
    }

    /// "encbench: error: ..." and, for a wrong command line, how it should look; nil when there is nothing to say.
    static func message(of error: any Error, code: ExitCode) -> String? {
        if error is ExitCode { return nil }
        guard code == .validationFailure else {
            let text = (error as? EncoderError)?.commandLineDescription ?? "\(error)"
            return "encbench: error: \(text.shown)\n"
        }
        let text = fullMessage(for: error)
        let prefix = "Error: "
        let lines = (text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text).split(
            separator: "\n", omittingEmptySubsequences: false)
        return "encbench: error: " + lines.map { String($0).shown }.joined(separator: "\n") + "\n"
    }
}
