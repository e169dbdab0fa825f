// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct DecodeTimestampsTests {
    /// Submits all display times, then asks for a decode time for each output in decode order.
    private func decodeTimes(of display: [Int64], decodeOrder: [Int], depth: Int) -> [(pts: Int64, dts: MediaTime)] {
        var timestamps = DecodeTimestamps(reorderDepth: depth)
        for time in display { timestamps.submit(MediaTime(value: time, timescale: 100)) }
        return decodeOrder.map { index in
            (display[index], timestamps.next(frameDuration: MediaTime(value: 4, timescale: 100)))
        }
    }

    @Test(
        "decode times strictly increase and never pass the presentation time",
        arguments: [
            ([0, 4, 8, 12, 16], [0, 2, 1, 4, 3], 1), ([0, 4, 8, 12, 16], [0, 4, 2, 1, 3], 2),
            ([0, 1, 50, 51, 200], [0, 2, 1, 4, 3], 1), ([7], [0], 2), ([7, 8], [0, 1], 2), ([0, 400], [0, 1], 2),
            ([-9, -8, 3], [0, 2, 1], 1), ([0, 4, 8], [0, 1, 2], 0),
        ] as [([Int64], [Int], Int)])
    func order(display: [Int64], decodeOrder: [Int], depth: Int) {
        let times = decodeTimes(of: display, decodeOrder: decodeOrder, depth: depth)
        for (pts, dts) in times { #expect(dts <= MediaTime(value: pts, timescale: 100)) }
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(earlier.dts < later.dts) }
    }

    @Test("at a constant rate the decode clock runs early by the reorder depth", arguments: [0, 1, 2])
    func offset(depth: Int) {
        let display = (0..<6).map { Int64($0 * 4) }
        let times = decodeTimes(of: display, decodeOrder: Array(0..<6), depth: depth)
        #expect(times.map(\.dts.value) == display.map { $0 - Int64(depth * 4) })
    }

    @Test("a gap after an early drain does not make decode times run backwards")
    func gapAfterDrain() {
        var timestamps = DecodeTimestamps(reorderDepth: 2)
        let duration = MediaTime(value: 4, timescale: 100)
        timestamps.submit(MediaTime(value: 0, timescale: 100))
        var times = [timestamps.next(frameDuration: duration)]
        for time in [500, 504, 508] as [Int64] { timestamps.submit(MediaTime(value: time, timescale: 100)) }
        for _ in 0..<3 { times.append(timestamps.next(frameDuration: duration)) }
        #expect(times[0].seconds == -0.08 && times[2] == .zero)
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(earlier < later) }
    }
}
