// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import Testing
import TwoCodecClient

/// Both codecs chosen by an enumeration, keys asked for before they are set, start codes written in place.
@Suite struct TwoCodecClientTests {
    @Test(
        "90 frames, a key frame on demand, samples that start codes in others do not reach",
        arguments: TwoCodecEncoder.Kind.allCases)
    func startCodes(kind: TwoCodecEncoder.Kind) throws {
        let encoder = try #require(
            TwoCodecEncoder(kind, width: 640, height: 360, frameRate: 30, bitRate: 900_000))
        #expect(encoder.unsupported == ["AKeyThatNobodyHas"])
        #expect(encoder.failures == [])
        let frames = Collected<(TwoCodecEncoder.Frame, Held<CMSampleBuffer>)>()
        encoder.output = { frames.append(($0, Held(object: $1))) }
        for index in 0..<90 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 640, height: 360, index: index)
            let time = CMTime(value: Int64(index), timescale: 30)
            #expect(encoder.encode(try #require(picture), at: time, forcesKeyFrame: index == 25) == noErr)
        }
        encoder.finish()
        let got = frames.elements
        #expect(got.map(\.0.time) == (0..<90).map { CMTime(value: $0, timescale: 30) })
        #expect(got.indices.filter { got[$0].0.isKey } == [0, 25, 85])
        // Each block is the sample's own: what was written into it is there, and nothing else was.
        for (frame, sample) in got { #expect(try sample.object.dataBuffer?.dataBytes() == frame.annexB) }
        var stream = ElementaryStream(kind == .hevc ? .hevc : .h264)
        for (frame, _) in got {
            if frame.isKey { stream.append(annexB: frame.header) }
            stream.append(annexB: frame.annexB)
        }
        guard let decoded = try decode(stream, frames: 90) else { return }
        #expect(decoded.keyFrames == [0, 25, 85])
    }

    @Test("what is set again as it was changes nothing in the stream")
    func setAgain() throws {
        let encoder = try #require(
            TwoCodecEncoder(.h264Main, width: 320, height: 180, frameRate: 30, bitRate: 400_000))
        let frames = Collected<TwoCodecEncoder.Frame>()
        encoder.output = { frame, _ in frames.append(frame) }
        for index in 0..<30 {
            if index % 5 == 4 { encoder.change(bitRate: index < 20 ? 400_000 : 300_000) }
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: index)
            #expect(encoder.encode(try #require(picture), at: CMTime(value: Int64(index), timescale: 30)) == noErr)
        }
        encoder.finish()
        #expect(frames.elements.map(\.isKey) == (0..<30).map { $0 == 0 })
    }

    @Test("what ends by Invalidate alone has lost no frame in real time", arguments: TwoCodecEncoder.Kind.allCases)
    func invalidated(kind: TwoCodecEncoder.Kind) throws {
        let encoder = try #require(TwoCodecEncoder(kind, width: 320, height: 180, frameRate: 30, bitRate: 400_000))
        let frames = Collected<CMTime>()
        encoder.output = { frame, _ in frames.append(frame.time) }
        for index in 0..<20 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: index)
            #expect(encoder.encode(try #require(picture), at: CMTime(value: Int64(index), timescale: 30)) == noErr)
        }
        encoder.stop()
        #expect(frames.elements.count == 20)
    }
}
