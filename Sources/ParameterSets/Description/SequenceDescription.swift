// SPDX-License-Identifier: MIT

/// What an application can show of a stream, as its headers tell it.
public struct SequenceDescription: Hashable, Sendable {
    /// The standard that the stream is coded by.
    public var codec: VideoCodec
    /// The profile's name, such as `High` or `Main 10`.
    public var profile: String
    /// `Main` or `High`; nil where the codec has no tiers.
    public var tier: String?
    /// The level as people write it, such as `4.1`.
    public var level: String
    /// The codec's name in MIME types, such as `avc1.64001F` (RFC 6381).
    public var codecString: String
    /// The size that is coded, in luma samples; that of a field where HEVC codes fields as pictures.
    public var codedSize: PictureSize
    /// What is cropped off ``codedSize``, in luma samples.
    public var crop: LumaCrop
    /// The size that is shown, in luma samples.
    public var displaySize: PictureSize
    /// The shape of samples; nil when unspecified.
    public var pixelAspectRatio: PixelAspectRatio?
    /// Frames per second, fields where HEVC codes fields as pictures; nil when the stream does not tell.
    public var frameRate: Ratio?
    /// Whether frames may be interlaced, or fields coded by themselves; false when the stream tells nothing of it.
    public var mayBeInterlaced: Bool
    /// How chroma is sampled.
    public var chromaFormat: ChromaFormat
    /// Bits per luma sample.
    public var bitDepthLuma: Int
    /// Bits per chroma sample.
    public var bitDepthChroma: Int
    /// What sample values mean, with names; nil when unspecified, and then of limited range as the standards infer.
    public var color: ColorDescription?
    /// The display that the video was mastered on; nil when the headers given do not tell.
    public var masteringDisplay: MasteringDisplay?
    /// How bright the content gets; nil when the headers given do not tell.
    public var contentLightLevel: ContentLightLevel?
    /// A transfer function preferred to that of ``color``; nil when the headers given do not tell.
    public var alternativeTransfer: AlternativeTransfer?
    /// The ways to deliver the stream that its buffer model tells; empty without buffer model.
    public var bufferModels: [SequenceConfiguration.BufferModel]
    /// How many frames may precede another in decoding and follow it in output.
    public var reorderFrames: Int
    /// How many frames a decoder keeps; in HEVC the one being decoded is among them.
    public var dpbFrames: Int

    /// Describes what a sequence parameter set tells; HDR metadata stands in SEI messages.
    public init<SPS: SequenceParameterSet>(_ sps: SPS) {
        codec = SPS.codec
        profile = sps.profileName
        tier = sps.tierName
        level = sps.levelName
        codecString = sps.codecString(sampleEntry: nil)
        codedSize = sps.codedSize
        crop = sps.crop
        displaySize = sps.displaySize
        pixelAspectRatio = sps.pixelAspectRatio
        frameRate = sps.frameRate
        mayBeInterlaced = sps.mayBeInterlaced
        chromaFormat = sps.chromaFormat
        bitDepthLuma = sps.bitDepthLuma
        bitDepthChroma = sps.bitDepthChroma
        color = sps.color
        bufferModels = sps.bufferModels
        reorderFrames = sps.reorderFrames
        dpbFrames = sps.dpbFrames
    }
}

extension SequenceDescription: CustomStringConvertible {
    /// Most of it in one line.
    ///
    /// ``crop``, ``bitDepthChroma`` and ``alternativeTransfer`` are not in it, and of HDR metadata only the highest
    /// luminance and light level. What the stream does not tell is left out, and its range is limited where it tells
    /// none.
    public var description: String {
        var words = ["\(codec) \(profile)", "level \(level)"]
        words += tier.map { ["\($0) tier"] } ?? []
        words.append("\(displaySize.width)x\(displaySize.height)")
        if displaySize != codedSize {
            words.append("coded \(codedSize.width)x\(codedSize.height)")
        }
        words += mayBeInterlaced ? ["may be interlaced"] : []
        words.append("\(chromaFormat) \(bitDepthLuma) bit")
        words += frameRate.map { ["\($0) frames/s"] } ?? []
        words += pixelAspectRatio.map { ["pixels \($0)"] } ?? []
        if let color, color != ColorDescription(isFullRange: color.isFullRange) {
            words += ["primaries \(color.primariesName)", "transfer \(color.transferName)"]
            words.append("matrix \(color.matrixName)")
        }
        words.append(color?.isFullRange == true ? "full range" : "limited range")
        words += masteringDisplay.map { ["mastered at \($0.maxDisplayMasteringLuminance / 10000) cd/m2"] } ?? []
        if let light = contentLightLevel?.maxContentLightLevel, light > 0 {
            words.append("content up to \(light) cd/m2")
        }
        words += bufferModels.map { "\($0.bitsPerSecond) bit/s with a buffer of \($0.bufferBits) bits" }
        words += ["\(reorderFrames) reordered of \(dpbFrames) frames", codecString]
        return words.joined(separator: ", ")
    }
}
