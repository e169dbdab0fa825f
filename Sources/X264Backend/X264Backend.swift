// SPDX-License-Identifier: MIT

import CX264
public import EncoderAPI
import BackendSupport
public import Logging

/// H.264 with libx264, at 8 and 10 bits.
///
/// What a configuration leaves open is as in the `x264` program (preset medium, a constant rate factor of 23, a key
/// frame every 250 frames, threads for all processors), and the same settings give the same coded slices, byte for
/// byte.
///
/// - Quantizers, in settings and bounds, are those of eight-bit video, 0 to 51, at ten bits too (where the program's
///   own `--qp` counts from -12). A quantizer of 0 at eight bits is lossless, and needs the automatic profile.
/// - Quality is a constant rate factor: 0 is 51, 0.25 is 33, 0.5 is 23 (the program's default), 0.75 is 16, with
///   straight lines between; 1 is lossless when profile, limits and bounds leave it free, else a factor of 1.
/// - Bit rates and buffers count in units of 1000 bit/s and 1000 bits, rounded down.
/// - A constant bit rate is `--filler` with a peak of the same; a variable one is an average below a peak.
/// - A level, which libx264 itself only writes down, bounds constant rate factors by its largest bit rate and buffer,
///   as `--vbv-maxrate` and `--vbv-bufsize` do. A constant quantizer keeps no level.
/// - Real time without a preset means preset veryfast. With any preset and tune there are no B pictures and no
///   lookahead, each picture is one slice, and as many threads as there are times 1080p30 in the pictures code one
///   each, unless a thread count is asked for; each thread but the first adds a frame of delay, which is listed.
/// - Rate control follows the timestamps, which costs one frame of delay. With a frame delay of 0 there is none, nor in
///   real time, nor with the zerolatency tune where the frame rate is known: the library counts frames, and what a
///   frame is worth follows the times of those before, as soon as they are half a frame away from the frame rate, which
///   is 30 where none is known. Averages and limits then hold whatever the frame rate was said to be; an average
///   without a buffer, which only native options make, is kept at the frame rate only. The VUI then says that the frame
///   rate is fixed, which is listed where none is known.
/// - A live change of the average bit rate goes without a new key frame where the buffer model is filled no faster than
///   the average; a constant rate factor or the limits of an open buffer always change so. With the native option
///   `nal-hrd`, or options that decide the rate, the library keeps the rate it was opened with: each change takes
///   another encoder, and without delay the pictures' times are not followed. What is more than the level in
///   the stream allows takes another encoder. After another average the buffer starts small and grows by 0.05 s in
///   each second, so that the stream follows within some three seconds.
/// - Native options may change what neither a setting nor the session decides, and not more than profile and level
///   allow. Values that libx264 reads without looking are refused with those it would take.
/// - A frame delay too short for the trellis of presets slower to placebo, 12 pictures and more, leaves their B
///   pictures to `b-adapt` 1, which is listed.
/// - Where CAVLC is used below High, libx264 takes no largest quantizer below 13, or up to 17 with some presets and
///   tunes; `adjustments` list what it uses.
/// - The expected frame rate changes without a new encoder; what the VUI says stays.
///
/// The same pictures and settings give the same bytes, with one count of threads. For that, macroblock-tree rate
/// control goes without AVX-512 where the width is no multiple of 256: libx264 0.164 then reads memory that it never
/// wrote, and the streams of the `x264` program itself depend on what that memory holds. There they are those of the
/// program with `--asm AVX2`. The native option `asm` with the value `auto` has AVX-512 back.
///
/// libx264 is under the GNU General Public License: so is a program that links this module, unless x264 is licensed
/// otherwise.
public struct X264Backend: ImmediateBackend {
    /// "x264".
    public let identifier = "x264"

    /// Makes a factory; nothing is opened.
    public init() {}

    /// This build of libx264, "x264.h264"; nothing is opened.
    ///
    /// - Returns: One value.
    /// - Throws: ``EncoderError`` with `.unsupported` when the library was built without 4:2:0.
    public func listEncoders() throws(EncoderError) -> [EncoderDescription] {
        guard x264_chroma_format == 0 || x264_chroma_format == X264_CSP_I420 else {
            throw EncoderError(
                .unsupported, reason: "this libx264 was built without 4:2:0; install one that has it (libx264-dev)")
        }
        return [
            EncoderDescription(
                id: "x264.h264", displayName: identifier, libraryVersion: "libx264 \(X264_POINTVER)", codec: .h264,
                capabilities: Self.capabilities)
        ]
    }

    /// Opens an encoder; see ``X264Backend`` for what it makes of settings.
    ///
    /// - Parameters:
    ///   - encoder: The one listed.
    ///   - settings: Checked against its capabilities.
    ///   - logger: Takes the library's messages: errors and warnings as such, the rest as debug and trace.
    /// - Returns: An encoder that nobody else holds.
    /// - Throws: ``EncoderError`` that names the value the library cannot take, or with `.backendFailure` and its
    ///   words.
    public func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        try X264Encoder(settings, logger: logger)
    }

    /// Refuses settings that the library's parameters cannot express, and native options that it cannot be opened with:
    /// with those, an encoder is opened for a moment, some milliseconds.
    ///
    /// - Parameters:
    ///   - settings: Checked against the encoder's capabilities.
    ///   - encoder: The one listed.
    /// - Throws: ``EncoderError`` that names the value.
    public func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        _ = try X264Parameters(settings)
        try X264Trial.check(settings)
    }
}

extension X264Backend {
    private static let capabilities: EncoderCapabilities = {
        let has10Bits = bitDepths.contains(10)
        let profiles: [Profile] = [
            .h264Baseline, .h264ConstrainedBaseline, .h264Main, .h264ConstrainedHigh, .h264High,
        ]
        return X264Family.capabilities(
            profiles: (bitDepths.contains(8) ? profiles : []) + (has10Bits ? [.h264High10] : []), bitDepths: bitDepths,
            directPixelFormats: Set([.i420, .nv12, .i010].filter { bitDepths.contains($0.bitDepth) }),
            // What the library opens; H.264 limits the area besides (level 6.2: 139264 macroblocks).
            codedWidths: 2...16384, codedHeights: 2...16384, settings: Set(X264Parameters.assigned.map(\.setting)),
            tunes: X264Names.tunes)
    }()

    /// 0 in the library's configuration means both.
    private static let bitDepths = [8, 10].filter { [0, $0].contains(Int(X264_BIT_DEPTH)) }
}
