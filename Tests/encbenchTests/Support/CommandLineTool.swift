// SPDX-License-Identifier: MIT

import TestSupport

/// The built program, run as a user runs it.
enum CommandLineTool {
    /// The executable, which is built into the same folder as the tests.
    static let encbench: ExternalProgram = {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
        return ExternalProgram((path.isEmpty ? "." : path) + "/encbench")
    }()

    /// A Y4M file of noisy pictures, the same each time.
    static func y4m(frames: Int, width: Int = 64, height: Int = 64) -> [UInt8] {
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F25:1 Ip A1:1 C420jpeg\n".utf8)
        for frame in 0..<frames {
            bytes += Array("FRAME\n".utf8)
            for sample in 0..<width * height * 3 / 2 {
                bytes.append(UInt8(truncatingIfNeeded: sample &* (7 + sample / width) / 5 &+ frame * 2))
            }
        }
        return bytes
    }
}
