// SPDX-License-Identifier: MIT

import TestSupport

/// The library that stands in for a camera of Video4Linux: no camera is used.
enum PretendedCamera {
    /// What building it needs.
    static let programs: [ExternalProgram] = ["gcc", "make"]

    /// Builds the library.
    ///
    /// - Returns: What a program is started with to have the camera.
    /// - Throws: ``ExternalProgramError`` with what the compiler said.
    static func build() async throws -> String {
        let root = #filePath.components(before: "/Tests/")
        try await ExternalProgram("make").run(["-s", "-C", root, "-f", "dev/v4l2-shim.mk"])
        return "LD_PRELOAD=\(root)/.build/v4l2-shim/v4l2-shim.so"
    }

    /// What the library told of a frame.
    struct Frame {
        /// "frame", "lost", "damaged" or "overrun".
        var fate: String
        var sequence: Int
        /// Microseconds of the monotonic clock.
        var time: Int64
    }

    /// Reads what the library told.
    static func frames(_ text: String) -> [Frame] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let sequence = Int(words[1]), let time = Int64(words[2]) else { return nil }
            return Frame(fate: String(words[0]), sequence: sequence, time: time)
        }
    }
}

extension String {
    /// What comes before the last place where `part` stands.
    fileprivate func components(before part: String) -> String {
        guard let range = ranges(of: part).last else { return self }
        return String(self[..<range.lowerBound])
    }
}
