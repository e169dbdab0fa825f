// SPDX-License-Identifier: MIT

import ParameterSets

/// Whether pictures that were coded for some parameter sets decode with others as well: pure.
///
/// Sets signal the timing of a stream: its frame rate, and the level and tier for so many samples and bits in a second.
/// Samples follow from everything else in them; a decoder may size its buffers by the level.
struct ParameterSetComparison {
    let codec: VideoCodec
    /// Whether another level or tier makes no difference.
    ///
    /// Another frame rate makes none unless there is a buffer model, which counts in its ticks.
    let ignoresLevel: Bool

    /// Whether pictures of an encoder that wrote `others` decode with `sets`.
    func areAlike(_ sets: [[UInt8]], _ others: [[UInt8]]) -> Bool {
        sets.count == others.count && zip(sets, others).allSatisfy { $0 == $1 || isAlike($0, $1) }
    }

    /// Whether sets have a buffer model, whose messages in the stream count in ticks of the frame rate signalled.
    static func haveBufferModel(_ sets: [[UInt8]], codec: VideoCodec) -> Bool {
        sets.contains { set in
            switch codec {
            case .h264: (try? H264SPS(nalUnit: set))?.hasBufferModel ?? false
            case .hevc: (try? HEVCSPS(nalUnit: set))?.vui?.timing?.hrd != nil
            }
        }
    }

    private func isAlike(_ set: [UInt8], _ other: [UInt8]) -> Bool {
        switch codec {
        case .h264:
            isSame(set, other) { (unit) throws(ParameterSetError) in
                try H264SPS(nalUnit: unit).withoutTiming(orLevel: ignoresLevel)
            }
        case .hevc:
            isSame(set, other) { (unit) throws(ParameterSetError) in
                try HEVCVPS(nalUnit: unit).withoutTiming(orLevel: ignoresLevel)
            }
                || isSame(set, other) { (unit) throws(ParameterSetError) in
                    try HEVCSPS(nalUnit: unit).withoutTiming(orLevel: ignoresLevel)
                }
        }
    }

    private func isSame<Set: Equatable>(
        _ set: [UInt8], _ other: [UInt8], as read: ([UInt8]) throws(ParameterSetError) -> Set
    ) -> Bool {
        guard let set = try? read(set), let other = try? read(other) else { return false }
        return set == other
    }
}

extension H264SPS {
    fileprivate var hasBufferModel: Bool { vui?.nalHRD != nil || vui?.vclHRD != nil }

    fileprivate func withoutTiming(orLevel: Bool) -> H264SPS {
        var set = self
        if vui?.timing != nil, !hasBufferModel {
            set.vui?.timing = ClockTicks()
            set.vui?.fixedFrameRateFlag = false
        }
        if orLevel { set.levelIdc = 0 }
        return set
    }
}

extension HEVCVPS {
    fileprivate func withoutTiming(orLevel: Bool) -> HEVCVPS {
        var set = self
        if timing?.bufferModels.isEmpty == true { set.timing?.clock = ClockTicks() }
        if orLevel { set.profileTierLevel.clearLevelAndTier() }
        return set
    }
}

extension HEVCSPS {
    fileprivate func withoutTiming(orLevel: Bool) -> HEVCSPS {
        var set = self
        if let timing = vui?.timing, timing.hrd == nil { set.vui?.timing?.clock = ClockTicks() }
        if orLevel { set.profileTierLevel.clearLevelAndTier() }
        return set
    }
}

extension HEVCProfileTierLevel {
    fileprivate mutating func clearLevelAndTier() { (levelIdc, profile.tierFlag) = (0, false) }
}
