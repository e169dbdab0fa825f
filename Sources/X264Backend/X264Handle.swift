// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import Logging

/// Sole owner of one open `x264_t`, and of the log it writes to.
struct X264Handle: ~Copyable {
    private let raw: OpaquePointer
    // The library reports statistics while it closes.
    private let log: LibraryLog.Context

    /// Opens an encoder; libx264 copies `parameters`.
    ///
    /// - Throws: ``EncoderError`` with what the library said when it refuses.
    init(opening parameters: X264Parameters, logger: Logger) throws(EncoderError) {
        let log = LibraryLog.Context(
            logger, library: "x264", quiet: LibraryLog.Context.quiet(hasLimits: parameters.hasLimits))
        log.install(in: &parameters.raw)
        guard let raw = cx264_encoder_open(&parameters.raw) else {
            throw EncoderError(.backendFailure, reason: "x264 does not open: \(log.log.complaint)")
        }
        log.log.noteOpen()
        self.raw = raw
        self.log = log
    }

    deinit { x264_encoder_close(raw) }

    /// Encodes one picture, or with nil goes on with those inside.
    ///
    /// - Returns: The NAL units of the picture that came out, which `output` describes; valid until the next call.
    ///   Empty when none came out.
    func encode(
        _ input: UnsafeMutablePointer<x264_picture_t>?, into output: UnsafeMutablePointer<x264_picture_t>
    ) throws(EncoderError) -> UnsafeBufferPointer<x264_nal_t> {
        var units: UnsafeMutablePointer<x264_nal_t>?
        var count: Int32 = 0
        let status = x264_encoder_encode(raw, &units, &count, input, output)
        guard status >= 0 else { throw failure("x264_encoder_encode", status) }
        return UnsafeBufferPointer(start: UnsafePointer(units), count: status == 0 ? 0 : Int(count))
    }

    /// The SPS and PPS that the stream starts with, without start codes.
    func parameterSets() throws(EncoderError) -> [[UInt8]] {
        var units: UnsafeMutablePointer<x264_nal_t>?
        var count: Int32 = 0
        let status = x264_encoder_headers(raw, &units, &count)
        guard status >= 0 else { throw failure("x264_encoder_headers", status) }
        return UnsafeBufferPointer(start: units, count: Int(count))
            .filter { [Int32(NAL_SPS.rawValue), Int32(NAL_PPS.rawValue)].contains($0.i_type) }
            .map { [UInt8](Self.bytes(of: $0)) }
    }

    /// The NAL unit without its start code.
    static func bytes(of unit: x264_nal_t) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: unit.p_payload, count: Int(unit.i_payload)).withoutStartCode
    }

    /// The parameters in force: what the library made of those it was opened with.
    var parameters: x264_param_t {
        var parameters = x264_param_t()
        x264_encoder_parameters(raw, &parameters)
        return parameters
    }

    /// Changes what the library can change while it runs; what it cannot it leaves without a word.
    func reconfigure(_ parameters: inout x264_param_t) throws(EncoderError) {
        let status = x264_encoder_reconfig(raw, &parameters)
        guard status >= 0 else { throw failure("x264_encoder_reconfig", status) }
    }

    /// Pictures inside.
    var delayedFrames: Int { Int(x264_encoder_delayed_frames(raw)) }

    /// Most pictures that can be inside without flushing.
    var maximumDelayedFrames: Int { Int(x264_encoder_maximum_delayed_frames(raw)) }

    private func failure(_ function: String, _ status: Int32) -> EncoderError {
        log.log.failure(of: function, status)
    }
}
