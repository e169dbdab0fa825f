// SPDX-License-Identifier: MIT

/// What the sequence parameter sets of both codecs tell an application.
public protocol SequenceParameterSet: Hashable, Sendable {
    /// The standard that the set belongs to.
    static var codec: VideoCodec { get }
    /// The profile's name in the standard, or the number of a profile it does not name.
    var profileName: String { get }
    /// `Main` or `High`; nil where the codec has no tiers.
    var tierName: String? { get }
    /// The level as people write it, such as `4.1`.
    var levelName: String { get }
    /// The frame's size as it is coded, in luma samples; a field's where HEVC codes fields as pictures.
    var codedSize: PictureSize { get }
    /// What is cropped off ``codedSize``, in luma samples.
    var crop: LumaCrop { get }
    /// Whether frames may be interlaced, or fields coded by themselves; false when the set tells nothing of it.
    var mayBeInterlaced: Bool { get }
    /// How chroma is sampled.
    var chromaFormat: ChromaFormat { get }
    /// Bits per luma sample, 8...16.
    var bitDepthLuma: Int { get }
    /// Bits per chroma sample, 8...16.
    var bitDepthChroma: Int { get }
    /// Frames per second, fields where HEVC codes fields as pictures; nil when the set does not tell.
    var frameRate: Ratio? { get }
    /// The shape of samples; nil when unspecified.
    var pixelAspectRatio: PixelAspectRatio? { get }
    /// What sample values mean; nil when unspecified.
    var color: ColorDescription? { get }
    /// The ways to deliver the stream that its buffer model tells; empty without buffer model.
    var bufferModels: [SequenceConfiguration.BufferModel] { get }
    /// How many frames may precede another in decoding and follow it in output, 0...16.
    var reorderFrames: Int { get }
    /// How many frames a decoder keeps, 0...16; in HEVC the one being decoded is among them.
    var dpbFrames: Int { get }

    /// The codec's name in MIME types, such as `avc1.64001F` or `hvc1.1.6.L93.B0`; nil for the usual sample entry.
    func codecString(sampleEntry: String?) -> String
}

extension SequenceParameterSet {
    /// The frame's size as it is shown, in luma samples; a field's where HEVC codes fields as pictures.
    public var displaySize: PictureSize {
        let (size, crop) = (codedSize, crop)
        return PictureSize(
            width: size.width - crop.left - crop.right, height: size.height - crop.top - crop.bottom)
    }
}

extension H264SPS: SequenceParameterSet {
    /// H.264.
    public static var codec: VideoCodec { .h264 }
    /// The profile's name, or the number of a profile that the standard does not name.
    public var profileName: String { profile.description }
    /// Nil: H.264 has no tiers.
    public var tierName: String? { nil }
    /// The level, such as `4.1` or `1b`.
    public var levelName: String { level.description }

    /// The schedules of the whole stream's buffer model, or of the slices' where only that is told.
    public var bufferModels: [SequenceConfiguration.BufferModel] {
        guard let model = vui?.nalHRD ?? vui?.vclHRD else { return [] }
        return model.schedules.map { .init($0, bitRateScale: model.bitRateScale, cpbSizeScale: model.cpbSizeScale) }
    }
}

extension HEVCSPS: SequenceParameterSet {
    /// HEVC.
    public static var codec: VideoCodec { .hevc }
    /// The profile's name, or the number of a profile that the standard does not name.
    public var profileName: String { profile.description }
    /// `High` or `Main`.
    public var tierName: String? { isHighTier ? "High" : "Main" }
    /// The level, such as `4.1`.
    public var levelName: String { level.description }

    /// The highest sub-layer's schedules of the whole stream, or of the slices where only those are told.
    public var bufferModels: [SequenceConfiguration.BufferModel] {
        guard let model = vui?.timing?.hrd, let layer = model.subLayers.last else { return [] }
        let schedules = layer.nalSchedules.isEmpty ? layer.vclSchedules : layer.nalSchedules
        let (rateScale, sizeScale) = (model.common.bitRateScale, model.common.cpbSizeScale)
        return schedules.map { .init($0, bitRateScale: rateScale, cpbSizeScale: sizeScale) }
    }
}

extension SequenceConfiguration.BufferModel {
    fileprivate init(_ schedule: HRDSchedule, bitRateScale: Int, cpbSizeScale: Int) {
        self.init(
            bitsPerSecond: schedule.bitsPerSecond(scale: bitRateScale),
            bufferBits: schedule.bufferBits(scale: cpbSizeScale), isConstant: schedule.cbrFlag)
    }
}
