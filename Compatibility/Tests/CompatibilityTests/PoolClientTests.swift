// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import PoolClient
import Testing

/// Buffers of a pool with a threshold, letterboxed into a smaller video.
@Suite struct PoolClientTests {
    /// Samples by time, and how many pictures had no buffer.
    private func record(
        _ format: OSType, most: Int, frames: Int, keepsBuffers: Bool = false
    ) throws -> (frames: [(data: Data, time: CMTime, sets: [Data])], dropped: [Int]) {
        let recorder = try #require(PoolRecorder(width: 320, height: 240, format: format, most: most))
        let samples = Collected<(data: Data, time: CMTime, sets: [Data])>()
        var dropped: [Int] = []
        var kept: [CVPixelBuffer] = []
        defer { withExtendedLifetime(kept) {} }
        for index in 0..<frames {
            let before = recorder.dropped
            recorder.record(at: CMTime(value: Int64(index), timescale: 30)) {
                TestPictures.fill($0, index: index)
                if keepsBuffers { kept.append($0) }
            } output: { data, time, sets in
                samples.append((data, time, sets))
            }
            if recorder.dropped > before { dropped.append(index) }
        }
        recorder.complete()
        #expect(recorder.failures == [])
        return (samples.elements, dropped)
    }

    @Test(
        "each picture that had a buffer comes out, whole",
        arguments: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
    func threshold(format: OSType) throws {
        let (frames, dropped) = try record(format, most: 4, frames: 60)
        #expect(
            frames.map(\.time)
                == (0..<60).filter { !dropped.contains($0) }.map { CMTime(value: Int64($0), timescale: 30) })
        var stream = ElementaryStream(.h264)
        for frame in frames {
            for set in frame.sets { stream.append(unit: set) }
            stream.append(sample: frame.data)
        }
        try decode(stream, frames: frames.count)
    }

    @Test(
        "memory that the encoder still reads is not used again: the bytes are those of buffers never used twice",
        arguments: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
    func recycling(format: OSType) throws {
        let fresh = try record(format, most: 1000, frames: 40, keepsBuffers: true)
        let recycled = try record(format, most: 1000, frames: 40)
        #expect(fresh.dropped == [] && recycled.dropped == [])
        #expect(fresh.frames.map(\.data) == recycled.frames.map(\.data))
    }
}
