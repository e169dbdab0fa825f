// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI

extension X265Parameters {
    /// The constant rate factor for a quality in 0..<1: 51 at 0, libx265's default of 28 at 0.5, 5 just below 1.
    static func constantRateFactor(quality: Double) -> Double { 51 - 46 * quality }

    /// Sets rate control, its buffer and the bounds of the quantizer.
    static func assignRate(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        var adjustments: [Adjustment] = []
        switch settings.rate.control {
        case .automatic: break
        case .averageBitRate(let bitsPerSecond):
            parameters.rc.rateControlMode = Int32(X265_RC_ABR.rawValue)
            parameters.rc.bitrate = try thousands(bitsPerSecond, of: "bit/s", .averageBitRate, &adjustments)
        case .quality(let quality):
            guard (0...1).contains(quality) else { throw outOfRange(quality, 0...1, .quality) }
            if quality == 1 {
                parameters.bLossless = 1
            } else {
                assign(constantRateFactor: constantRateFactor(quality: quality), &parameters)
            }
        case .constantRateFactor(let factor):
            guard X265Backend.constantRateFactors.contains(factor) else {
                throw outOfRange(factor, X265Backend.constantRateFactors, .constantRateFactor)
            }
            assign(constantRateFactor: factor, &parameters)
        case .constantQuantizer(let quantizer):
            guard X265Backend.quantizers.contains(quantizer) else {
                throw outOfRange(quantizer, X265Backend.quantizers, .constantQuantizer)
            }
            parameters.rc.rateControlMode = Int32(X265_RC_CQP.rawValue)
            parameters.rc.qp = Int32(quantizer)
        }
        adjustments += try assignBuffer(settings, &parameters)
        try assignQuantizerBounds(settings, &parameters)
        return adjustments
    }

    /// Whether every quantizer is fixed beforehand, so that nothing can hold bits or quantizers within bounds.
    static func hasFixedQuantizers(_ parameters: x265_param) -> Bool {
        parameters.bLossless != 0 || parameters.rc.rateControlMode == Int32(X265_RC_CQP.rawValue)
    }

    private static func assign(constantRateFactor factor: Double, _ parameters: inout x265_param) {
        parameters.rc.rateControlMode = Int32(X265_RC_CRF.rawValue)
        parameters.rc.rfConstant = factor
    }

    private static func assignBuffer(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        guard let buffer = settings.rate.buffer else { return [] }
        guard !hasFixedQuantizers(parameters) else {
            throw EncoderError(
                .conflictingSettings,
                reason: "a data-rate limit with \(settings.rate.control), which nothing can bound",
                setting: .dataRateLimits)
        }
        var adjustments: [Adjustment] = []
        parameters.rc.vbvMaxBitrate = try thousands(
            buffer.peakBitsPerSecond, of: "bit/s of peak", .dataRateLimits, &adjustments)
        parameters.rc.vbvBufferSize = try thousands(buffer.bits, of: "bits of buffer", .dataRateLimits, &adjustments)
        parameters.rc.vbvBufferInit = buffer.initialFullness
        return adjustments
    }

    // rc.qpMin and rc.qpMax bound the mean quantizer of a picture before adaptive quantization, at every bit depth in the
    // scale of eight bits; a constant quantizer takes no notice of them, and moves by -3 for I and up to +2 for B pictures.
    private static func assignQuantizerBounds(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) {
        let bounds = (settings.minQP ?? 0)...max(settings.maxQP ?? 51, settings.minQP ?? 0)
        if let minimum = settings.minQP, !X265Backend.quantizers.contains(minimum) {
            throw outOfRange(minimum, X265Backend.quantizers, .minAllowedFrameQP)
        }
        if let maximum = settings.maxQP, !X265Backend.quantizers.contains(maximum) || bounds.upperBound != maximum {
            throw outOfRange(maximum, (settings.minQP ?? 0)...51, .maxAllowedFrameQP)
        }
        guard settings.minQP != nil || settings.maxQP != nil else { return }
        if hasFixedQuantizers(parameters) {
            let quantizer = Int(parameters.rc.qp)
            let used = max(quantizer - 3, 0)...min(quantizer + 2, 51)
            guard parameters.bLossless == 0, bounds.contains(used.lowerBound), bounds.contains(used.upperBound) else {
                throw EncoderError(
                    .conflictingSettings,
                    reason: "\(settings.rate.control) uses quantizers \(used) and allows no bounds of \(bounds)",
                    setting: settings.minQP != nil ? .minAllowedFrameQP : .maxAllowedFrameQP)
            }
        }
        if let minimum = settings.minQP { parameters.rc.qpMin = Int32(minimum) }
        if let maximum = settings.maxQP { parameters.rc.qpMax = Int32(maximum) }
    }

    /// Bits in libx265's unit of 1000, rounded down so that no limit is passed.
    private static func thousands(
        _ value: Int, of unit: String, _ setting: Setting, _ adjustments: inout [Adjustment]
    ) throws(EncoderError) -> Int32 {
        // libx265 multiplies by 1000 in 32 bits.
        guard (1000...Int(Int32.max)).contains(value) else {
            throw EncoderError(
                .invalidValue, reason: "\(value) \(unit), expected 1000...\(Int32.max)", setting: setting)
        }
        if !value.isMultiple(of: 1000) {
            adjustments.append(
                Adjustment(
                    setting, requested: "\(value) \(unit)", used: "\(value / 1000 * 1000) \(unit)",
                    reason: "libx265 counts in thousands"))
        }
        return Int32(value / 1000)
    }

    private static func outOfRange<Value>(
        _ value: Value, _ range: ClosedRange<Value>, _ setting: Setting
    ) -> EncoderError {
        EncoderError(.invalidValue, reason: "\(setting) \(value), expected \(range)", setting: setting)
    }
}
