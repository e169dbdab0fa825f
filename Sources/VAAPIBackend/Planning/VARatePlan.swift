// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import BackendSupport

/// Rate control in VA-API's terms: a pure map of ``LiveParameters/rate``.
struct VARatePlan: Sendable, Hashable {
    /// What slices start from where no bit rate is kept; elsewhere what rate control starts from.
    struct Quantizers: Sendable, Hashable {
        var idr: Int
        var p: Int
        /// Of B pictures that others are predicted from.
        var middleB: Int
        var b: Int

        fileprivate init(idr: Int, p: Int, middleB: Int, b: Int) {
            (self.idr, self.p, self.middleB, self.b) = (idr, p, middleB, b)
        }

        /// Those of a stream whose P pictures have `quantizer`.
        ///
        /// Key frames have three less and B pictures that others are predicted from two more, what x264's ratios of 1.4
        /// and 1.3 come to. Of the last B pictures nothing comes to others: with HEVC, of 3, 4, 5 and 6 more, a tenth
        /// and two more, and a fifth more, a fifth cost least at equal quality, and with H.264 less than 5 more.
        fileprivate init(around quantizer: Int, _ bounded: (Int) -> Int) {
            let fifth = (quantizer + 2) / 5
            self.init(
                idr: bounded(quantizer - 3), p: bounded(quantizer), middleB: bounded(quantizer + min(fifth, 2)),
                b: bounded(quantizer + fifth))
        }

        /// The same for all pictures.
        fileprivate init(_ quantizer: Int) {
            self.init(idr: quantizer, p: quantizer, middleB: quantizer, b: quantizer)
        }

        subscript(picture: GOPPlanner.Picture) -> Int {
            switch picture.kind {
            case .idr: idr
            case .p: p
            case .b: picture.isMiddle ? middleB : b
            }
        }
    }

    /// One `VA_RC_` bit.
    let mode: UInt32
    private(set) var quantizers: Quantizers
    /// The highest rate in bit/s; 0 where no bit rate is kept.
    private(set) var mostBitsPerSecond = 0
    /// The mean in hundredths of the highest rate.
    private(set) var targetPercentage = 100
    /// An average in bit/s that nothing limits, and that the highest rate is chosen for; nil for other rates.
    private var freeAverage: Int?
    /// Whether what pictures leave of the rate is filled up, where the driver does that.
    let fillsUp: Bool
    /// The decoder's buffer; 0 where no bit rate is kept.
    private(set) var bufferBits = 0
    /// What of it is full when the first picture is decoded.
    private(set) var initialBufferBits = 0
    /// The quality that `VA_RC_ICQ` and `VA_RC_QVBR` keep, 1 the best to 51; 0 in other modes.
    private(set) var qualityFactor = 0
    /// Smallest quantizer; 0 for the driver's.
    private(set) var minQP: Int
    /// Largest quantizer; 0 for the driver's.
    private(set) var maxQP: Int
    /// The rate that bits per second are counted with.
    let frameRate: FrameRate
    /// Where this differs from the settings.
    private(set) var adjustments: [Adjustment] = []

    /// Quantizers of eight-bit video; more bits per sample keep the scale.
    static let legalQuantizers = 1...51

    /// The ways to serve settings with a driver, best first; later ones are for drivers that refuse what they list.
    ///
    /// - Parameters:
    ///   - settings: What the session asks for.
    ///   - modes: The `VA_RC_` bits that the driver lists.
    /// - Returns: None where the driver has no rate control for the settings.
    static func candidates(_ settings: ResolvedSettings, modes: UInt32) -> [VARatePlan] {
        let live = settings.live
        let isLimited = live.rate.buffer != nil
        let wanted: [Int32] =
            switch live.rate.control {
            case .averageBitRate: [VA_RC_VBR, VA_RC_CBR] + (live.asked.dataRateLimits.isEmpty ? [VA_RC_CQP] : [])
            case .constantBitRate: [VA_RC_CBR]
            case .variableBitRate: [VA_RC_VBR]
            case .constantQuantizer: [VA_RC_CQP]
            default: isLimited ? [VA_RC_QVBR, VA_RC_VBR, VA_RC_CBR] : [VA_RC_ICQ, VA_RC_CQP, VA_RC_VBR, VA_RC_CBR]
            }
        return wanted.map { UInt32($0) }.filter { modes & $0 != 0 }.map { VARatePlan(settings, mode: $0) }
    }

