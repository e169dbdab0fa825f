// SPDX-License-Identifier: MIT

/// Counts the frames that a source lost, and says how long each was shown: a pure value.
///
/// A source with a rate owes a frame for each interval. Where none came, it is lost: nothing stands in for it, and the
/// frame before is shown until the next. A source that was held up gives what it owes when it goes on: such frames come
/// late or several at once, and are no longer lost then. Of a source that gives no more than it owes, frames shown,
/// lost and left out are together those that were due. Times are microseconds.
struct FramePace: Sendable, Hashable {
    /// What a frame is.
    enum Frame: Sendable, Hashable {
        /// The first, or one that comes after the one before was shown for so long.
        case shown(previousDuration: Int64?)
        /// One that follows the last so closely that a source can only have given it to catch up.
        case surplus
    }

    /// Microseconds from frame to frame; nil for a source without a rate, which loses nothing that can be counted.
    let interval: Double?
    /// Frames that were due and did not come.
    private(set) var lost = 0
    /// Frames that were left out because they followed too closely.
    private(set) var surplus = 0
    private var last: Int64?
    /// When the next frame is due.
    private var due = 0.0

    /// By how much of the distance a frame moves the time at which the next one is due: a source's rate is not exact.
    private static let tracking = 0.1
    /// The part of an interval that frames are apart at least.
    private static let closest = 0.25

    /// Makes a counter.
    ///
    /// - Parameter interval: Microseconds from frame to frame; nil, or what is not above 0, for no rate.
    init(interval: Double?) { self.interval = interval.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }

    /// Takes notice of a frame.
    ///
    /// - Parameter time: When it was captured; later than the frame before.
    /// - Returns: Whether it is shown.
    mutating func note(_ time: Int64) -> Frame {
        guard let last else {
            self.last = time
            due = Double(time) + (interval ?? 0)
            return .shown(previousDuration: nil)
        }
        if let interval {
            guard Double(time - last) >= interval * Self.closest else {
                surplus += 1
                // It is the oldest that counts as lost, or else the one that is due next: where the first frame came
                // late, so do the times at which others are due.
                if lost > 0 { lost -= 1 } else { due += interval }
                return .surplus
            }
            count(Double(time), interval)
        }
        self.last = time
        return .shown(previousDuration: time - last)
    }

    private mutating func count(_ time: Double, _ interval: Double) {
        let slots = ((time - due) / interval).rounded()
        // Below zero, the frame comes before the next one is due, in place of one that counts as lost. The limit is
        // eleven days at 1000 frames per second: a clock that jumps further is no count of frames.
        lost = max(lost + Int(min(max(slots, -1e9), 1e9)), 0)
        let expected = due + slots * interval
        due = expected + (time - expected) * Self.tracking + interval
    }
}
