// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench

/// What `encbench --version` prints.
enum VersionText {
    /// The version of this package.
    static let package = EncoderBenchVersion.current

    /// This program's version, and the build of each library it finds.
    static func text() async -> String {
        var lines = ["encbench \(package)"]
        for kind in EncoderKind.allCases {
            do throws(EncoderError) {
                for encoder in try await kind.makeBackend().encoders
                where !lines.contains(encoder.libraryVersion) {
                    lines.append(encoder.libraryVersion)
                }
            } catch {
                lines.append("\(kind.name): \(error.reason)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
