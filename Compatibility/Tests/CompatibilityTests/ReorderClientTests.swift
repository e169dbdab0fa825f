// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import ReorderClient
import Testing
import VideoToolbox

/// A muxer that makes decode times of its own from those of VideoToolbox.
@Suite struct ReorderClientTests {
    @Test(
        "decode times begin with the first presentation time, rise, and a constant delay puts them below",
        .timeLimit(.minutes(1)), arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC], [false, true])
    func decodeTimes(codec: CMVideoCodecType, changes: Bool) throws {
        let muxer = try #require(ReorderingMuxer(codec: codec, width: 320, height: 180, bitRate: 500_000))
        let first = CMTime(value: 900, timescale: 30)
        let duration = CMTime(value: 1, timescale: 30)
        for index in 0..<120 {
            if changes, index == 61 { muxer.set(kVTCompressionPropertyKey_AllowOpenGOP, kCFBooleanTrue) }
            if changes, index == 61, codec == kCMVideoCodecType_H264 {
                muxer.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Main_AutoLevel)
            }
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: index)
            muxer.encode(
                try #require(picture), at: first + CMTime(value: Int64(index), timescale: 30), duration: duration)
        }
        let (packets, delay) = muxer.finish()
        #expect(muxer.failures == [])
        let times = packets.map(\.presentationTime)
        #expect(times.sorted() == (0..<120).map { CMTime(value: 900 + $0, timescale: 30) })
        #expect(times != times.sorted(), "without reordering nothing is shown")
        #expect(packets.first?.decodeTime == first)
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        // x264 and x265 have up to two reordered frames by default; the joint of two runs adds none.
        #expect(delay > .zero && delay <= CMTime(value: 3, timescale: 30))
        var stream = ElementaryStream(codec == kCMVideoCodecType_HEVC ? .hevc : .h264)
        for packet in packets {
            for set in packet.parameterSets { stream.append(unit: set) }
            stream.append(sample: packet.data)
        }
        try decode(stream, frames: 120)
    }
}
