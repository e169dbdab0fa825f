// SPDX-License-Identifier: MIT

package import EncoderAPI
import LibAV

/// Keeps sound beside the clock of the pictures: what to do with each block of samples, counted in whole sample frames.
///
/// A pure value. The sound that comes out is one unbroken row of sample frames from the first picture on, so its times
/// follow from counting. Where blocks come later than what was counted, silence fills most of the gap; where more came
/// than time has passed, the surplus is left out; what is between is evened out by stretching blocks a little.
package struct AudioAligner: Sendable {
    /// When something is done about a distance between sound and clock, and how much.
    package struct Limits: Sendable, Hashable {
        /// Gaps and surpluses above this are filled or left out, until ``remainder`` is left; 25 ms by default.
        package var tolerance: Duration = .milliseconds(25)
        /// What is left of a gap or surplus, for stretching to even out; 10 ms by default.
        package var remainder: Duration = .milliseconds(10)
        /// The largest part by which a block is stretched or shrunk; 0.001 by default, 0 for never.
        package var largestStretch = 0.001
        /// The longest gap that is filled, up to a hundred years; an hour by default.
        ///
        /// What comes later is refused: more likely its clock is another one.
        package var longestGap: Duration = .seconds(3600)

        /// Makes the default limits.
        package init() {}
    }

    /// What to do, in order, with a block of samples.
    package enum Action: Sendable, Hashable {
        /// Put so many sample frames of silence before the rest.
        case silence(frameCount: Int)
        /// Leave out so many sample frames that come next in the block: they lie before the first picture, or are too
        /// many.
        case drop(frameCount: Int)
        /// Take so many sample frames that come next in the block, and make `outputCount` of them.
        case take(frameCount: Int, outputCount: Int)
    }

    /// Sample frames in a second.
    package let sampleRate: Int
    /// When the first sample frame that comes out is heard.
    package let base: MediaTime
    private let tolerance: Int64
    private let remainder: Int64
    private let largestStretch: Double
    private let longestGap: Int64
    /// Sample frames that came out: the next one is heard so many after the base.
    package private(set) var position: Int64 = 0
    /// Sample frames of silence that were put in.
    package private(set) var silentFrames: Int64 = 0
    /// Sample frames that were left out because they were too many.
    package private(set) var surplusFrames: Int64 = 0
    /// Sample frames that were left out because they lie before the base.
    package private(set) var earlyFrames: Int64 = 0
    /// Sample frames that stretching added, or with a minus took away.
    package private(set) var stretchedFrames: Int64 = 0
    /// The distance from the clock that stretching evens out, in sample frames: a mean of what the blocks' times say.
    private var drift = 0.0
    private var lastTime: MediaTime?
    /// Whether more of a surplus is to be left out.
    private var isShedding = false
    /// The part of a sample frame that stretching has yet to add.
    private var fraction = 0.0

    /// How long blocks count for the mean of the drift, and how long stretching takes to even it out, in seconds.
    private static let (memory, correction) = (2.0, 4.0)

    /// Makes an aligner.
    ///
    /// - Parameters:
    ///   - sampleRate: Sample frames in a second, one of ``PCMFormat/sampleRates``.
    ///   - base: When the first picture is shown, in the clock that gives the blocks their times.
    ///   - limits: When something is done, and how much.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
    package init(sampleRate: Int, base: MediaTime, limits: Limits = Limits()) throws(PublishingError) {
        try PCMFormat.check(sampleRate: sampleRate)
        guard (0...0.01).contains(limits.largestStretch) else {
            throw PublishingError(.invalidValue, reason: "stretch of \(limits.largestStretch), expected 0...0.01")
        }
        guard .zero <= limits.remainder, limits.remainder <= limits.tolerance, limits.tolerance <= .seconds(3600) else {
            throw PublishingError(
                .invalidValue,
                reason:
                    "remainder \(limits.remainder) and tolerance \(limits.tolerance), expected 0 or more, the first "
                    + "no longer, and an hour at most")
        }
        self.sampleRate = sampleRate
        self.base = base
        largestStretch = limits.largestStretch
        guard (.zero...Self.longest).contains(limits.longestGap) else {
            throw PublishingError(.invalidValue, reason: "gaps of \(limits.longestGap), expected 0 to \(Self.longest)")
        }
        longestGap = Self.frames(limits.longestGap, sampleRate)
        tolerance = Self.frames(limits.tolerance, sampleRate)
        remainder = Self.frames(limits.remainder, sampleRate)
    }

    /// A hundred years: sample frames of so long are counted exactly.
    private static let longest = Duration.seconds(3_155_760_000)

    private static func frames(_ duration: Duration, _ sampleRate: Int) -> Int64 {
        Int64(duration / .seconds(1) * Double(sampleRate))
    }

    /// When the next sample frame that comes out is heard.
    package var time: MediaTime { base + MediaTime(value: position, timescale: Int32(sampleRate)) }
}

