// SPDX-License-Identifier: MIT

/// Measures what a bit rate that is asked for comes to, on the clock of rate control: pure.
struct BitRateMeter {
    /// In bit/s; nil in modes without a rate.
    private var asked: Int?
    /// The id of the first picture that was given under it.
    private var first = 0
    private var bytes = 0
    /// From when the pictures are shown, and the last of them with its duration.
    private var span: (start: MediaTime, last: MediaTime, duration: MediaTime)?

    init(asked: Int?) { self.asked = asked }

    /// Measures another rate, if it is another, of the pictures with ids from `first` on.
    mutating func change(to asked: Int?, from first: Int) {
        guard asked != self.asked else { return }
        self = BitRateMeter(asked: asked)
        self.first = first
    }

    /// Counts a picture that left, or with 0 bytes one that was dropped, which is shown at `time` for as long as the
    /// next takes to come.
    mutating func note(bytes: Int, of id: Int, at time: MediaTime, for duration: MediaTime) {
        guard asked != nil, id >= first else { return }
        self.bytes += bytes
        guard let shown = span else { return span = (time, time, duration) }
        span = time > shown.last ? (shown.start, time, duration) : (min(shown.start, time), shown.last, shown.duration)
    }

    /// What came so far; nil in modes without a rate.
    var outcome: SessionStatistics.BitRate? {
        asked.map {
            SessionStatistics.BitRate(
                asked: $0, bytes: bytes, seconds: span.map { ($0.last - $0.start + $0.duration).seconds } ?? 0)
        }
    }
}
