// SPDX-License-Identifier: MIT

import CameraClient
import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import Synchronization
import Testing

/// A camera's encoder: a C callback, a refcon that is not retained, attachments by pointer, each NAL unit a frame.
@Suite struct CameraClientTests {
    private final class Receiver: CameraEncoderDelegate, Sendable {
        struct Unit: Sendable {
            let data: Data
            let isKey: Bool
            let time: CMTime
        }

        let units = Collected<Unit>()
        let sets = Collected<Data>()
        let failures = Collected<OSStatus>()

        func cameraEncoder(_ encoder: CameraEncoder, sps: Data, pps: Data) {
            sets.append(sps)
            sets.append(pps)
        }

        func cameraEncoder(_ encoder: CameraEncoder, unit: Data, isKey: Bool, time: CMTime) {
            units.append(Unit(data: unit, isKey: isKey, time: time))
        }

        func cameraEncoder(_ encoder: CameraEncoder, failed status: OSStatus) { failures.append(status) }
    }

    @Test(
        "150 frames: a NAL unit each, key frames each 30, the live rate followed without another, range as the format's",
        arguments: [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "tv", 2),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "pc", 2), (kCVPixelFormatType_32BGRA, "tv", 1),
        ])
    func liveRate(format: OSType, range: String, scale: Int) throws {
        let (width, height, unit) = (320 * scale, 180 * scale, 250_000 * scale * scale)
        let receiver = Receiver()
        let encoder = CameraEncoder(
            width: Int32(width), height: Int32(height), frameRate: 30, bitRate: 2 * unit, peak: 3 * unit)
        encoder.delegate = receiver
        let times = (0..<150).map { Int64($0 * 1000 / 30) }
        for (index, time) in times.enumerated() {
            if index == 75 { encoder.change(bitRate: 6 * unit / 10, peak: 9 * unit / 10) }
            encoder.encode(
                try #require(TestPictures.make(format, width: width, height: height, index: index)), milliseconds: time)
        }
        encoder.stop()
        let units = receiver.units.elements
        #expect(receiver.failures.elements == [])
        #expect(units.map(\.time) == times.map { CMTime(value: $0, timescale: 1000) })
        #expect(units.indices.filter { units[$0].isKey } == [0, 30, 60, 90, 120])
        let rates = [
            DataRate.average(units[15..<75].map(\.data.count), frameRate: 30),
            DataRate.average(units[90...].map(\.data.count), frameRate: 30),
        ]
        #expect(rates[0] > 1.5 * Double(unit) && rates[0] < 2.5 * Double(unit))
        #expect(rates[1] > 0.4 * Double(unit) && rates[1] < 0.75 * Double(unit))

        var stream = ElementaryStream(.h264)
        for set in receiver.sets.elements { stream.append(unit: set) }
        for unit in units { stream.append(unit: unit.data) }
        guard let decoded = try decode(stream, frames: 150) else { return }
        #expect(decoded.keyFrames == [0, 30, 60, 90, 120])
        #expect(decoded.profile == "High")
        // Limited range is what a stream means that signals nothing.
        #expect(Set(decoded.pictures.map { $0.range == "pc" ? "pc" : "tv" }) == [range])
    }

    @Test("pictures of another size are scaled")
    func otherSize() throws {
        let receiver = Receiver()
        let encoder = CameraEncoder(width: 320, height: 180, frameRate: 30, bitRate: 500_000, peak: 700_000)
        encoder.delegate = receiver
        for index in 0..<30 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 640, height: 360, index: index)
            encoder.encode(try #require(picture), milliseconds: Int64(index * 33))
        }
        encoder.stop()
        #expect(receiver.failures.elements == [])
        #expect(receiver.units.elements.count == 30)
        var stream = ElementaryStream(.h264)
        for set in receiver.sets.elements { stream.append(unit: set) }
        for unit in receiver.units.elements { stream.append(unit: unit.data) }
        let decoded = try decode(stream, frames: 30)
        #expect(decoded?.pictures.allSatisfy { $0.width == 320 && $0.height == 180 } != false)
    }
}