// MARK: - Aligning

extension AudioAligner {
    /// Says what to do with a block.
    ///
    /// - Parameters:
    ///   - frameCount: Sample frames in the block, 0 to 2^31 - 1.
    ///   - time: When its first one was recorded.
    /// - Returns: Actions that together use up the block.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a count out of its range, a time more than
    ///   ``Limits/longestGap`` behind the sample frames that came out, or one a hundred years or more before the base;
    ///   `.backwardsTime` for a block that is not later than the one before.
    package mutating func align(frameCount: Int, at time: MediaTime) throws(PublishingError) -> [Action] {
        guard (0...Int(Int32.max)).contains(frameCount) else {
            throw PublishingError(.invalidValue, reason: "\(frameCount) sample frames, expected 0...\(Int32.max)")
        }
        let start = (time - base).nearestTick(timescale: Int32(sampleRate))
        guard start >= -Self.frames(Self.longest, sampleRate) else {
            throw PublishingError(
                .invalidValue, reason: "sound at \(time), expected less than 100 years before the start at \(base)")
        }
        guard start - position <= longestGap else {
            throw PublishingError(
                .invalidValue,
                reason: "sound at \(time), expected at most \(longestGap / Int64(sampleRate)) s behind \(self.time), "
                    + "where the sound before it ends")
        }
        if let lastTime, time <= lastTime {
            throw PublishingError(.backwardsTime, reason: "a block of sound at \(time), expected more than \(lastTime)")
        }
        guard frameCount > 0 else { return [] }
        lastTime = time
        var actions: [Action] = []
        var rest = Int64(frameCount)
        let early = position == 0 ? min(rest, max(0, -start)) : 0
        if early > 0 {
            actions.append(.drop(frameCount: Int(early)))
            earlyFrames += early
            rest -= early
        }
        guard rest > 0 else { return actions }
        let distance = start + Int64(frameCount) - rest - position
        rest -= even(distance, of: rest, &actions)
        guard rest > 0 else { return actions }
        let count = stretched(rest, distance: Double(start + Int64(frameCount) - rest - position))
        actions.append(.take(frameCount: Int(rest), outputCount: Int(count)))
        position += count
        stretchedFrames += count - rest
        return actions
    }

    /// Says what to do with a block that follows the one before without a gap: all of it is taken as it is.
    package mutating func append(frameCount: Int) -> [Action] {
        guard frameCount > 0 else { return [] }
        position += Int64(frameCount)
        return [.take(frameCount: frameCount, outputCount: frameCount)]
    }

    /// Fills a gap or leaves out a surplus.
    ///
    /// - Returns: Sample frames of the block that are left out.
    private mutating func even(_ distance: Int64, of rest: Int64, _ actions: inout [Action]) -> Int64 {
        if distance > (position == 0 ? 0 : tolerance) {
            // Sound that begins late is moved to its place; in the middle, the rest of a gap may be the clock's jitter.
            let count = distance - (position == 0 ? 0 : remainder)
            actions.append(.silence(frameCount: Int(count)))
            silentFrames += count
            position += count
            drift = 0
            return 0
        }
        if distance < (isShedding ? -remainder : -tolerance) {
            let count = min(rest, -distance - remainder)
            // A surplus may be longer than a block.
            isShedding = count < -distance - remainder
            actions.append(.drop(frameCount: Int(count)))
            surplusFrames += count
            drift = 0
            return count
        }
        isShedding = false
        return 0
    }

    /// How many sample frames `count` become, so that the distance shrinks.
    private mutating func stretched(_ count: Int64, distance: Double) -> Int64 {
        let duration = Double(count) / Double(sampleRate)
        drift += (distance - drift) * min(1, duration / Self.memory)
        let part = drift / (Self.correction * Double(sampleRate))
        let added = fraction + Double(count) * min(max(part, -largestStretch), largestStretch)
        let whole = added.rounded(.towardZero)
        fraction = added - whole
        return max(0, count + Int64(whole))
    }
}
