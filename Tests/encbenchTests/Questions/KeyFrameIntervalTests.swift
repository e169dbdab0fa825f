// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import BenchReports
@testable import EncoderBench
@testable import encbench

@Suite struct KeyFrameIntervalTests {
    private func isKey(_ keys: [Int], of count: Int) -> [Bool] { (0..<count).map(keys.contains) }

    @Test(
        "a promise in frames is broken by the first frame that should have been a key frame",
        arguments: [
            ([0, 10, 20], 25, 10, nil), ([0, 10, 21], 25, 10, 20), ([0, 9, 18], 25, 10, nil), ([0], 10, 10, nil),
            ([0], 11, 10, 10), ([0, 1, 2], 3, 1, nil), ([0, 2], 3, 1, 1),
        ] as [([Int], Int, Int, Int?)])
    func frames(keys: [Int], count: Int, frames: Int, brokenAt: Int?) {
        let seconds = (0..<count).map { Double($0) * 0.04 }
        let interval = KeyFrameInterval(frames: frames).checked(isKey: isKey(keys, of: count), seconds: seconds)
        #expect(interval.brokenAt == brokenAt && interval.isKept == (brokenAt == nil))
    }

    @Test("a promise in seconds counts presentation times, whatever the frame rate")
    func seconds() {
        let times = [0, 0.1, 0.5, 0.9, 1.0, 1.1, 2.0, 2.5]
        let kept = KeyFrameInterval(seconds: 1).checked(isKey: isKey([0, 4, 6], of: 8), seconds: times)
        #expect(kept.isKept && kept.text == "a key frame every 1 s: kept")
        let broken = KeyFrameInterval(seconds: 1).checked(isKey: isKey([0, 5], of: 8), seconds: times)
        #expect(broken.brokenAt == 4 && broken.text == "a key frame every 1 s: missing at frame 4")
        // Sums of thirds are no third sums.
        let thirds = (0..<10).map { Double($0) * (1001.0 / 30000) }
        let exact = KeyFrameInterval(seconds: 3 * 1001.0 / 30000).checked(
            isKey: isKey([0, 3, 6, 9], of: 10), seconds: thirds)
        #expect(exact.isKept)
    }

    @Test("settings promise what they name and nothing else")
    func promises() {
        var live = LiveSettings()
        #expect(KeyFrameInterval.promised(by: live) == [])
        live.maxKeyFrameInterval = 30
        live.maxKeyFrameIntervalDuration = 2
        #expect(KeyFrameInterval.promised(by: live) == [KeyFrameInterval(frames: 30), KeyFrameInterval(seconds: 2)])
    }

    @Test("what a key frame may cost others ends after half a second, at the next one, or with the clip")
    func after() {
        let seconds = (0..<40).map { Double($0) * 0.04 }
        #expect(KeyFrameReport.framesAfter(10, seconds: seconds, asked: [10]) == 10..<23)
        #expect(KeyFrameReport.framesAfter(10, seconds: seconds, asked: [10, 15]) == 10..<15)
        #expect(KeyFrameReport.framesAfter(39, seconds: seconds, asked: [10, 39]) == 39..<40)
        #expect(KeyFrameReport.framesAfter(10, seconds: seconds, asked: [10, 11]) == 10..<11)
    }
}