    /// The plan for other settings while an encoder is open.
    ///
    /// - Parameters:
    ///   - before: What this plan serves.
    ///   - next: What it shall serve.
    ///   - modes: The `VA_RC_` bits that the driver lists and did not refuse.
    /// - Returns: Nil where an encoder would be opened in another way.
    func changing(from before: ResolvedSettings, to next: ResolvedSettings, modes: UInt32) -> VARatePlan? {
        if next.live.rate == before.live.rate {
            return VARatePlan(next, mode: mode)
        }
        guard let best = Self.candidates(next, modes: modes).first, best.mode == mode, !best.keepsNoAverage(next) else {
            return nil
        }
        return best
    }

    /// Whether it stands in for a bit rate, which a driver that was opened anew may keep.
    private func keepsNoAverage(_ settings: ResolvedSettings) -> Bool {
        settings.live.rate.control.bitsPerSecond != nil && mostBitsPerSecond == 0
    }

    /// The smallest quantizer of a picture that gets none below `quantizer`, where there is one and a bit rate is kept;
    /// 0 for the driver's.
    func minQP(coarsenedTo quantizer: Int?) -> Int {
        guard let quantizer, mostBitsPerSecond > 0 else { return minQP }
        return min(max(minQP, quantizer), maxQP > 0 ? maxQP : Self.legalQuantizers.upperBound)
    }

    /// This plan with another smallest quantizer.
    func with(minQP: Int) -> VARatePlan {
        var plan = self
        plan.minQP = minQP
        return plan
    }

    /// This plan, whose adjustments tell why the driver did not take what was tried before.
    func blaming(_ refusal: EncoderError?) -> VARatePlan {
        guard let refusal else { return self }
        var plan = self
        plan.adjustments = adjustments.map { adjustment in
            Adjustment(
                adjustment.setting, requested: adjustment.requested, used: adjustment.used,
                reason: "\(adjustment.reason): \(refusal.reason)")
        }
        return plan
    }

    private init(_ settings: ResolvedSettings, mode: UInt32) {
        let live = settings.live
        self.mode = mode
        fillsUp = live.rate.control.isConstantBitRate
        frameRate = live.pace ?? settings.plan.frameRate
        (minQP, maxQP) = (live.asked.minAllowedFrameQP ?? 0, live.asked.maxAllowedFrameQP ?? 0)
        let asked: Int =
            switch live.rate.control {
            case .constantQuantizer(let quantizer): quantizer
            case .quality(let quality): Self.quantizer(quality: quality)
            default: Self.quantizer(quality: 0.5)
            }
        let legal = max(minQP, Self.legalQuantizers.lowerBound)...(maxQP > 0 ? maxQP : Self.legalQuantizers.upperBound)
        func bounded(_ quantizer: Int) -> Int { min(max(quantizer, legal.lowerBound), legal.upperBound) }
        quantizers = Quantizers(around: asked, bounded)
        switch mode {
        case UInt32(VA_RC_CQP): setQuantizers(asked, settings)
        case UInt32(VA_RC_ICQ): qualityFactor = quantizers.p
        default:
            quantizers = Quantizers(bounded(26))
            setBitRate(asked: bounded(asked), settings)
        }
        if case .quality(1) = live.rate.control {
            adjust(.quality, "1", "a quantizer of \(bounded(asked))", "the driver codes nothing without loss")
        }
        if mostBitsPerSecond == 0 { adjustments += .levelWithoutRate(settings) }
    }

