// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import Logging
import Synchronization

/// Sole owner of one open `ISVCEncoder`, and of the log it writes to.
struct OpenH264Handle: ~Copyable {
    private let raw: UnsafeMutablePointer<ISVCEncoder?>
    // Retained until the library is closed.
    private let log: Unmanaged<OpenH264Log>

    /// Opens an encoder; the library copies `parameters`.
    init(opening parameters: OpenH264Parameters, logger: Logger) throws(EncoderError) {
        log = Unmanaged.passRetained(OpenH264Log(logger))
        var (copy, status) = (parameters.raw, Int32(0))
        let level = Int32(logger.logLevel <= .debug ? WELS_LOG_INFO : WELS_LOG_WARNING)
        let take: WelsTraceCallback = { context, level, text in
            guard let context, let text else { return }
            Unmanaged<OpenH264Log>.fromOpaque(context).takeUnretainedValue().take(String(cString: text), Int(level))
        }
        guard let raw = copenh264_open(&copy, level, take, log.toOpaque(), &status) else {
            throw log.takeRetainedValue().failure(of: "InitializeExt", status)
        }
        self.raw = raw
    }

    deinit {
        copenh264_close(raw)
        log.release()
    }

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

    /// NAL units without start codes, in the library's memory.
    static func units(of output: inout SFrameBSInfo) -> [UnsafeRawBufferPointer] {
        var (units, size) = ([UnsafeRawBufferPointer](), 0)
        while let unit = copenh264_unit(&output, Int32(units.count), &size) {
            units.append(UnsafeRawBufferPointer(start: unit, count: size))
        }
        return units
    }

    private func check(_ status: Int32, _ function: String) throws(EncoderError) {
        guard status == 0 else { throw log._withUnsafeGuaranteedRef { $0.failure(of: function, status) } }
    }
}

/// Takes libopenh264's messages, from whichever of its threads they come, to swift-log.
private final class OpenH264Log: Sendable {
    private let logger: Logger
    /// The cause of those that follow.
    private let firstError = Mutex<String?>(nil)

    init(_ logger: Logger) { self.logger = logger }

    /// Warnings tell what sessions tell by themselves: that pictures may be dropped, and how fast they come.
    func take(_ text: String, _ level: Int) {
        if level <= WELS_LOG_ERROR { firstError.withLock { $0 = $0 ?? text } }
        logger.log(level: level <= WELS_LOG_ERROR ? .error : level <= WELS_LOG_WARNING ? .info : .debug, "\(text)")
    }

    func failure(of function: String, _ status: Int32) -> EncoderError {
        let message = firstError.withLock { $0 } ?? "no reason given"
        return EncoderError(.backendFailure, reason: "openh264: \(function) failed: \(message)", status: Int(status))
    }
}
