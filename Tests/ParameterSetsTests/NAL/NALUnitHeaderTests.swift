// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct NALUnitHeaderTests {
    /// A number drawn with so many digits.
    private func digits(_ number: Int, _ count: Int) -> Substring {
        String(1 << count + number, radix: 2).dropFirst()
    }

    @Test("every H.264 code point has one byte and survives, but for types 14, 20, 21", arguments: 0..<4, 0..<32)
    func h264(refIdc: Int, type: Int) throws {
        let bytes = bits("0 \(digits(refIdc, 2)) \(digits(type, 5))")
        guard ![14, 20, 21].contains(type) else {
            #expect(throws: ParameterSetError.self) { try H264NALUnitHeader(nalUnit: bytes) }
            return
        }
        var header = try H264NALUnitHeader(nalUnit: bytes)
        #expect(header == H264NALUnitHeader(type: .init(rawValue: type), refIdc: refIdc))
        #expect(header.byteCount == 1)
        var writer = SyntaxWriter()
        try header.code(with: &writer, in: ())
        #expect(writer.bytes == bytes)
    }

    @Test(
        "H.264 header extensions are read field by field and survive",
        arguments: [
            //    ref type svc idr prio   nil dep qual temp base disc out res
            bits("0 11 10100 1 1   101010 0   101 1001 011  1    0    1   11"),
            //    ref type mvc non prio   view       temp anch inter one
            bits("0 10 01110 0 1   000111 1000000001 110  1    0     1"),
            //    ref type 3d view      depth non temp anch inter
            bits("0 01 10101 1 10000001 1     0   101  0    1"),
        ])
    func h264Extensions(bytes: [UInt8]) throws {
        var header = try H264NALUnitHeader(nalUnit: bytes)
        #expect(header.byteCount == bytes.count)
        switch header.extension {
        case .svc(let svc):
            #expect(svc.isIDR && svc.priorityID == 42 && !svc.noInterLayerPrediction && svc.dependencyID == 5)
            #expect(svc.qualityID == 9 && svc.temporalID == 3 && svc.useReferenceBasePicture)
            #expect(!svc.isDiscardable && svc.isOutput && svc.reservedThree == 3)
        case .mvc(let mvc):
            #expect(mvc.isNotIDR && mvc.priorityID == 7 && mvc.viewID == 513 && mvc.temporalID == 6)
            #expect(mvc.isAnchor && !mvc.isUsedByOtherViews && mvc.reservedOne == 1)
        case .depth(let depth):
            #expect(depth.viewIndex == 129 && depth.isDepth && !depth.isNotIDR && depth.temporalID == 5)
            #expect(!depth.isAnchor && depth.isUsedByOtherViews)
        case nil:
            Issue.record("no extension in \(bytes)")
        }
        var writer = SyntaxWriter()
        try header.code(with: &writer, in: ())
        #expect(writer.bytes == bytes)
        for count in bytes.indices {
            #expect(throws: ParameterSetError.self) { try H264NALUnitHeader(nalUnit: Array(bytes.prefix(count))) }
        }
    }

    @Test("every HEVC code point survives", arguments: 0..<64)
    func hevc(type: Int) throws {
        var header = HEVCNALUnitHeader(type: .init(rawValue: type), layerID: 63 - type, temporalID: type % 7)
        var writer = SyntaxWriter()
        try header.code(with: &writer, in: ())
        #expect(writer.bytes == bits("0 \(digits(type, 6)) \(digits(63 - type, 6)) \(digits(type % 7 + 1, 3))"))
        #expect(try HEVCNALUnitHeader(nalUnit: writer.bytes) == header)
    }

    @Test("forbidden bits are refused", arguments: [[UInt8]([0x80]), [0xC0, 0x01], [0xE7]])
    func forbiddenBit(bytes: [UInt8]) {
        let errors = [
            thrown { _ = try H264NALUnitHeader(nalUnit: bytes) }, thrown { _ = try HEVCNALUnitHeader(nalUnit: bytes) },
        ]
        for error in errors {
            #expect((error as? ParameterSetError)?.code == .fixedBits)
            #expect((error as? ParameterSetError)?.field == "forbidden_zero_bit")
        }
    }

    @Test("an HEVC temporal id of -1 is refused")
    func zeroTemporalID() {
        let error = thrown { _ = try HEVCNALUnitHeader(nalUnit: [0x40, 0x00]) } as? ParameterSetError
        #expect(error?.code == .outOfRange)
        #expect(error?.field == "nuh_temporal_id_plus1")
        #expect(error?.bitOffset == 13)
    }

    @Test("types have the standard's names, unknown ones their number")
    func names() {
        #expect(H264NALUnitType.idrSlice.description == "IDR slice")
        #expect(H264NALUnitType(rawValue: 30).description == "type 30")
        #expect(HEVCNALUnitType.cra.description == "CRA_NUT")
        #expect(HEVCNALUnitType(rawValue: 62).description == "type 62")
    }
}
