// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// Whatever takes bytes says the same of an array, of a slice somewhere in a larger one, and of a span.
@Suite struct ByteViewTests {
    private static let h264 = H264Vectors.all.flatMap { [$0, $1] }
    private static let hevc = HEVCVectors.all.flatMap { [$0.vps, $0.sps, $0.pps] }

    /// What is found in bytes, errors included, as text.
    private typealias Findings = [String]

    private func expectSame(_ bytes: [UInt8], _ array: Findings, _ slice: Findings, _ span: Findings) {
        #expect(array == slice && array == span, "\(bytes)")
    }

    /// The bytes inside of others that would be found if they were looked at.
    private func inside(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let around = AnnexB.startCode + [0x67, 0, 0, 3]
        return (around + bytes + around)[around.count..<around.count + bytes.count]
    }

    private func text<Value>(_ body: () throws(ParameterSetError) -> Value) -> String {
        do throws(ParameterSetError) {
            return "\(try body())"
        } catch {
            return "\(error)"
        }
    }

    private func framing(_ bytes: some ByteView & ~Escapable) -> Findings {
        var reader = AnnexBStreamReader()
        var found = ["\(AnnexB.nalUnitRanges(in: bytes))", "\(EmulationPrevention.escape(bytes))"]
        for limit in [0, 1, 7, .max] {
            found.append("\(EmulationPrevention.unescape(bytes, limit: limit))")
        }
        for size in [0, 1, 2, 4] {
            found.append("\(LengthPrefixed.scan(bytes, lengthSize: size))")
            found.append(
                text { () throws(ParameterSetError) in try LengthPrefixed.fromAnnexB(bytes, lengthSize: size) })
            found.append(
                text { () throws(ParameterSetError) in try AnnexB.fromLengthPrefixed(bytes, lengthSize: size) })
        }
        found.append(text { () throws(ParameterSetError) in try reader.append(bytes) })
        return found + ["\(String(describing: reader.finish()))"]
    }

    @Test("framings of changed streams", arguments: [h264, hevc])
    func framings(units: [[UInt8]]) throws {
        let stream = AnnexB.join(units)
        let sample = try LengthPrefixed.join(units, lengthSize: 2)
        let splices = Array(Mutations.splices(of: stream, and: sample))
        for bytes in [[], stream, sample] + stride(from: 0, to: splices.count, by: 40).map({ splices[$0] }) {
            expectSame(bytes, framing(bytes), framing(inside(bytes)), framing(bytes.span))
        }
    }

    private func units(_ bytes: some ByteView & ~Escapable) -> Findings {
        var (h264Sets, hevcSets) = (H264ParameterSets(), HEVCParameterSets())
        var (h264, hevc) = (H264AccessUnitDetector(), HEVCAccessUnitDetector())
        return [
            text { () throws(ParameterSetError) in try H264NALUnitHeader(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try HEVCNALUnitHeader(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try H264NALUnit(nalUnit: bytes, in: .init()) },
            text { () throws(ParameterSetError) in try HEVCNALUnit(nalUnit: bytes, in: .init()) },
            text { () throws(ParameterSetError) in try H264SPS(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try H264PPS(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try HEVCVPS(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try HEVCSPS(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try HEVCPPS(nalUnit: bytes) },
            text { () throws(ParameterSetError) in try H264SPS(rbsp: bytes) },
            "\(H264NALUnit.trace(bytes, updating: &h264Sets))", "\(HEVCNALUnit.trace(bytes, updating: &hevcSets))",
            text { () throws(ParameterSetError) in try h264.startsAccessUnit(bytes) },
            text { () throws(ParameterSetError) in try hevc.startsAccessUnit(bytes) },
            text { () throws(ParameterSetError) in try AVCDecoderConfiguration(bytes: bytes) },
            text { () throws(ParameterSetError) in try HEVCDecoderConfiguration(bytes: bytes) },
            text { () throws(ParameterSetError) in try SequenceDescription(annexB: bytes) },
            text { () throws(ParameterSetError) in try SequenceDescription(lengthPrefixed: bytes, lengthSize: 2) },
        ]
    }

    @Test("units, records and descriptions", arguments: [h264, hevc])
    func units(known: [[UInt8]]) throws {
        for unit in known {
            let stream = AnnexB.join([unit])
            let sample = try LengthPrefixed.join([unit], lengthSize: 2)
            let cuts = stride(from: 1, to: unit.count, by: 8).map { Array(unit[..<$0]) }
            for bytes in [[], unit, unit + [0, 0], stream, sample] + cuts {
                expectSame(bytes, units(bytes), units(inside(bytes)), units(bytes.span))
            }
        }
    }

    @Test("headers of slices, behind which more bytes follow than are looked at", arguments: 1...UInt64(50))
    func sliceHeaders(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        var (h264, hevc) = (H264ParameterSets(), HEVCParameterSets())
        for unit in Self.h264 { _ = H264NALUnit.trace(unit, updating: &h264) }
        for unit in Self.hevc { _ = HEVCNALUnit.trace(unit, updating: &hevc) }
        let data = random.streamBytes(count: Int.random(in: 0...1000, using: &random))
        for bytes in [hex("65") + data, hex("41") + data, hex("26 01") + data, hex("02 01") + data] {
            func headers(_ bytes: some ByteView & ~Escapable) -> Findings {
                [
                    text { () throws(ParameterSetError) in try H264SliceHeader(nalUnit: bytes, in: h264) },
                    text { () throws(ParameterSetError) in try HEVCSliceSegmentHeader(nalUnit: bytes, in: hevc) },
                ]
            }
            expectSame(bytes, headers(bytes), headers(inside(bytes)), headers(bytes.span))
        }
    }
}
