// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import BackendSupport
import ParameterSets

/// Settings in libopenh264's terms: every assignment that the back end makes to the library's defaults.
///
/// The defaults are asked of an encoder that is made for that and never opened.
struct OpenH264Parameters {
    /// What the library opens.
    var raw = SEncParamExt()
    /// Where the values differ from the settings.
    private(set) var adjustments: [Adjustment] = []
    private var layer: SSpatialLayerConfig
    /// The level that is written, in tenths.
    var level: Int { Int(layer.uiLevelIdc.rawValue) }
    /// The largest quantizer that a picture may have.
    private(set) var largestQuantizer = 51
    /// Whether rate control keeps an average; otherwise the quantizer is constant.
    var hasAverage: Bool { raw.iRCMode != RC_OFF_MODE }
    /// Whether a picture has several slices.
    var hasSlices: Bool { layer.sSliceArgument.uiSliceNum > 1 }
    /// Whether the library writes behind the end of its buffer where a picture does not fit, in place of refusing it.
    var overrunsBuffer: Bool { hasSlices || raw.iEntropyCodingModeFlag != 0 }
    /// The constant quantizer, or the smallest that rate control takes.
    var leastQuantizer: Int { Int(hasAverage ? raw.iMinQp : layer.iDLayerQp) }

    /// Maps `settings`, for an encoder that was opened with a level where there is one already.
    ///
    /// - Throws: ``EncoderError`` that names the value the library cannot take.
    init(_ settings: ResolvedSettings, openedAt level: Int? = nil) throws(EncoderError) {
        guard copenh264_defaults(&raw) else {
            throw EncoderError(.outOfMemory, reason: "no memory for the parameters of openh264")
        }
        layer = raw.sSpatialLayers.0
        raw.eSpsPpsIdStrategy = CONSTANT_ID
        // A cut found there may be but the change of quality that an update asked for.
        raw.bEnableSceneChangeDetect = false
        raw.uiIntraPeriod = UInt32(settings.live.asked.maxKeyFrameInterval ?? 0)
        let mode = settings.request.preset.flatMap(OpenH264Backend.presets.firstIndex)
        if let mode { raw.iComplexityMode.rawValue = UInt32(mode) }
        let average = settings.live.rate.control.bitsPerSecond ?? 0
        try setPicture(settings, average, level: level ?? settings.plan.level)
        try setRate(settings, average)
        if average == 0 { setQuantizer(settings) }
        setThreads(settings)
        setStream(settings.request)
        raw.sSpatialLayers.0 = layer
        adjustments += .noPlan(settings.request, reason: "openh264 does not look ahead")
    }

    /// Whether an encoder that was opened with `other` can go on with these.
    func differsInRatesOnly(from other: OpenH264Parameters) -> Bool {
        raw.iRCMode == other.raw.iRCMode && raw.iMinQp == other.raw.iMinQp && raw.iMaxQp == other.raw.iMaxQp
            && layer.iDLayerQp == other.layer.iDLayerQp
    }

    /// These parameters with another ``leastQuantizer``, up to ``largestQuantizer``.
    func coarsened(to quantizer: Int) -> OpenH264Parameters {
        var copy = self
        if hasAverage { copy.raw.iMinQp = Int32(quantizer) } else { copy.layer.iDLayerQp = Int32(quantizer) }
        copy.raw.sSpatialLayers.0 = copy.layer
        return copy
    }

    /// Sets the size, and the level asked for or else the lowest.
    ///
    /// The library's own choice knows no more than 60 frames per second.
    private mutating func setPicture(_ settings: ResolvedSettings, _ average: Int, level: Int?) throws(EncoderError) {
        let (picture, rate) = (settings.picture, settings.plan.frameRate)
        guard picture.cropRight == 0, picture.cropBottom == 0 else {
            throw Self.refusal("sides below 16", "16 or more", picture.cropRight > 0 ? .width : .height)
        }
        let size = PictureSize(width: picture.codedWidth, height: picture.codedHeight)
        let used =
            level
            ?? LevelPlanner(codec: .h264, size: size, profile: .h264Main).lowest(
                framesPerSecond: min(rate.framesPerSecond, LevelPlanner.mostFramesPerSecond(.h264)),
                bitsPerSecond: average, referenceFrames: 1)
        guard let level = used, level <= 52, average <= (H264Level(rawValue: level).limits?.bitRate ?? 0) * 1000 else {
            throw Self.refusal(
                "\(picture.codedWidth)x\(picture.codedHeight) at \(rate) frames per second and \(average) bit/s",
                "what level \(H264Level(rawValue: min(settings.plan.level ?? 52, 52))) allows", .profileLevel)
        }
        (raw.iPicWidth, raw.iPicHeight) = (Int32(picture.codedWidth), Int32(picture.codedHeight))
        (layer.iVideoWidth, layer.iVideoHeight) = (raw.iPicWidth, raw.iPicHeight)
        layer.uiLevelIdc.rawValue = UInt32(level)
    }

