// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import BackendSupport
import Logging

/// Sole owner of one open `ISVCEncoder`, and of the log it writes to.
struct OpenH264Handle: ~Copyable {
    private let raw: UnsafeMutablePointer<ISVCEncoder?>
    private let log: LibraryLog.Context
    /// The library's status for a picture that does not fit its buffer; the encoder takes no more pictures then.
    static let refusal = Int(cmMallocMemeError.rawValue)

    /// Opens an encoder; the library copies `parameters`.
    init(opening parameters: OpenH264Parameters, logger: Logger) throws(EncoderError) {
        let log = LibraryLog.Context(logger, library: "openh264")
        var (copy, status) = (parameters.raw, Int32(0))
        let level = Int32(logger.logLevel <= .debug ? WELS_LOG_INFO : WELS_LOG_WARNING)
        // Warnings tell what sessions tell by themselves: that pictures may be dropped, and how fast they come.
        let take: WelsTraceCallback = { context, level, text in
            guard let context, let text else { return }
            let severity = level <= WELS_LOG_ERROR ? Logger.Level.error : level <= WELS_LOG_WARNING ? .info : .debug
            LibraryLog.at(context).take(String(cString: text), level: severity)
        }
        guard let raw = copenh264_open(&copy, level, take, log.pointer, &status) else {
            throw log.log.failure(of: "openh264's InitializeExt", status)
        }
        log.log.noteOpen()
        self.raw = raw
        self.log = log
    }

    deinit { copenh264_close(raw) }

    /// The SPS and PPS that the stream starts with.
    func parameterSets(_ output: inout SFrameBSInfo) throws(EncoderError) -> [[UInt8]] {
        try check(copenh264_parameter_sets(raw, &output), "EncodeParameterSets")
        return Self.units(of: &output).map { [UInt8]($0) }
    }

    /// Encodes one picture; `output` is valid until the next call.
    func encode(
        _ picture: PixelBuffer, milliseconds: Int64, asKeyFrame: Bool, into output: inout SFrameBSInfo
    ) throws(EncoderError) {
        let planes = (0..<3).map { Optional(picture.unsafeAddress(plane: $0)) }
        let strides = (0..<3).map { Int32(picture.bytesPerRow(plane: $0)) }
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let status = copenh264_encode(raw, planes, strides, width, height, milliseconds, asKeyFrame, &output)
        try check(status, "EncodeFrame")
    }

    /// Goes on with the rates and the key-frame interval of `parameters`.
    func change(to parameters: inout OpenH264Parameters) throws(EncoderError) {
        try check(copenh264_change(raw, &parameters.raw), "SetOption")
    }

    /// Goes on with another constant quantizer, without a key frame.
    func changeQuantizer(to parameters: OpenH264Parameters) throws(EncoderError) {
        var raw = parameters.raw
        try check(copenh264_change_quantizer(self.raw, &raw), "SetOption")
    }

    /// NAL units without start codes, in the library's memory.
    static func units(of output: inout SFrameBSInfo) -> [UnsafeRawBufferPointer] {
        var (units, size) = ([UnsafeRawBufferPointer](), 0)
        while let unit = copenh264_unit(&output, Int32(units.count), &size) {
            units.append(UnsafeRawBufferPointer(start: unit, count: size))
        }
        return units
    }

    private func check(_ status: Int32, _ function: String) throws(EncoderError) {
        guard status == 0 else { throw log.log.failure(of: "openh264's \(function)", status) }
    }
}
