// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Rate control in units of 1000 bits, in which libraries count: pure.
///
/// Everything is rounded down, and to what the library counts to. A smaller buffer keeps the limits it was made from,
/// so that is not listed; a lower average is, and so is a peak that is lowered to what the buffer holds.
package struct KilobitRate: Sendable {
    /// A leaky bucket.
    package struct Buffer: Equatable, Sendable {
        /// Rate at which it fills, in units of 1000 bit/s.
        package var maximum: Int
        /// In units of 1000 bits.
        package var size: Int

        /// Makes a bucket.
        package init(maximum: Int, size: Int) {
            self.maximum = maximum
            self.size = size
        }
    }

    /// The average in units of 1000 bit/s; nil in modes that have none.
    package private(set) var average: Int?
    /// nil where nothing bounds the rate.
    package private(set) var buffer: Buffer?
    /// The setting that asks for the average.
    private let setting: Setting?
    /// The setting that describes the buffer.
    private let bufferSetting: Setting
    private let share: Double
    /// What is otherwise than asked.
    package private(set) var adjustments: [Adjustment] = []

    /// Counts a rate in thousands.
    ///
    /// - Parameters:
    ///   - rate: In bit/s and bits.
    ///   - framesPerSecond: What the library is opened with. Where the buffer does not hold one picture's share it
    ///     makes the buffer larger, which would break what the limits promise; so the rate becomes smaller.
    ///   - share: ``EncoderAPI/ResolvedSettings/pacedShare`` of a rate that is paced, whose adjustments tell what a
    ///     second of the pictures has.
    ///   - most: The largest number of units.
    ///   - library: What the adjustments call it.
    /// - Throws: ``EncoderError`` with `.invalidValue` for less than one unit.
    package init(
        _ rate: LiveParameters.Rate, framesPerSecond: Double, pacedBy share: Double = 1, most: Int, library: String
    ) throws(EncoderError) {
        self.share = share
        setting = rate.control.setting
        bufferSetting = rate.control.describesBuffer ? .vbvBufferDuration : .dataRateLimits
        if let bitsPerSecond = rate.control.bitsPerSecond {
            guard bitsPerSecond >= 1000 else {
                throw EncoderError(
                    .invalidValue, reason: "average bit rate \(bitsPerSecond) bit/s, expected 1000 or more",
                    setting: setting)
            }
            lower(
                bitsPerSecond, to: min(bitsPerSecond / 1000, most),
                reason: "\(library) counts in units of 1000 bit/s, up to \(most)")
        }
        if let model = rate.buffer { try bound(by: model, framesPerSecond: framesPerSecond, most: most) }
    }

    private mutating func bound(
        by model: BufferModel, framesPerSecond: Double, most: Int
    ) throws(EncoderError) {
        let (asked, size) = (min(model.peakBitsPerSecond / 1000, most), min(model.bits / 1000, most))
        guard asked >= 1, size >= 1 else {
            let askedFor = bufferSetting == .dataRateLimits ? bufferSetting : setting ?? bufferSetting
            let limits = ", as a limit of 625 bytes in a second or 250 in a tenth has them"
            let buffers = ": a higher rate, or a longer VBVBufferDuration, has them"
            throw EncoderError(
                .invalidValue,
                reason: "\(askedFor) makes a decoder's buffer of \(model.bits) bits, filled at "
                    + "\(model.peakBitsPerSecond) bit/s, expected 1000 or more of both"
                    + (bufferSetting == .dataRateLimits ? limits : buffers), setting: askedFor)
        }
        let maximum = max(Int(min(Double(size) * framesPerSecond, Double(asked))), 1)
        if maximum < asked {
            adjustments.append(
                Adjustment(
                    bufferSetting,
                    requested: "\(asPaced(model.peakBitsPerSecond)) bit/s from a buffer of \(model.bits) bits",
                    used: "\(asPaced(maximum * 1000)) bit/s", reason: "the buffer must hold what one picture takes in"))
        }
        buffer = Buffer(maximum: maximum, size: size)
        if let average, average > maximum {
            lower(average * 1000, to: maximum, reason: "the buffer is filled no faster")
        }
    }

    private mutating func lower(_ bitsPerSecond: Int, to kilobits: Int, reason: String) {
        average = kilobits
        guard bitsPerSecond != kilobits * 1000, let setting else { return }
        adjustments.append(
            Adjustment(
                setting, requested: "\(asPaced(bitsPerSecond)) bit/s", used: "\(asPaced(kilobits * 1000)) bit/s",
                reason: reason))
    }

    private func asPaced(_ bitsPerSecond: Int) -> Int { Int((Double(bitsPerSecond) / share).rounded()) }
}
