// SPDX-License-Identifier: MIT

public import EncoderAPI
import BackendSupport
public import Logging

/// HEVC with libx265 (GPL), in eight, ten and twelve bits as far as the library installed has them.
///
/// Settings that are left alone mean what the `x265` program would do, except that the GOP is closed. With a thread
/// count of 1, coded slices are byte-identical to those of `x265 --pools none --frame-threads 1`; a count of n is
/// `--pools n`, and nil gives the library all cores. More than one thread changes the slices, and with a buffer model
/// differently each time.
///
/// What the settings of the session become:
/// - quality q is `--crf` 51 - 46q: 51 at 0, the default of 28 at 0.5; 1 is `--lossless`.
/// - A constant bit rate is `--strict-cbr` with a peak of the same, which writes filler too, lower by the start
///   codes of pictures, which the library does not count. That a source has two seconds or less is not told then,
///   because the library holds all its pictures for it. A variable rate is an average below a peak.
/// - Quantizers are in the scale of eight bits at every depth. Bounds hold for the mean of a picture before adaptive
///   quantization moves its blocks.
/// - Real time without a preset means preset superfast with tune zerolatency, unless another tune is named. With any
///   preset and tune there are no B pictures, no lookahead and one frame thread: the threads share each picture row by
///   row, so that nothing is held however large the pictures are; with limits under a rate factor one thread codes
///   each.
/// - A level is signalled in the Main tier unless the bit rate needs the High one, and bounds constant-rate-factor
///   modes.
/// - libx265 counts pictures, not time: where presentation times show another frame rate, the session opens it anew,
///   and keeps the parameter sets of the first. It does not keep limits where (nearly) every picture is a key frame.
///   Under a rate factor, limits take the wavefront threads away.
/// - An interval of 1 makes the profile Main Intra of the range extensions, as `--keyint 1` does, unless a profile is
///   named.
/// - Pictures one coding tree unit wide are coded in smaller units, and those up to 16 samples wide are padded to 18:
///   libx265 3.5 predicts from samples that no decoder has where one unit is as wide as the picture.
/// - Native options may change what neither a setting nor the session decides; a level has no option. Values that
///   libx265 does not open with, or reads without looking, are refused with what it would take, found by trying.
/// - A delay limit that the preset does not keep leaves one frame thread and takes lookahead first, then B pictures;
///   below 5 frames, or 4 with a thread count of 1, neither is left.
///
/// The first opening of a process also fills the tables that all encoders of a bit depth share, in some milliseconds:
/// libx265 3.5 lets encoders that begin at once read them half filled.
///
/// Each opening of libx265 3.5 leaves some 5 kB of memory behind, which a C program that opens and closes it loses as
/// well: the library has no function that frees it while other encoders may be open. A session opens it once, and again
/// for each restart.
///
/// libx265 3.5 reports nothing but success or failure, so everything it would refuse is checked before it is asked. Its
/// bit rate does not change while it runs: ``CompressionSession/update(_:)`` restarts at a key frame.
public struct X265Backend: ImmediateBackend {
    /// "x265".
    public let identifier = "x265"

    /// Makes the back end; it holds nothing.
    public init() {}

    /// libx265 with the bit depths found, "x265.hevc"; nothing is opened.
    ///
    /// - Returns: One value.
    /// - Throws: ``EncoderError`` with `.unsupported` when the library is not the one this was built with.
    public func listEncoders() throws(EncoderError) -> [EncoderDescription] {
        let libraries = X265Library.possibleBitDepths.compactMap { try? X265Library(bitDepth: $0) }
        guard let first = libraries.first else {
            throw EncoderError(
                .unsupported, reason: "no libx265 that fits its header: install libx265-dev and rebuild")
        }
        let formats: [Int: PixelFormat] = [8: .i420, 10: .i010, 12: .i012]
        let profiles: [Int: Profile] = [8: .hevcMain, 10: .hevcMain10, 12: .hevcMain12]
        let depths = libraries.map(\.bitDepth)
        let capabilities = X264Family.capabilities(
            profiles: depths.compactMap { profiles[$0] }, bitDepths: depths,
            directPixelFormats: Set(depths.compactMap { formats[$0] }), codedWidths: Self.codedWidths,
            codedHeights: Self.codedHeights, settings: Set(X265Parameters.assigned.map(\.setting)),
            tunes: X265Library.tunes)
        return [
            EncoderDescription(
                id: "x265.hevc", displayName: identifier, libraryVersion: "x265 \(first.version)", codec: .hevc,
                capabilities: capabilities)
        ]
    }

    /// Opens libx265; see ``X265Backend`` for what it makes of settings.
    ///
    /// - Parameters:
    ///   - encoder: The one listed.
    ///   - settings: Checked against its capabilities.
    ///   - logger: Takes one message of this back end's; libx265 itself is silent.
    /// - Returns: An encoder that nobody else holds.
    /// - Throws: ``EncoderError`` that names the value libx265 cannot take, or with `.backendFailure` where it fails.
    public func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        let open = try X265Encoder(settings)
        logger.debug("opened libx265, \(settings.picture.bitDepth) bit, holding up to \(open.maximumDelay) frames")
        return open
    }

    /// Refuses settings that libx265 would refuse without a reason; with native options by opening an encoder for a
    /// moment, some milliseconds.
    ///
    /// - Parameters:
    ///   - settings: Checked against the encoder's capabilities.
    ///   - encoder: The one listed.
    /// - Throws: ``EncoderError`` that names the value.
    public func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        let library = try X265Library(bitDepth: settings.picture.bitDepth)
        _ = try X265Setup(settings, library: library)
        try X265Setup.checkOptions(settings, library: library)
    }
}

extension X265Backend {
    /// Widths a coded picture may have: from more than one coding tree unit to what level 6.2 allows, rounded down.
    static let codedWidths = 18...16384
    /// Heights a coded picture may have: from one coding tree unit to what level 6.2 allows, rounded down.
    static let codedHeights = 16...16384
}
