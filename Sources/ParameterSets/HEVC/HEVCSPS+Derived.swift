// SPDX-License-Identifier: MIT

// What an application asks a sequence parameter set for. A multilayer set (``HEVCSPS/multilayer``) leaves format,
// profile and buffering to the video parameter set: its values here are the defaults and tell nothing.
extension HEVCSPS {
    /// The profile with its tier and constraints.
    public var profile: HEVCProfile { profileTierLevel.profile }

    /// Whether the level's High-tier limits apply.
    public var isHighTier: Bool { profile.tierFlag }

    /// The level.
    public var level: HEVCLevel { HEVCLevel(rawValue: profileTierLevel.levelIdc) }

    /// The size that is coded, in luma samples: whole smallest coding blocks.
    public var codedSize: PictureSize {
        PictureSize(width: format.picWidthInLumaSamples, height: format.picHeightInLumaSamples)
    }

    /// What the conformance window leaves out of ``codedSize``, in luma samples.
    public var crop: LumaCrop { format.crop }

    /// Whether pictures are fields (`field_seq_flag`), or the profile says that the source was interlaced and not that
    /// it was progressive.
    public var mayBeInterlaced: Bool {
        vui?.fieldSeqFlag == true || (profile.interlacedSourceFlag && !profile.progressiveSourceFlag)
    }

    /// How chroma is sampled.
    public var chromaFormat: ChromaFormat { format.chromaFormat }

    /// Bits per luma sample, 8...16.
    public var bitDepthLuma: Int { format.bitDepthLumaMinus8 + 8 }

    /// Bits per chroma sample, 8...16.
    public var bitDepthChroma: Int { format.bitDepthChromaMinus8 + 8 }

    /// Pictures per second that the clock of the VUI tells, fields where pictures are fields; nil when it tells none.
    ///
    /// With a buffer model of constant rate, pictures are `elemental_duration_in_tc_minus1` + 1 ticks apart; otherwise
    /// one (E.3.1, E.3.2).
    public var frameRate: Ratio? {
        guard let timing = vui?.timing, let ticks = timing.clock.ticksPerSecond else { return nil }
        let duration = (timing.hrd?.subLayers.last?.elementalDurationInTcMinus1 ?? 0) + 1
        return Ratio(ticks.numerator, ticks.denominator * duration).reduced
    }

    /// The shape of samples; nil when unspecified.
    public var pixelAspectRatio: PixelAspectRatio? { vui?.aspectRatio?.pixelAspectRatio }

    /// What sample values mean; nil when unspecified.
    public var color: ColorDescription? { vui?.videoSignalType?.color }

    /// How many pictures come before a picture in decoding order and after it in output order, 0...15.
    public var reorderFrames: Int { ordering.highest.maxNumReorderPics }

    /// How many pictures a decoder keeps, the one being decoded included, 1...16.
    public var dpbFrames: Int { ordering.highest.maxDecPicBufferingMinus1 + 1 }

    /// The codec's name in MIME types (ISO/IEC 14496-15 annex E), such as `hvc1.1.6.L93.B0`.
    ///
    /// - Parameter sampleEntry: `hvc1`, which nil stands for, or `hev1` where parameter sets also travel in the stream.
    /// - Returns: See ``HEVCProfileTierLevel/codecString(sampleEntry:)``.
    public func codecString(sampleEntry: String? = nil) -> String {
        profileTierLevel.codecString(sampleEntry: sampleEntry ?? "hvc1")
    }

    /// `PicWidthInCtbsY`: coding tree blocks in a row.
    var picWidthInCtbs: Int { Self.blocks(format.picWidthInLumaSamples, blocks.ctbLog2Size) }

    /// `PicHeightInCtbsY`: rows of coding tree blocks.
    var picHeightInCtbs: Int { Self.blocks(format.picHeightInLumaSamples, blocks.ctbLog2Size) }

    private static func blocks(_ samples: Int, _ log2Size: Int) -> Int {
        (samples + (1 << log2Size) - 1) >> log2Size
    }
}
