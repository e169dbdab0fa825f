// SPDX-License-Identifier: MIT

import DequeModule

/// Gives each output frame its decode time: pure.
///
/// With a reorder depth of d, the n-th frame to be decoded can start no later than the (n - d)-th presentation time in
/// display order; that is its decode time. The first d frames continue the series backwards, by the distance that the
/// first d + 1 presentation times span. So decode times strictly increase and never pass a presentation time.
struct DecodeTimestamps {
    private let reorderDepth: Int
    /// Presentation times that no decode time was taken from yet, in display order.
    private var pending: Deque<MediaTime> = []
    /// Frames that were given a decode time before the first presentation time, and how far that series is shifted.
    private var leading = 0
    private var shift: MediaTime?
    private var last: MediaTime?

    init(reorderDepth: Int) {
        self.reorderDepth = reorderDepth
    }

    /// Notes a frame given to the encoder; presentation times strictly increase.
    mutating func submit(_ presentationTime: MediaTime) {
        pending.append(presentationTime)
    }

    /// The decode time of the next output frame.
    ///
    /// `frameDuration` stands in for presentation times that are not known yet (a stream of fewer frames than the reorder
    /// depth).
    mutating func next(frameDuration: MediaTime) -> MediaTime {
        let time = leading < reorderDepth ? nextLeading(frameDuration) : (pending.popFirst() ?? last ?? .zero)
        last = time
        return time
    }

    private mutating func nextLeading(_ frameDuration: MediaTime) -> MediaTime {
        guard let first = pending.first else { return last ?? .zero }
        let shift = self.shift ?? distance(from: first, frameDuration)
        self.shift = shift
        let index = min(leading, pending.count - 1)
        leading += 1
        let time = pending[index] - shift
        // A gap that opened after the shift was fixed must not carry the series past the first presentation time.
        guard let last, time >= first || time <= last else { return time }
        return (last + first).halved
    }

    private func distance(from first: MediaTime, _ frameDuration: MediaTime) -> MediaTime {
        if pending.count > reorderDepth { return pending[reorderDepth] - first }
        let known = pending[pending.count - 1] - first
        return (pending.count...reorderDepth).reduce(known) { sum, _ in sum + frameDuration }
    }
}

extension MediaTime {
    /// Half of the time, exactly where the timescale can double.
    fileprivate var halved: MediaTime {
        let (double, overflow) = timescale.multipliedReportingOverflow(by: 2)
        return overflow ? MediaTime(value: value / 2, timescale: timescale) : MediaTime(value: value, timescale: double)
    }
}
