// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// The x264 program as a reference.
enum X264Program {
    /// The coded slices it makes of a clip, in stream order.
    ///
    /// Where it `isContained` the program writes Matroska, whose pictures have no parameter sets and no note of the
    /// library's version, and ffmpeg takes it apart.
    static func slices(of clip: TestClip, _ arguments: [String], isContained: Bool = false) async throws -> [[UInt8]] {
        try await withTemporaryDirectory { directory in
            let input = try directory.write(clip.y4m, to: "in.y4m")
            let output = directory.path(isContained ? "out.mkv" : "out.264")
            try await ExternalProgram.x264.run(["--quiet", "--no-progress"] + arguments + ["-o", output, input])
            if isContained {
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-i", output, "-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "h264",
                    directory.path("out.264"),
                ])
            }
            let bytes = try directory.read("out.264")
            return AnnexB.nalUnitRanges(in: bytes).map { Array(bytes[$0]) }.filter(\.isSlice)
        }
    }
}
