// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import ScreenClient
import Testing

/// A screen's BGRA pictures with times of a nanosecond clock.
@Suite struct ScreenClientTests {
    @Test("90 frames of BGRA become Main, within twice the rate in each second")
    func screen() throws {
        let encoder = try #require(ScreenEncoder(width: 320, height: 192, bitsPerSecond: 400_000, frameRate: 30))
        let frames = Collected<ScreenEncoder.Frame>()
        encoder.output = { frames.append($0) }
        let times = (0..<90).map { CMTime(value: 12_345_678_901 + $0 * 33_366_711, timescale: 1_000_000_000) }
        for (index, time) in times.enumerated() {
            let picture = TestPictures.make(kCVPixelFormatType_32BGRA, width: 320, height: 192, index: index)
            #expect(encoder.encode(try #require(picture), at: time) == noErr)
        }
        encoder.finish()
        let got = frames.elements
        #expect(got.map(\.time) == times)
        #expect(got.map(\.time.value) == times.map(\.value) && got.allSatisfy { $0.time.timescale == 1_000_000_000 })
        #expect(got.indices.filter { got[$0].isKey } == [0, 60])
        #expect(got.allSatisfy { $0.width == 320 && $0.height == 192 })
        #expect(DataRate.most(got.map { ($0.time.seconds, $0.sampleSize) }, within: 1) <= 100_000)
        var stream = ElementaryStream(.h264)
        for frame in got { stream.append(annexB: frame.annexB) }
        let decoded = try decode(stream, frames: 90)
        #expect(decoded.map(\.profile) ?? "Main" == "Main")
    }
}
