// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HostileFramingTests {
    private static let h264 = H264Vectors.all.flatMap { [$0, $1] } + [hex("65 88 84 00 6F 8A A1 80 00 00 03 00 00 03")]
    private static let hevc = HEVCVectors.all.flatMap { [$0.vps, $0.sps, $0.pps] } + [hex("26 01 AF 00 00 03 01")]

    private func changes(of first: [UInt8], and second: [UInt8]) -> [[UInt8]] {
        Array(Mutations.flips(of: first)) + Array(Mutations.cuts(of: first))
            + Array(Mutations.splices(of: first, and: second)) + Array(Mutations.splices(of: second, and: first))
    }

    @Test("byte streams with flipped bits, cut or spliced give the same units in every way", arguments: [h264, hevc])
    func streams(units: [[UInt8]]) throws {
        for stream in changes(of: AnnexB.join(units), and: AnnexB.join(units.reversed())) {
            let found = AnnexB.nalUnitRanges(in: stream).map { Array(stream[$0]) }
            var reader = AnnexBStreamReader()
            let half = stream.count / 2
            let pieces = try reader.append(stream[..<half]) + reader.append(stream[half...])
            #expect((pieces + (reader.finish().map { [$0] } ?? [])).map(\.bytes) == found)
            var inPlace = stream
            guard let sample = try? LengthPrefixed.fromAnnexB(stream, lengthSize: 4) else {
                #expect(throws: ParameterSetError.self) {
                    try LengthPrefixed.convertFromAnnexB(&inPlace, lengthSize: 4)
                }
                #expect(inPlace == stream)
                continue
            }
            #expect(try LengthPrefixed.nalUnitRanges(in: sample, lengthSize: 4).map { Array(sample[$0]) } == found)
            try LengthPrefixed.convertFromAnnexB(&inPlace, lengthSize: 4)
            #expect(inPlace == sample)
        }
    }

    @Test("samples with flipped bits, cut or spliced are refused as a whole or converted", arguments: [h264, hevc])
    func samples(units: [[UInt8]]) throws {
        let sample = try LengthPrefixed.join(units, lengthSize: 4)
        for changed in changes(of: sample, and: try LengthPrefixed.join(units.reversed(), lengthSize: 4)) {
            let scan = LengthPrefixed.scan(changed, lengthSize: 4)
            #expect(scan.error == nil || scan.error?.code == .badLength)
            #expect(scan.ranges.allSatisfy { !$0.isEmpty && $0.upperBound <= changed.count })
            var inPlace = changed
            try? AnnexB.convertFromLengthPrefixed(&inPlace, lengthSize: 4)
            let stream = try? AnnexB.fromLengthPrefixed(changed, lengthSize: 4)
            #expect((stream == nil) == (scan.error != nil) && inPlace == stream ?? changed)
        }
    }

    @Test("access units of changed streams begin at the first unit that can be read")
    func accessUnits() {
        expectFirst(H264AccessUnitDetector(), Self.h264)
        expectFirst(HEVCAccessUnitDetector(), Self.hevc)
    }

    private func expectFirst<Detector: AccessUnitDetector>(_ start: Detector, _ units: [[UInt8]]) {
        for stream in changes(of: AnnexB.join(units), and: AnnexB.join(units.reversed())) {
            var detector = start
            let found = AnnexB.nalUnitRanges(in: stream).compactMap { range in
                try? detector.startsAccessUnit(stream[range])
            }
            #expect(found.first != false)
        }
    }
}
