// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import LibraryBackends
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
        raw.uiIntraPeriod = UInt32(settings.live.maxKeyFrameInterval ?? 0)
        let mode = settings.request.preset.flatMap(OpenH264Backend.presets.firstIndex)
        if let mode { raw.iComplexityMode.rawValue = UInt32(mode) }
        var average = 0
        if case .averageBitRate(let asked) = settings.live.rate.control { average = asked }
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

    /// Sets the size, and the level asked for or else the lowest but 1b.
    ///
    /// The library's own choice knows no more than 60 frames per second; no level has more than 172 (A.3.1).
    private mutating func setPicture(_ settings: ResolvedSettings, _ average: Int, level: Int?) throws(EncoderError) {
        let (picture, rate) = (settings.picture, settings.plan.frameRate)
        guard picture.cropRight == 0, picture.cropBottom == 0 else {
            throw Self.refusal("sides below 16", "16 or more", picture.cropRight > 0 ? .width : .height)
        }
        let lowest = H264Level.lowest(
            width: picture.codedWidth, height: picture.codedHeight, framesPerSecond: min(rate.framesPerSecond, 172),
            bitsPerSecond: average, bufferBits: 0, profile: .main, dpbFrames: 1)
        let used = level.map(H264Level.init) ?? (lowest == .level1b ? H264Level(rawValue: 11) : lowest)
        guard let level = used, level.rawValue <= 52, average <= (level.limits?.bitRate ?? 0) * 1000 else {
            throw Self.refusal(
                "\(picture.codedWidth)x\(picture.codedHeight) at \(rate) frames per second and \(average) bit/s",
                "what level \(H264Level(rawValue: min(settings.plan.level ?? 52, 52))) allows", .profileLevel)
        }
        (raw.iPicWidth, raw.iPicHeight) = (Int32(picture.codedWidth), Int32(picture.codedHeight))
        (layer.iVideoWidth, layer.iVideoHeight) = (raw.iPicWidth, raw.iPicHeight)
        layer.uiLevelIdc.rawValue = UInt32(level.rawValue)
    }

    /// The library counts pictures, 1 to 60 in a second; of others so many share the bits of a longer or shorter one.
    private mutating func setRate(_ settings: ResolvedSettings, _ average: Int) throws(EncoderError) {
        let live = settings.live
        let framesPerSecond = (live.measuredFrameRate ?? settings.plan.frameRate).framesPerSecond
        let bitsPerPicture = Double(average) / framesPerSecond
        guard average == 0 || live.maxQP ?? 51 >= 12 else {
            throw Self.refusal("quantizers below 12 with an average bit rate", "12...51", .maxAllowedFrameQP)
        }
        // The library multiplies by 400, in 32 bits.
        guard bitsPerPicture <= Double(Int32.max / 400) else {
            throw Self.refusal("\(Int(bitsPerPicture)) bits for each picture", "5368709 or less", .averageBitRate)
        }
        raw.fMaxFrameRate = Float(min(max(framesPerSecond, 1), 60))
        layer.fFrameRate = raw.fMaxFrameRate
        raw.bEnableFrameSkip = settings.request.realTime
        (raw.iMinQp, raw.iMaxQp) = (Int32(max(live.minQP ?? 12, 12)), Int32(live.maxQP ?? 51))
        raw.iRCMode = average > 0 ? RC_BITRATE_MODE : RC_OFF_MODE
        raw.iTargetBitrate = Int32(bitsPerPicture * Double(raw.fMaxFrameRate))
        layer.iSpatialBitrate = raw.iTargetBitrate
        guard average > 0, let bits = live.rate.buffer?.bits else { return }
        let asked = "\(average) bit/s within a buffer of \(bits) bits"
        adjust(.averageBitRate, asked, "\(average) bit/s over time", "openh264 keeps no decoder's buffer")
    }

    private mutating func setQuantizer(_ settings: ResolvedSettings) {
        if case .constantQuantizer(let quantizer) = settings.live.rate.control { layer.iDLayerQp = Int32(quantizer) }
        let (asked, live) = (Int(layer.iDLayerQp), settings.live)
        let used = min(max(asked, live.minQP ?? 0), live.maxQP ?? 51)
        layer.iDLayerQp = Int32(used)
        if used != asked, live.rate.control != .automatic {
            adjust(.constantQuantizer, "\(asked)", "\(used)", "the quantizer's bounds allow no other")
        }
        if settings.request.realTime {
            adjust(.realTime, "true", "no difference", "without an average bit rate openh264 drops no picture")
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
