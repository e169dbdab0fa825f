// SPDX-License-Identifier: MIT

import CommandOptions
import TestSupport

@testable import EncoderBench
@testable import encbench

/// The program's own sources, for tests of what is named where.
enum SourceFiles {
    private static let sources =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources"

    /// The Swift files of a module without their comments, by their paths below its folder.
    static func all(of module: String) async throws -> [String: String] {
        let folder = sources + "/" + module
        let paths = try await ExternalProgram("find").run([folder, "-name", "*.swift"]).text.split(separator: "\n")
        var files: [String: String] = [:]
        for path in paths {
            let lines = String(decoding: try WholeFile.read(String(path)), as: UTF8.self).split(separator: "\n")
            files[String(path.dropFirst(folder.count + 1))] =
                lines.filter { !$0.trimming { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        }
        return files
    }

    /// The same of the modules that encbench has been divided into, by their paths below the folder of sources.
    static func bench() async throws -> [String: String] {
        var files: [String: String] = [:]
        for module in ["EncoderBench", "BenchReports", "encbench"] {
            for (path, text) in try await all(of: module) { files[module + "/" + path] = text }
        }
        return files
    }

    /// The text of a page beside the sources.
    static func page(_ name: String) throws -> String {
        String(decoding: try WholeFile.read(sources + "/encbench/" + name), as: UTF8.self)
    }
}

extension StringProtocol {
    /// The text without what is unwanted at its ends.
    func trimming(_ isUnwanted: (Character) -> Bool) -> String {
        String(drop(while: isUnwanted).reversed().drop(while: isUnwanted).reversed())
    }
}
