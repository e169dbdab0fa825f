// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import LadderClient
import Testing

/// Sessions that are made anew at each step of a ladder, and end without completing.
@Suite struct LadderClientTests {
    @Test("the ladder 360, 240, 360 in ten bits with HLG loses no frame")
    func ladder() throws {
        let encoder = LadderEncoder(width: 640, height: 360, bitRate: 1_200_000)
        let samples = Collected<Held<CMSampleBuffer>>()
        let formats = Collected<CMVideoDimensionsValue>()
        encoder.output = { samples.append(Held(object: $0)) }
        encoder.formatChanged = { formats.append(CMVideoDimensionsValue($0.dimensions)) }
        for index in 0..<90 {
            if index == 30 { encoder.change(bitRate: 600_000) }
            if index == 60 { encoder.change(bitRate: 1_200_000) }
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, width: 640, height: 360, index: index)
            encoder.encode(try #require(picture), at: CMTime(value: Int64(index), timescale: 30))
        }
        encoder.stop()
        #expect(encoder.failures == [])
        let got = samples.elements.map(\.object)
        #expect(got.map(\.presentationTimeStamp) == (0..<90).map { CMTime(value: $0, timescale: 30) })
        let keys = got.indices.filter { got[$0].sampleAttachments[0][.notSync] == nil }
        #expect(keys == [0, 30, 60])
        #expect(formats.elements.map(\.height) == [360, 240, 360])

        var stream = ElementaryStream(.hevc)
        for (index, sample) in got.enumerated() {
            if keys.contains(index) {
                for set in sample.formatDescription?.parameterSets ?? [] { stream.append(unit: Data(set)) }
            }
            stream.append(sample: try #require(try sample.dataBuffer?.dataBytes()))
        }
        guard let decoded = try decode(stream, frames: 90) else { return }
        #expect(decoded.pictures.map(\.height) == (0..<90).map { 30..<60 ~= $0 ? 240 : 360 })
        #expect(decoded.profile == "Main 10")
        #expect(Set(decoded.pictures.map(\.pixelFormat)) == ["yuv420p10le"])
        #expect(Set(decoded.pictures.map(\.transfer)) == ["arib-std-b67"])
    }
}

/// Sides of a picture, which the client's module leaves without a comparison.
struct CMVideoDimensionsValue: Sendable, Equatable {
    let width: Int32
    let height: Int32

    init(_ size: CMVideoDimensions) { (width, height) = (size.width, size.height) }
}
