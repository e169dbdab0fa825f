// SPDX-License-Identifier: MIT

import ArgumentParser

/// The root command.
@main struct Encbench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encbench", abstract: "Encodes video to H.264 and HEVC, and compares the encoders honestly.")

    /// Parses the command line, runs the command and ends the process.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }
}
