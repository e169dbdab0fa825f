// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

extension X265Parameters {
    /// The constant rate factor for a quality in 0..<1: 51 at 0, libx265's default of 28 at 0.5, 5 just below 1.
    static func constantRateFactor(quality: Double) -> Double { 51 - 46 * quality }

    /// Sets rate control, its buffer and the bounds of the quantizer.
    static func assignRate(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        // libx265 counts pictures, not time; and multiplies by 1000 again, in 32 bits.
        let rate = try KilobitRate(
            settings.pacedRate, framesPerSecond: settings.plan.frameRate.framesPerSecond,
            pacedBy: settings.pacedShare, most: Int(Int32.max) / 1000, library: "libx265")
        var units: [Adjustment] = []
        switch settings.live.rate.control {
        case .automatic: break
        case .averageBitRate, .constantBitRate, .variableBitRate:
            parameters.rc.rateControlMode = Int32(X265_RC_ABR.rawValue)
            parameters.rc.bitrate = Int32(clamping: rate.average ?? 0)
            if settings.live.rate.control.isConstantBitRate {
                // As the program's `--strict-cbr`, with which the library writes filler too.
                (parameters.rc.bStrictCbr, parameters.rc.pbFactor) = (1, 1)
                let startCodes = startCodes(settings, parameters)
                let rest = max(Int32((Double(parameters.rc.bitrate) - startCodes / 1000).rounded(.down)), 1)
                units = lost(of: parameters.rc.bitrate, leaving: Double(rest) * 1000 + startCodes, settings)
                parameters.rc.bitrate = rest
            }
        case .quality(1): parameters.bLossless = 1
        case .quality(let quality): assign(constantRateFactor: constantRateFactor(quality: quality), &parameters)
        case .constantRateFactor(let factor): assign(constantRateFactor: factor, &parameters)
        case .constantQuantizer(let quantizer):
            parameters.rc.rateControlMode = Int32(X265_RC_CQP.rawValue)
            parameters.rc.qp = Int32(clamping: quantizer)
        }
        let others = try rate.buffer.map { (buffer) throws(EncoderError) in try assign(buffer, settings, &parameters) }
        if parameters.rc.bStrictCbr != 0 { parameters.rc.vbvMaxBitrate = parameters.rc.bitrate }
        try assignQuantizerBounds(settings.live, &parameters)
        return rate.adjustments + units + (others ?? [])
    }

    /// Bits in a second that libx265 counts in no picture of a constant rate: four bytes for a start code, and as many
    /// for each parameter set of a key frame.
    ///
    /// Told the whole rate, more than it comes, for ever, and a decoder's buffer runs dry ever further: 1.0178 times
    /// 60 kbit/s came of the program at 30 pictures in a second, measured on 3.5.
    private static func startCodes(_ settings: ResolvedSettings, _ parameters: x265_param) -> Double {
        let isRepeated = parameters.bRepeatHeaders != 0 && parameters.keyframeMax > 0
        let bitsPerPicture = 32 * (1 + (isRepeated ? 3 / Double(parameters.keyframeMax) : 0))
        return bitsPerPicture * settings.plan.frameRate.framesPerSecond
    }

    /// Lists what units of 1000 bit/s leave of a constant rate beside start codes, where that is off by a hundredth.
    private static func lost(
        of kilobits: Int32, leaving bitsPerSecond: Double, _ settings: ResolvedSettings
    ) -> [Adjustment] {
        let asked = Double(kilobits) * 1000
        guard abs(bitsPerSecond / asked - 1) > 0.01 else { return [] }
        let used = [asked, bitsPerSecond].map { Int(($0 / settings.pacedShare).rounded()) }
        return [
            Adjustment(
                .constantBitRate, requested: "\(used[0]) bit/s", used: "\(used[1]) bit/s",
                reason: "libx265 counts in units of 1000 bit/s, and no start codes")
        ]
    }

