// SPDX-License-Identifier: MIT

import Foundation

/// Runs ffprobe on files.
enum FFprobe {
    /// Has ffprobe read a file.
    ///
    /// - Parameters:
    ///   - file: The file; what ffprobe prints is kept in files beside it meanwhile.
    ///   - arguments: Options of ffprobe's, without the file.
    /// - Returns: What it prints, and what it complains of; nil, with a line on standard error, where ffprobe is not
    ///   installed.
    /// - Throws: Whatever keeps a program from running, or its output from being kept.
    static func run(_ file: URL, _ arguments: [String]) throws -> (output: String, complaints: String)? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffprobe", "-v", "error", "-threads", "1", "-of", "compact"] + arguments + [file.path]
        // Files, not pipes: two pipes that fill would wait for each other.
        let outputs = ["output", "complaints"].map { file.appendingPathExtension($0) }
        defer { for output in outputs { try? FileManager.default.removeItem(at: output) } }
        for output in outputs { try Data().write(to: output) }
        process.standardOutput = try FileHandle(forWritingTo: outputs[0])
        process.standardError = try FileHandle(forWritingTo: outputs[1])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        // What env answers for a program that is not there.
        if process.terminationStatus == 127 {
            FileHandle.standardError.write(Data("SKIPPED: ffprobe is not installed: nothing was decoded\n".utf8))
            return nil
        }
        return (
            try String(contentsOf: outputs[0], encoding: .utf8), try String(contentsOf: outputs[1], encoding: .utf8)
        )
    }

    /// Values by names of each line that tells of a frame, a packet or a stream.
    static func lines(_ kind: String, of output: String) -> [[String: String]] {
        output.split(separator: "\n").filter { $0.hasPrefix("\(kind)|") }.map { line in
            var fields: [String: String] = [:]
            for field in line.split(separator: "|") {
                guard let equals = field.firstIndex(of: "=") else { continue }
                fields[String(field[..<equals])] = String(field[field.index(after: equals)...])
            }
            return fields
        }
    }
}
