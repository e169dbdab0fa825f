// SPDX-License-Identifier: MIT

import COpenH264
public import EncoderAPI
public import Logging

/// H.264 without B pictures with libopenh264, whose licence (BSD) any application can follow.
///
/// The library is opened when it is first asked for: programs start without it. What a configuration leaves open is as
/// in the library, but for level, rate control, scene cuts and the ids of parameter sets. The same settings give the
/// same bytes.
///
/// - Baseline with CAVLC, unless a profile or CABAC is asked for; Main and High with CABAC, unless CAVLC is. Levels up
///   to 5.2, hence up to 36864 macroblocks.
/// - An average bit rate or a constant quantizer; 26 where nothing is asked. The average is kept over time, not within
///   a decoder's buffer, with quantizers of 12 or more; data-rate limits, and constant and
///   variable bit rates, are refused.
/// - A picture that is too large for the library's buffer, which has a byte for each sample, is coded with a larger
///   quantizer, and comes out as dropped with `.failed` where no larger one is allowed. A picture that the library
///   refused at first is a key frame, and so is each that takes a larger quantizer with an average; there the smallest
///   quantizer stays larger until the next key frame that is due or forced. `AccessUnit.averageQP` tells the quantizer
///   of each picture.
/// - Where less than one frame comes in a second, or the level allows no more, pictures get fewer bits than the average
///   has for them, which is listed.
/// - Real time lets rate control drop pictures where the average is too low for them. No picture is held, in real time
///   or not.
/// - Threads, 1 where nothing is asked and 4 at most, code a slice each; in real time a picture is one slice.
/// - Presets are the library's complexity modes. Averages that the level in the stream allows, frame rates and
///   key-frame intervals change without a key frame; quantizers, and what is above the level, take another encoder.
/// - Key frames come at intervals and forced, not at scene cuts; besides at pictures that are too large for the
///   library's buffer, as said above.
public struct OpenH264Backend: ImmediateBackend {
    /// "openh264".
    public let identifier = "openh264"

    /// Makes a factory; nothing is opened.
    public init() {}

    /// The library, "openh264.h264"; no encoder is opened.
    ///
    /// - Returns: One value.
    /// - Throws: ``EncoderError`` with `.noEncoder` when the library is missing, or not of the version this was built
    ///   for.
    public func listEncoders() throws(EncoderError) -> [EncoderDescription] {
        if let missing = copenh264_missing() { throw EncoderError(.noEncoder, reason: String(cString: missing)) }
        var capabilities = EncoderCapabilities(
            profiles: [.h264Baseline, .h264ConstrainedBaseline, .h264Main, .h264ConstrainedHigh, .h264High],
            // Level 5.2 ends at 543 macroblocks in a row or column (A.3.1).
            bitDepths: [8], directPixelFormats: [.i420], codedWidths: 16...8688, codedHeights: 16...8688,
            settings: [
                .realTime, .profileLevel, .maxKeyFrameInterval, .maxKeyFrameIntervalDuration, .averageBitRate,
                .allowFrameReordering, .h264EntropyMode, .expectedFrameRate, .maxFrameDelayCount, .sourceFrameCount,
                .minAllowedFrameQP, .maxAllowedFrameQP, .forceKeyFrame, .pixelAspectRatio, .color, .bitRateCeiling,
                .constantQuantizer, .preset, .threadCount,
            ],
            quantizers: 0...51)
        capabilities.presets = Self.presets
        return [
            EncoderDescription(
                id: "openh264.h264", displayName: identifier,
                libraryVersion: "libopenh264 \(String(cString: copenh264_version()))", codec: .h264,
                capabilities: capabilities)
        ]
    }

    /// Opens an encoder; `logger` gets the library's warnings as information, as sessions warn of the same.
    ///
    /// - Returns: An encoder that nobody else holds.
    /// - Throws: ``EncoderError`` that names the value, as ``check(_:for:)`` does, or `.backendFailure` with the
    ///   library's words.
    public func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        try OpenH264Encoder(settings, logger: logger)
    }

    /// Refuses settings that the library's parameters cannot express.
    ///
    /// Asks the defaults of an encoder that is made for that and never opened.
    ///
    /// - Throws: ``EncoderError`` that names the value and what is legal.
    public func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        _ = try OpenH264Parameters(settings)
    }

    /// The library's complexity modes, fastest first.
    static let presets = ["low", "medium", "high"]
}
