// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// The x264 program as a reference.
enum X264Program {
    /// The coded slices it makes of a clip, in stream order.
    static func slices(of clip: TestClip, _ arguments: [String]) async throws -> [[UInt8]] {
        try await withTemporaryDirectory { directory in
            let input = try directory.write(clip.y4m, to: "in.y4m")
            try await ExternalProgram.x264.run(
                ["--quiet", "--no-progress"] + arguments + ["-o", directory.path("out.264"), input])
            let bytes = try directory.read("out.264")
            return AnnexB.nalUnitRanges(in: bytes).map { Array(bytes[$0]) }.filter(\.isSlice)
        }
    }
}