    private mutating func setQuantizers(_ asked: Int, _ settings: ResolvedSettings) {
        switch settings.live.rate.control {
        case .constantQuantizer where quantizers.p != asked:
            adjust(.constantQuantizer, "\(asked)", "\(quantizers.p)", "the quantizer's bounds allow no other")
        case .averageBitRate(let average):
            adjust(
                .averageBitRate, "\(average) bit/s", "a constant quantizer of \(quantizers.p)",
                "the driver refuses the rate control that it lists")
        default: break
        }
    }

    /// Quality within limits is a quality that rate control keeps where the driver has that, else a smallest quantizer.
    private mutating func setBitRate(asked quantizer: Int, _ settings: ResolvedSettings) {
        let live = settings.live
        let average = live.rate.control.bitsPerSecond ?? 0
        let usual = Self.usualBitRate(settings)
        let buffer = live.rate.buffer ?? BufferModel(peakBitsPerSecond: usual, bits: usual * 2)
        mostBitsPerSecond = max(buffer.peakBitsPerSecond, average)
        bufferBits = buffer.bits
        initialBufferBits = Int(Double(buffer.bits) * settings.position.bufferFullness)
        guard average == 0 else {
            switch live.rate.control {
            case .variableBitRate: setVariable(average)
            case .averageBitRate where mode == UInt32(VA_RC_VBR) && live.asked.dataRateLimits.isEmpty:
                setHeadroom(over: average, settings)
            default: break
            }
            return
        }
        if mode == UInt32(VA_RC_QVBR) {
            qualityFactor = quantizer
        } else {
            minQP = quantizer
        }
        if live.rate.buffer == nil, live.rate.control != .automatic {
            adjust(
                .quality, "a quality without bit rate", "at most \(mostBitsPerSecond) bit/s",
                "the driver has bit rates only")
        }
    }

    /// The driver counts a mean below the highest rate in hundredths of that.
    private mutating func setVariable(_ average: Int) {
        targetPercentage = max(average * 100 / mostBitsPerSecond, 1)
        let used = mostBitsPerSecond * targetPercentage / 100
        guard used != average else { return }
        adjust(
            .variableBitRate, "\(average) bit/s", "\(used) bit/s",
            "the driver counts in hundredths of VBVMaxBitRate, \(mostBitsPerSecond) bit/s")
    }

    /// Twice an average that nothing limits is the highest rate, or as much of that as the level and its tier allow: a
    /// driver that is told the average for both codes a constant rate.
    private mutating func setHeadroom(over average: Int, _ settings: ResolvedSettings) {
        freeAverage = average
        for percentage in Self.averagePercentages {
            (mostBitsPerSecond, targetPercentage) = ((average * 100 + percentage - 1) / percentage, percentage)
            if StreamLevel.allows(bitsPerSecond: mostBitsPerSecond, above: average, settings) { return }
        }
    }

    /// This plan, and those with less headroom where it has any, in that order.
    var narrower: [VARatePlan] {
        guard let freeAverage else { return [self] }
        return Self.averagePercentages.filter { $0 >= targetPercentage }.map { percentage in
            var plan = self
            (plan.mostBitsPerSecond, plan.targetPercentage) = (
                (freeAverage * 100 + percentage - 1) / percentage, percentage
            )
            return plan
        }
    }

    /// Hundredths of the highest rate that an average may be, best first.
    private static let averagePercentages = [50, 60, 70, 80, 90, 100]

    private mutating func adjust(_ setting: Setting, _ requested: String, _ used: String, _ reason: String) {
        adjustments.append(Adjustment(setting, requested: requested, used: used, reason: reason))
    }

    /// A straight line from 51 at 0 to 1 at 1.
    static func quantizer(quality: Double) -> Int { 51 - Int((50 * min(max(quality, 0), 1)).rounded()) }

    /// A tenth of a bit for each sample, where a driver wants a bit rate and nobody named one.
    private static func usualBitRate(_ settings: ResolvedSettings) -> Int {
        let samples = settings.picture.codedWidth * settings.picture.codedHeight
        return max(Int(Double(samples) * settings.plan.frameRate.framesPerSecond / 10), 100_000)
    }
}
