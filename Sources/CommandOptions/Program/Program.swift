// SPDX-License-Identifier: MIT

package import ArgumentParser
package import EncoderAPI
import Glibc
import MediaFiles
import VAAPIBackend

/// What an executable is called, and how it ends.
package struct Program: Sendable {
    /// Its name, which begins each line that it writes to standard error.
    package let name: String
    /// Its root command.
    package let root: any ParsableCommand.Type
    /// Its options by the settings they stand for.
    package let options: [Setting: String]
    /// Takes secrets out of what is told of errors, words of the command line among them.
    private let hideSecrets: @Sendable (String) -> String

    /// Names a program.
    ///
    /// - Parameters:
    ///   - name: Begins each line that it writes to standard error.
    ///   - root: Its root command.
    ///   - options: Its options by the settings they stand for.
    ///   - hideSecrets: Takes secrets out of a text; nothing is secret by default.
    package init(
        name: String, root: any ParsableCommand.Type, options: [Setting: String],
        hidingSecrets hideSecrets: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.hideSecrets = hideSecrets
        self.name = name
        self.root = root
        self.options = options
    }

    /// The command line without the program's name; the standard library's would replace what is not UTF-8.
    package static var arguments: [String] {
        (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
            CommandLine.unsafeArgv[index].map { String(fileName: $0) }
        }
    }

    /// Parses the command line, runs the command and ends the process when it fails.
    package func run() async {
        StandardErrorLog.takeDefaultLoggers(of: self)
        do {
            var command = try root.parseAsRoot(Self.arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            Self.closeDevices()
        } catch {
            end(with: error)
        }
    }

    /// Prints what an error has to say and ends the process: 0 for help, 64 for usage, 128 and the
    /// signal's number when interrupted, else 1.
    package func end(with error: any Error) -> Never {
        let error: any Error = error is Interrupted ? ExitCode(Interruption.exitCode) : error
        let code = root.exitCode(for: error)
        if code.isSuccess {
            root.exit(withError: error)
        }
        if let text = message(of: error, code: code) { StandardError.tell(text) }
        Self.closeDevices()
        Glibc.exit((Self.isRefusedValue(error) ? ExitCode.validationFailure : code).rawValue)
    }

    /// Lets the sessions' threads close what they have of devices, so that no driver is cut off; one that does not come
    /// back is left behind.
    private static func closeDevices() { VAAPIBackend.waitUntilClosed(within: .seconds(1)) }

    /// Whether a value on the command line is to blame, where only the session or the file could tell.
    package static func isRefusedValue(_ error: any Error) -> Bool {
        switch error {
        case let error as EncoderError:
            error.code == .invalidValue || error.code == .conflictingSettings || error.isUnsupportedSetting
        case let error as MediaFileError: error.code == .invalidValue
        case let error as CommandFailure: error.code == .sameFile
        case is OptionError: true
        default: false
        }
    }

    /// "encbench: error: ..." and, for a wrong command line, how it should look; nil when there is nothing to say.
    package func message(of error: any Error, code: ExitCode) -> String? {
        error is ExitCode ? nil : words(of: error, code: code)
    }

    private func words(of error: any Error, code: ExitCode) -> String {
        guard code == .validationFailure else {
            let text = (error as? EncoderError)?.commandLineDescription(options) ?? "\(error)"
            return "\(name): error: \(hideSecrets(text).shown)\n"
        }
        let text = root.fullMessage(for: error)
        let prefix = "Error: "
        // Nothing in the help is from the command line.
        let own = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        let help = own.firstRange(of: root.helpMessage()) ?? own.endIndex..<own.endIndex
        return "\(name): error: \(shown(own[..<help.lowerBound]))\(own[help])\(shown(own[help.upperBound...]))\n"
    }

    /// Lines without secrets and control characters.
    private func shown(_ text: Substring) -> String {
        hideSecrets(String(text)).split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).shown }.joined(separator: "\n")
    }
}