    /// Whether every quantizer is fixed beforehand, so that nothing can hold bits or quantizers within bounds.
    static func hasFixedQuantizers(_ parameters: x265_param) -> Bool {
        parameters.bLossless != 0 || parameters.rc.rateControlMode == Int32(X265_RC_CQP.rawValue)
    }

    /// Whether quantizers that are fixed beforehand lie within bounds.
    static func keepsBounds(_ parameters: x265_param, least: Int, most: Int) -> Bool {
        let quantizer = Int(parameters.rc.qp)
        return parameters.bLossless == 0 && least <= max(quantizer - 3, 0) && most >= min(quantizer + 2, 51)
    }

    private static func assign(constantRateFactor factor: Double, _ parameters: inout x265_param) {
        parameters.rc.rateControlMode = Int32(X265_RC_CRF.rawValue)
        parameters.rc.rfConstant = factor
    }

    private static func assign(
        _ buffer: KilobitRate.Buffer, _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        guard !hasFixedQuantizers(parameters) else {
            throw EncoderError(
                .conflictingSettings,
                reason: "a data-rate limit with \(settings.live.rate.control), which nothing can bound",
                setting: .dataRateLimits)
        }
        parameters.rc.vbvMaxBitrate = Int32(clamping: buffer.maximum)
        parameters.rc.vbvBufferSize = Int32(clamping: buffer.size)
        parameters.rc.vbvBufferInit = settings.position.bufferFullness
        return leaveWavefront(settings.request, &parameters)
    }

    /// Gives up wavefront threads, with which libx265 breaks a buffer under a rate factor.
    ///
    /// Measured on 3.5 with a screen recording whose second picture is new, rate factor 18, preset veryfast: 1.3 times
    /// a limit over 0.5 s and 1.2 times one over 1 s with wavefronts, however many frame threads, 0.4 times without.
    private static func leaveWavefront(
        _ request: SessionConfiguration, _ parameters: inout x265_param
    ) -> [Adjustment] {
        guard parameters.rc.rateControlMode == Int32(X265_RC_CRF.rawValue), parameters.bEnableWavefront != 0 else {
            return []
        }
        parameters.bEnableWavefront = 0
        guard let asked = request.threadCount, asked > 1 else { return [] }
        return [
            Adjustment(
                .threadCount, requested: "\(asked)",
                used: request.realTime ? "1" : "threads for pictures, none for their rows",
                reason: "libx265 keeps no limit under a rate factor with wavefront threads")
        ]
    }

    /// Whether a buffer under a rate factor takes the wavefront threads away.
    static func losesWavefront(_ settings: ResolvedSettings) -> Bool {
        guard settings.live.rate.buffer != nil else { return false }
        return switch settings.live.rate.control {
        case .automatic, .quality, .constantRateFactor: true
        default: false
        }
    }

    // rc.qpMin and rc.qpMax bound the mean quantizer of a picture before adaptive quantization, at every bit depth in
    // the scale of eight bits; a constant quantizer takes no notice of them, and moves by -3 for I and up to +2 for B
    // pictures.
    private static func assignQuantizerBounds(
        _ live: LiveParameters, _ parameters: inout x265_param
    ) throws(EncoderError) {
        guard let bound = live.askedQuantizerBound else { return }
        let (least, most) = (live.asked.minAllowedFrameQP, live.asked.maxAllowedFrameQP)
        let (minimum, maximum) = (least ?? 0, most ?? X264Family.quantizers.upperBound)
        if hasFixedQuantizers(parameters) {
            guard keepsBounds(parameters, least: minimum, most: maximum) else {
                throw EncoderError(
                    .conflictingSettings,
                    reason: "\(live.rate.control) keeps no quantizer within \(minimum)...\(maximum)",
                    setting: bound)
            }
        }
        if let least { parameters.rc.qpMin = Int32(clamping: least) }
        if let most { parameters.rc.qpMax = Int32(clamping: most) }
    }
}
