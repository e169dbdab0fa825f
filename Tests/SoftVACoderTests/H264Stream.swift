// SPDX-License-Identifier: MIT

import SoftVAHarness
import TestSupport

/// A stream of softva's H.264 coder, and what decoders show of it.
struct H264Stream: Sendable {
    /// Profile, size and tools in words, for messages.
    let description: String
    let bytes: [UInt8]
    /// I420 in output order, cropped.
    let reconstruction: [UInt8]
    let status: Int32
    let violations: Int32
    /// The first field that the coder found fault with, empty if there is none.
    let field: String
    /// Whether openh264 can be asked.
    let isPlain: Bool
    /// Bytes of all pictures but the first.
    let laterBytes: Int
    /// PSNR of the luma of the worst picture in dB.
    let lowestPSNR: Double

    /// Encodes the stream of `seed`, with a fault in it or none.
    init(seed: UInt64, fault: h264_fault = H264_NO_FAULT) {
        self.init(h264_run(seed, fault), name: "seed \(seed)")
    }

    /// Encodes a file of NV12 pictures at QP 28.
    init(clip: String, width: Int32, height: Int32, frames: Int32, gop: Character, cabac: Bool) {
        let letter = CChar(bitPattern: gop.asciiValue ?? 0)
        self.init(h264_run_clip(clip, width, height, frames, letter, cabac), name: "\(gop)")
    }

    private init(_ encoded: h264_result, name: String) {
        var result = encoded
        defer { h264_result_free(&result) }
        description = name + ": " + withUnsafeBytes(of: result.description) { Self.text($0) }
        bytes = [UInt8](UnsafeBufferPointer(start: result.stream, count: result.stream_size))
        reconstruction = [UInt8](UnsafeBufferPointer(start: result.reconstruction, count: result.reconstruction_size))
        status = result.status
        violations = result.violations
        field = withUnsafeBytes(of: result.field) { Self.text($0) }
        isPlain = result.is_plain
        laterBytes = result.later_bytes
        lowestPSNR = result.lowest_psnr
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// What FFmpeg shows, and what it says at level `warning`.
    func shownByFFmpeg() async throws -> (bytes: [UInt8], messages: String) {
        let output = try await ExternalProgram.ffmpeg.run(
            [
                "-v", "warning", "-xerror", "-err_detect", "explode", "-f", "h264", "-i", "-",
                "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
            ], input: bytes)
        return (output.standardOutput, output.standardError)
    }

    /// Whether FFmpeg fails, complains, or shows anything but the reconstruction.
    func isShownDifferently() async -> Bool {
        guard let shown = try? await shownByFFmpeg() else { return true }
        return shown.messages != "" || shown.bytes != reconstruction
    }
}
