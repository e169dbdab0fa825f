// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct FramingMistakesTests {
    private static let sps = H264Vectors.high
    private static let hevcSPS = HEVCVectors.all[0].sps
    private static let slice: [UInt8] = [0x65, 0x88, 0x84, 0x00, 0x6F]

    private static func avcC() throws -> [UInt8] {
        try AVCDecoderConfiguration(sequenceParameterSets: [sps], pictureParameterSets: []).bytes
    }

    private static func hvcC() throws -> [UInt8] {
        try HEVCDecoderConfiguration(
            videoParameterSets: [], sequenceParameterSets: [hevcSPS], pictureParameterSets: []
        ).bytes
    }

    private static func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(contents.count + 8)] + Array(name.utf8) + contents
    }

    private func expect(
        _ code: ParameterSetError.Code, _ reason: String, _ body: () throws -> Void,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(thrown(body) as? ParameterSetError, sourceLocation: location)
        #expect(error.code == code && error.reason == reason, "\(error.code): \(error)", sourceLocation: location)
    }

    @Test(
        "a start code or length in front of a unit is named, whatever the unit is read as",
        arguments: [
            ([0, 0, 1], "start code"), ([0, 0, 0, 1], "start code"), (nil, "length of 4 bytes"),
        ] as [([UInt8]?, String)])
    func beforeUnits(start: [UInt8]?, name: String) throws {
        func framed(_ unit: [UInt8]) -> [UInt8] { (start ?? [0, 0, 0, UInt8(unit.count)]) + unit }
        let reason = "the bytes begin with a \(name), which is no part of the NAL unit behind it"
        try expect(.wrongUnitType, reason) { _ = try H264SPS(nalUnit: framed(Self.sps)) }
        try expect(.wrongUnitType, reason) { _ = try H264PPS(nalUnit: framed(H264Vectors.highPPS)) }
        try expect(.wrongUnitType, reason) { _ = try H264SliceHeader(nalUnit: framed(Self.slice), in: .init()) }
        try expect(.missingParameterSet, reason) { _ = try SequenceDescription(parameterSets: [framed(Self.sps)]) }
        #expect(
            (thrown { _ = try HEVCSPS(nalUnit: framed(Self.hevcSPS)) } as? ParameterSetError)?.reason == reason)
        try expect(.wrongUnitType, "is SPS, expected PPS") { _ = try H264PPS(nalUnit: Self.sps) }
    }

    @Test("bytes that are no record are refused by what they are")
    func records() throws {
        let (avcC, hvcC) = try (Self.avcC(), Self.hvcC())
        let stream = "the bytes begin with a start code: they are a byte stream and no record"
        for code in [[0, 0, 1], AnnexB.startCode] {
            try expect(.fixedBits, stream) { _ = try AVCDecoderConfiguration(bytes: code + Self.sps) }
            try expect(.fixedBits, stream) { _ = try HEVCDecoderConfiguration(bytes: code + Self.hevcSPS) }
        }
        let whole = "box, whose contents begin at byte 8"
        try expect(.fixedBits, "the bytes are a whole avcC \(whole)") {
            _ = try SequenceDescription(avcC: Self.box("avcC", avcC))
        }
        try expect(.fixedBits, "the bytes are a whole hvcC \(whole)") {
            _ = try HEVCDecoderConfiguration(bytes: Self.box("hvcC", hvcC))
        }
        for (other, read) in [
            ("avcC", { _ = try HEVCDecoderConfiguration(bytes: avcC) }),
            ("hvcC", { _ = try AVCDecoderConfiguration(bytes: hvcC) }),
        ] as [(String, () throws -> Void)] {
            let error = try #require(thrown(read) as? ParameterSetError)
            #expect(error.reason == "the bytes are the contents of an \(other) box")
        }
    }

    @Test("what has nothing to describe is refused by what it is")
    func descriptions() throws {
        let sample = try LengthPrefixed.join([Self.sps], lengthSize: 2)
        let (none, missing) = (ParameterSetError.Code.missingStartCode, ParameterSetError.Code.missingParameterSet)
        try expect(none, "there is no start code, 0 0 1, in 0 bytes") { _ = try SequenceDescription(annexB: []) }
        try expect(none, "there is no start code, 0 0 1, in 4 bytes") {
            _ = try SequenceDescription(annexB: Array("text".utf8))
        }
        let lengths = "; they read as NAL units with lengths of 2 bytes"
        try expect(none, "there is no start code, 0 0 1, in \(sample.count) bytes\(lengths)") {
            _ = try SequenceDescription(annexB: sample)
        }
        try expect(missing, "there are no NAL units") { _ = try SequenceDescription(parameterSets: [[UInt8]]()) }
        try expect(missing, "there is no sequence parameter set of HEVC, but one of H.264") {
            _ = try SequenceDescription(annexB: AnnexB.join([Self.sps]), codec: .hevc)
        }
        try expect(missing, "there is no sequence parameter set of H.264, but one of HEVC") {
            _ = try SequenceDescription(parameterSets: [Self.hevcSPS], codec: .h264)
        }
        try expect(missing, "there is no sequence parameter set among 1 NAL units") {
            _ = try SequenceDescription(annexB: AnnexB.join([Self.slice]))
        }
        // configurationVersion, profile, constraints and level, lengths of four bytes, no SPS and no PPS.
        try expect(missing, "the record has no sequence parameter set; the samples of avc3 streams may have it") {
            _ = try SequenceDescription(avcC: [1, 77, 64, 30, 0xFF, 0xE0, 0])
        }
    }

    @Test("a byte stream given as units with lengths is named")
    func lengths() throws {
        let unit: [UInt8] = [0x65] + [UInt8](repeating: 0x5A, count: 20)
        for size in [1, 2, 4] {
            let error = LengthPrefixed.scan(AnnexB.startCode + unit, lengthSize: size).error
            #expect(error?.code == .badLength)
            #expect(error?.reason.hasSuffix("; the bytes begin with a start code, as a byte stream does") == true)
        }
        #expect(
            LengthPrefixed.scan([0, 0, 1] + unit, lengthSize: 2).error?.reason
                == "the length at byte 2 is 357, but 20 bytes remain; the bytes begin with a start code, as a byte stream does"
        )
        // A unit of 256 bytes and more has a length that begins as a start code does.
        #expect(LengthPrefixed.scan([0, 0, 1, 4, 0x65], lengthSize: 4).error?.reason.contains("start code") == false)
        let none = thrown { _ = try LengthPrefixed.fromAnnexB([1, 2, 3, 4], lengthSize: 4) } as? ParameterSetError
        #expect(none?.code == .missingStartCode && none?.reason == "there is no start code, 0 0 1, in 4 bytes")
    }
}