    /// The library takes 1 to 60 pictures in a second.
    ///
    /// At any other rate it is told the nearest, and an average that gives each picture the bits it has at the real
    /// rate.
    ///
    /// A picture gets no more bits than the library calculates with, nor a second of them more than the level allows.
    private mutating func setRate(_ settings: ResolvedSettings, _ average: Int) throws(EncoderError) {
        let live = settings.live
        let framesPerSecond = (live.pace ?? settings.plan.frameRate).framesPerSecond
        raw.fMaxFrameRate = Float(min(max(framesPerSecond, 1), 60))
        layer.fFrameRate = raw.fMaxFrameRate
        raw.bEnableFrameSkip = settings.request.realTime
        largestQuantizer = live.asked.maxAllowedFrameQP ?? 51
        (raw.iMinQp, raw.iMaxQp) = (Int32(max(live.asked.minAllowedFrameQP ?? 12, 12)), Int32(largestQuantizer))
        guard average > 0 else { return raw.iRCMode = RC_OFF_MODE }
        guard largestQuantizer >= 12 else {
            throw Self.refusal("quantizers below 12 with an average bit rate", "12...51", .maxAllowedFrameQP)
        }
        raw.iRCMode = RC_BITRATE_MODE
        let counted = Double(raw.fMaxFrameRate)
        // cpbBrNalFactor is 1200 (A.3.1), with which the library counts.
        let ofLevel = Double(H264Level(rawValue: self.level).limits?.bitRate ?? 0) * 1200
        // The library multiplies by 400, in 32 bits.
        let most = min(Double(Int32.max / 400), ofLevel / counted)
        let asked = Double(average) / framesPerSecond
        // Frames that come faster than bits have one each: the library takes no less.
        let bitsPerPicture = max(min(asked, most), live.pace == nil ? 0 : 1)
        raw.iTargetBitrate = Int32(bitsPerPicture * counted)
        layer.iSpatialBitrate = raw.iTargetBitrate
        if asked > most {
            adjust(
                .averageBitRate, "\(average) bit/s", "\(Int(most * framesPerSecond)) bit/s",
                "openh264 codes no picture with more than \(Int(most)) bits at this frame rate and level")
        }
        guard let bits = live.rate.buffer?.bits else { return }
        let wanted = "\(average) bit/s within a buffer of \(bits) bits"
        adjust(.averageBitRate, wanted, "\(average) bit/s over time", "openh264 keeps no decoder's buffer")
    }

    private mutating func setQuantizer(_ settings: ResolvedSettings) {
        if case .constantQuantizer(let quantizer) = settings.live.rate.control { layer.iDLayerQp = Int32(quantizer) }
        let (asked, live) = (Int(layer.iDLayerQp), settings.live)
        let used = min(max(asked, live.asked.minAllowedFrameQP ?? 0), live.asked.maxAllowedFrameQP ?? 51)
        layer.iDLayerQp = Int32(used)
        if used != asked, live.rate.control != .automatic {
            adjust(.constantQuantizer, "\(asked)", "\(used)", "the quantizer's bounds allow no other")
        }
        if settings.request.realTime {
            adjust(.realTime, "true", "one slice a picture", "without an average bit rate openh264 drops no picture")
        }
        adjustments += .levelWithoutRate(settings)
    }

    /// One slice for each thread; rate control needs two or four rows of macroblocks in each.
    private mutating func setThreads(_ settings: ResolvedSettings) {
        let (columns, rows) = ((settings.picture.codedWidth + 15) / 16, (settings.picture.codedHeight + 15) / 16)
        let isWhole = settings.request.realTime || columns * rows <= 48
        let asked = settings.request.threadCount ?? 1
        let used = isWhole ? 1 : min(asked, max(rows / (columns <= 30 ? 2 : 4), 1), 4)
        raw.iMultipleThreadIdc = UInt16(used)
        // Else slices would depend on how fast each thread was.
        raw.bUseLoadBalancing = false
        layer.sSliceArgument.uiSliceMode = used > 1 ? SM_FIXEDSLCNUM_SLICE : SM_SINGLE_SLICE
        layer.sSliceArgument.uiSliceNum = UInt32(used)
        if used < asked { adjust(.threadCount, "\(asked)", "\(used)", "openh264 codes no more slices of a picture") }
    }

    private mutating func setStream(_ request: SessionConfiguration) {
        let profile = request.profileLevel.profile
        let usesCABAC = request.h264EntropyMode.map { $0 == .cabac } ?? profile?.allowsCABAC ?? false
        raw.iEntropyCodingModeFlag = usesCABAC ? 1 : 0
        let isHigh = profile == .h264High || profile == .h264ConstrainedHigh
        layer.uiProfileIdc = isHigh ? PRO_HIGH : usesCABAC || profile == .h264Main ? PRO_MAIN : PRO_BASELINE
        if let ratio = request.pixelAspectRatio {
            (layer.bAspectRatioPresent, layer.eAspectRatio) = (true, ASP_EXT_SAR)
            layer.sAspectRatioExtWidth = UInt16(ratio.horizontalSpacing)
            layer.sAspectRatioExtHeight = UInt16(ratio.verticalSpacing)
        }
        guard let color = request.signalledColor else { return }
        (layer.bVideoSignalTypePresent, layer.bColorDescriptionPresent) = (true, true)
        layer.bFullRange = color.isFullRange
        layer.uiColorPrimaries = UInt8(color.primaries)
        layer.uiTransferCharacteristics = UInt8(color.transfer)
        layer.uiColorMatrix = UInt8(color.matrix)
    }

    private mutating func adjust(_ setting: Setting, _ requested: String, _ used: String, _ reason: String) {
        adjustments.append(Adjustment(setting, requested: requested, used: used, reason: reason))
    }

    private static func refusal(_ what: String, _ expected: String, _ setting: Setting) -> EncoderError {
        EncoderError(.invalidValue, reason: "\(what), expected \(expected) with openh264", setting: setting)
    }
}
