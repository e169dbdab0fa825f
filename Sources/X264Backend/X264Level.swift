// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI

/// The limits of a level (H.264 table A-1), from libx264's own table.
///
/// The library itself only warns and writes the level all the same.
struct X264Level {
    private let limits: x264_level_t
    /// As the standard writes it, "3.1".
    let name: String

    /// Finds the limits of a level in tenths.
    ///
    /// - Throws: ``EncoderError`` when the standard has no such level.
    init(_ level: Int) throws(EncoderError) {
        var next = cx264_levels()
        while let entry = next, entry.pointee.level_idc != 0, Int(entry.pointee.level_idc) != level { next = entry + 1 }
        guard let entry = next, entry.pointee.level_idc != 0 else {
            throw EncoderError(
                .invalidValue, reason: "level \(level / 10).\(level % 10), expected one of table A-1",
                setting: .profileLevel)
        }
        limits = entry.pointee
        name = "\(level / 10).\(level % 10)"
    }

    /// The largest level the library knows.
    static let largest = 62

    /// Refuses what does not fit the level.
    func check(_ settings: ResolvedSettings, buffer: X264Rate.Buffer?) throws(EncoderError) {
        let picture = settings.picture
        let columns = (picture.codedWidth + 15) / 16
        let rows = (picture.codedHeight + 15) / 16
        let size = Int(limits.frame_size)
        guard columns * rows <= size, columns * columns <= 8 * size, rows * rows <= 8 * size else {
            throw misfit(
                "\(picture.codedWidth)x\(picture.codedHeight) is \(columns)x\(rows) macroblocks", "\(size)")
        }
        let rate = Double(columns * rows) * settings.plan.frameRate.framesPerSecond
        guard !settings.plan.isFrameRateKnown || rate <= Double(limits.mbps) else {
            throw misfit("\(Int(rate.rounded(.up))) macroblocks per second", "\(limits.mbps)")
        }
        guard let buffer else { return }
        let most = mostKilobits(quarters: Self.quarters(settings))
        guard buffer.maximum <= most.maximum else {
            throw misfit("\(buffer.maximum * 1000) bit/s", "\(most.maximum * 1000)")
        }
        guard buffer.size <= most.size else {
            throw misfit("a buffer of \(buffer.size * 1000) bits", "\(most.size * 1000)")
        }
    }

    /// The largest bit rate and buffer, in units of 1000 bits, whatever profile the stream will be of.
    func mostKilobits(for settings: ResolvedSettings) -> (maximum: Int, size: Int) {
        // Without the 8x8 transform, High is not signalled; see X264Encoder.
        let isBaseline = settings.request.preset == "ultrafast" && settings.picture.bitDepth == 8
        return mostKilobits(quarters: isBaseline ? 4 : Self.quarters(settings))
    }

    /// The same for a stream of a profile (7.3.2.1.1).
    func mostKilobits(profileIndicator: UInt8?) -> (maximum: Int, size: Int) {
        switch profileIndicator {
        case 110, 244: mostKilobits(quarters: 12)
        case 100: mostKilobits(quarters: 5)
        default: mostKilobits(quarters: 4)
        }
    }

    private func mostKilobits(quarters: Int) -> (maximum: Int, size: Int) {
        (Int(limits.bitrate) * quarters / 4, Int(limits.cpb) * quarters / 4)
    }

    /// A.3.1 and table A-2: cpbBrNalFactor in quarters of Main's.
    private static func quarters(_ settings: ResolvedSettings) -> Int {
        switch settings.request.profileLevel.profile {
        case .h264Baseline, .h264ConstrainedBaseline, .h264Main: 4
        case .h264High10: 12
        case nil where settings.picture.bitDepth > 8: 12
        default: 5
        }
    }

    /// Most pictures of this size that the decoder's buffer holds, 16 at most (A.3.1: MaxDpbFrames).
    func mostReferences(width: Int, height: Int) -> Int {
        let macroblocks = (width + 15) / 16 * ((height + 15) / 16)
        return min(max(Int(limits.dpb) / max(macroblocks, 1), 1), 16)
    }

    private func misfit(_ what: String, _ most: String) -> EncoderError {
        EncoderError(
            .conflictingSettings, reason: "\(what) with level \(name), which allows \(most)", setting: .profileLevel)
    }
}
