// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import TestSupport
import Testing
import X264Backend

@testable import Publishing

@Suite struct DisplayRotationTests {
    /// Packets of a session, with either framing.
    private func packets(_ framing: StreamFraming, frames: Int = 6) async throws -> [MediaPacket] {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 48, pixelFormat: .i420)
        configuration.framing = framing
        configuration.live.maxKeyFrameInterval = 3
        let session = try CompressionSession(configuration, encoder: X264Backend())
        for index in 0..<frames {
            var buffer = try session.pixelBufferPool.makeMutablePixelBuffer()
            for plane in 0..<3 {
                buffer.withMutablePlane(plane) { bytes, _ in
                    for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place + index + plane) }
                }
            }
            try await session.encode(
                PixelBuffer(buffer), at: MediaTime(value: Int64(index), timescale: 30), options: FrameOptions())
        }
        try await session.finish()
        var packets: [MediaPacket] = []
        for try await frame in session.encodedFrames { packets += [MediaPacket(frame)].compactMap(\.self) }
        return packets
    }

    private func rotations(_ packet: MediaPacket) -> [Int] {
        packet.nalUnits.compactMap { range -> Int? in
            guard let unit = try? H264NALUnit(nalUnit: Array(packet.data[range]), in: H264ParameterSets()),
                case .sei(let messages) = unit.payload
            else { return nil }
            for case .displayOrientation(let payload) in messages.payloads {
                return payload.orientation?.anticlockwiseRotation
            }
            return nil
        }
    }

    @Test(
        "key pictures say by how much they are turned, anticlockwise and in 65536ths, in either framing",
        arguments: [StreamFraming.annexB, .lengthPrefixed()])
    func turned(framing: StreamFraming) async throws {
        let packets = try await packets(framing)
        #expect(packets.filter(\.isKey).count >= 2 && packets.contains { !$0.isKey })
        for (rotation, anticlockwise) in [
            (DisplayRotation.degrees90, 49_152), (.degrees180, 32_768), (.degrees270, 16_384),
        ] {
            for packet in packets {
                let turned = try packet.turned(rotation)
                #expect(rotations(turned) == (packet.isKey ? [anticlockwise] : []))
                #expect(turned.presentationTime == packet.presentationTime && turned.duration == packet.duration)
                // All else is there as before, and nothing between the NAL units but what the framing puts there.
                let units = turned.nalUnits.map { Array(turned.data[$0]) }
                let before = packet.nalUnits.map { Array(packet.data[$0]) }
                #expect(units.filter { $0.first != 6 || !before.isEmpty && before.contains($0) } == before)
                let ranges =
                    framing == .annexB
                    ? AnnexB.nalUnitRanges(in: turned.data)
                    : LengthPrefixed.scan(turned.data, lengthSize: 4).ranges
                #expect(ranges == turned.nalUnits)
                // The message comes before the first slice.
                let slice = units.firstIndex { [1, 5].contains(($0.first ?? 0) & 31) }
                if packet.isKey { #expect(units[(slice ?? 1) - 1].first == 6) }
            }
        }
    }

    @Test("a picture is turned once: a second time is refused, and none leaves the packet as it is")
    func once() async throws {
        let packet = try #require(try await packets(.annexB, frames: 1).first)
        #expect(try packet.turned(.none).data == packet.data)
        let turned = try packet.turned(.degrees90)
        let error = #expect(throws: PublishingError.self) { try turned.turned(.degrees90) }
        #expect(error?.code == .invalidState)
    }

    @Test("a message of HEVC is read back as it was meant")
    func hevc() throws {
        let bytes = try DisplayRotation.degrees270.message(.hevc)
        let unit = try HEVCNALUnit(nalUnit: bytes, in: HEVCParameterSets())
        guard case .sei(let messages) = unit.payload, case .displayOrientation(let payload)? = messages.payloads.first
        else {
            Issue.record("\(unit)")
            return
        }
        #expect(unit.header.type == .prefixSEI)
        #expect(payload.orientation?.anticlockwiseRotation == 16_384 && payload.orientation?.persistenceFlag == true)
    }
}
