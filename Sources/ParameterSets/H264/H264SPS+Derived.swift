// SPDX-License-Identifier: MIT

// What an application asks an SPS for.
extension H264SPS {
    /// The chroma format.
    public var chromaFormat: ChromaFormat { format.chromaFormat }

    /// `ChromaArrayType`: `chroma_format_idc`, or 0 when planes are coded apart (7.4.2.1.1).
    public var chromaArrayType: Int { format.chromaArrayType }

    /// Bits per luma sample, 8...14.
    public var bitDepthLuma: Int { format.bitDepthLumaMinus8 + 8 }

    /// Bits per chroma sample, 8...14.
    public var bitDepthChroma: Int { format.bitDepthChromaMinus8 + 8 }

    /// `PicSizeInMapUnits`: what slice groups divide (7-17).
    public var picSizeInMapUnits: Int { (picWidthInMbsMinus1 + 1) * (picHeightInMapUnitsMinus1 + 1) }

    /// The frame's size as it is coded, in luma samples: whole macroblocks (7-13...7-18).
    public var codedSize: PictureSize {
        PictureSize(
            width: (picWidthInMbsMinus1 + 1) * 16,
            height: (picHeightInMapUnitsMinus1 + 1) * (frameMbsOnlyFlag ? 16 : 32))
    }

    /// What is cropped off ``codedSize``, in luma samples (7-19...7-22).
    public var crop: LumaCrop {
        let (width, height) = cropUnit
        return frameCropping?.lumaCrop(unitWidth: width, unitHeight: height) ?? LumaCrop()
    }

    /// The size of a crop unit in luma samples: `CropUnitX` and `CropUnitY`.
    var cropUnit: (width: Int, height: Int) {
        let format = chromaArrayType == 0 ? .monochrome : chromaFormat
        return (format.subWidth, format.subHeight * (frameMbsOnlyFlag ? 1 : 2))
    }

    /// Whether there may be fields or interlaced frames: `frame_mbs_only_flag` is not set.
    public var mayBeInterlaced: Bool { !frameMbsOnlyFlag }

    /// The profile with its constraints.
    public var profile: H264Profile { H264Profile(profileIdc: profileIdc, constraints: constraints) }

    /// The level.
    public var level: H264Level { H264Level(levelIdc: levelIdc, profile: profile) }

    /// The shape of samples; nil when unspecified.
    public var pixelAspectRatio: PixelAspectRatio? { vui?.aspectRatio?.pixelAspectRatio }

    /// Frames per second if every frame has two fields of one tick; nil when the stream does not tell (E.2.1).
    ///
    /// Without `fixed_frame_rate_flag` frames may last longer.
    public var frameRate: Ratio? {
        guard let ticks = vui?.timing?.ticksPerSecond else { return nil }
        return Ratio(ticks.numerator, ticks.denominator * 2).reduced
    }

    /// What sample values mean; nil when unspecified.
    public var color: ColorDescription? { vui?.videoSignalType?.color }

    /// How many frames a decoder buffers, 0...16: told by the stream, or the level's most (A.3.1, E.2.1).
    public var dpbFrames: Int {
        if let restriction = vui?.bitstreamRestriction {
            return max(restriction.maxDecFrameBuffering, maxNumRefFrames)
        }
        guard !profile.isIntraOnly else { return 0 }
        return level.maxDpbFrames(codedSize) ?? 16
    }

    /// How many frames may precede another in decoding and follow it in output, 0...16.
    ///
    /// Told by the stream; otherwise 0 where the order of output is that of decoding, and ``dpbFrames`` elsewhere
    /// (E.2.1).
    public var reorderFrames: Int {
        if let restriction = vui?.bitstreamRestriction {
            return restriction.maxNumReorderFrames
        }
        return picOrderCnt.type == 2 ? 0 : dpbFrames
    }

    /// The codec's name in MIME types, such as `avc1.64001F` (RFC 6381 3.3).
    ///
    /// - Parameter sampleEntry: `avc1`, which nil stands for, or `avc3` when parameter sets travel among the samples.
    /// - Returns: The entry, a dot, and six hexadecimal digits for profile, constraints and level.
    public func codecString(sampleEntry: String? = nil) -> String {
        CodecString.h264(sampleEntry ?? "avc1", profile, levelIdc)
    }
}
