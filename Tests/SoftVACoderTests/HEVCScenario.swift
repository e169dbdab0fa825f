// SPDX-License-Identifier: MIT

import SoftVAHarness
import TestSupport

/// A random stream of softva's HEVC coder, and what decoders show of it.
struct HEVCScenario: Sendable {
    /// Sizes, QPs and tools in words, for messages.
    let description: String
    let stream: [UInt8]
    /// Planar, in output order; two bytes a sample where `bitDepth` is not 8.
    let reconstruction: [UInt8]
    let bitDepth: Int32
    let status: Int32
    let violations: Int32
    /// The first field that the coder found fault with.
    let field: String?

    /// Encodes the scenario of `seed`; `change` is made to the structures, not to the headers, of all pictures but the
    /// first.
    init(seed: UInt64, change: String? = nil) {
        var result = hevc_run(seed, change)
        defer { hevc_result_free(&result) }
        description = "seed \(seed): " + String(cString: result.description)
        stream = [UInt8](UnsafeBufferPointer(start: result.stream, count: result.stream_size))
        reconstruction = [UInt8](UnsafeBufferPointer(start: result.reconstruction, count: result.reconstruction_size))
        bitDepth = result.bit_depth
        status = result.status
        violations = result.violations
        field = result.field.map { String(cString: $0) }
    }

    /// What FFmpeg shows, and what it says at level `warning`.
    func shownByFFmpeg() async throws -> (bytes: [UInt8], messages: String) {
        let output = try await ExternalProgram.ffmpeg.run(
            [
                "-v", "warning", "-f", "hevc", "-i", "-", "-fps_mode", "passthrough", "-f", "rawvideo",
                "-pix_fmt", bitDepth == 8 ? "yuv420p" : "yuv420p10le", "-",
            ], input: stream)
        return (output.standardOutput, output.standardError)
    }

    /// What libde265 shows.
    func shownByLibde265() async throws -> [UInt8] {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(stream, to: "stream.hevc")
            try await ExternalProgram.dec265.run(["-q", "-o", folder.path("shown.yuv"), path])
            return try folder.read("shown.yuv")
        }
    }

    /// Whether FFmpeg fails or shows anything but the reconstruction.
    func isShownDifferently() async -> Bool {
        guard let shown = try? await shownByFFmpeg() else { return true }
        return shown.bytes != reconstruction
    }
}
