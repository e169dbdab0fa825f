// SPDX-License-Identifier: MIT

import BaselineClient
import ClientSupport
import CoreMedia
import CoreVideo
import Testing

/// Baseline with a box for each frame, key frames on demand, and times that lie closer than durations say.
@Suite struct BaselineClientTests {
    @Test("150 frames a millisecond apart, of a thirtieth of a second each")
    func milliseconds() throws {
        let encoder = try #require(BaselineEncoder(width: 640, height: 360, bitRate: 800_000))
        let frames = Collected<BaselineFrame>()
        encoder.output = { frames.append($0) }
        for index in 0..<150 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 640, height: 360, index: index)
            let status = encoder.encode(
                try #require(picture), milliseconds: Int64(index), forcesKeyFrame: index == 40 || index == 90)
            #expect(status == noErr)
        }
        encoder.stop()
        #expect(encoder.refused == ["AspectRatio16x9": -12900, "FieldCount": -12900])
        #expect(encoder.openFrames == 0)
        let got = frames.elements
        #expect(got.map(\.number) == Array(0..<150))
        #expect(got.map(\.time) == (0..<150).map { CMTime(value: $0, timescale: 1000) })
        #expect(got.allSatisfy { $0.duration == CMTime(value: 1, timescale: 30) })
        #expect(got.filter(\.isKey).map(\.number) == [0, 40, 90])
        #expect(got.allSatisfy { ElementaryStream.units(of: $0.sample).count == 1 })
        // Five seconds by durations: a session that believed the times would give a thirtieth of the bytes.
        let bytes = got.map(\.sample.count).reduce(0, +)
        #expect(bytes > 350_000 && bytes < 650_000)

        var stream = ElementaryStream(.h264)
        for set in encoder.parameterSets { stream.append(unit: set) }
        for frame in got { stream.append(sample: frame.sample) }
        guard let decoded = try decode(stream, frames: 150) else { return }
        #expect(decoded.keyFrames == [0, 40, 90])
        #expect(decoded.profile.contains("Baseline"))
    }

    @Test("equal times are refused, and the frame's box is not the session's")
    func equalTimes() throws {
        let encoder = try #require(BaselineEncoder(width: 320, height: 180, bitRate: 300_000))
        let picture = try #require(
            TestPictures.make(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: 0))
        #expect(encoder.encode(picture, milliseconds: 5) == noErr)
        #expect(encoder.encode(picture, milliseconds: 5) == -12902)
        #expect(encoder.encode(picture, milliseconds: 4) == -12902)
        #expect(encoder.encode(picture, milliseconds: 6) == noErr)
        encoder.stop()
        #expect(encoder.openFrames == 0)
        #expect(encoder.encode(picture, milliseconds: 7) == -12903)
    }
}
