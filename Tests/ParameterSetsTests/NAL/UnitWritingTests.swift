// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// What a writer refuses because it would read otherwise.
@Suite struct UnitWritingTests {
    private func error(_ unit: H264NALUnit, _ sets: H264ParameterSets = .init()) -> ParameterSetError? {
        thrown { _ = try unit.nalUnit(in: sets) } as? ParameterSetError
    }

    @Test("a unit that does not end at a whole byte is refused")
    func wholeBytes() throws {
        var writer = SyntaxWriter()
        var bit = true
        try writer.flag("bit", &bit)
        let unit = H264NALUnit(header: .init(type: .init(rawValue: 24), refIdc: 0), payload: .other(writer.written))
        #expect(error(unit)?.code == .notRepresentable && error(unit)?.field == "nal_unit")
    }

    @Test("zero words are of two bytes, read or written")
    func zeroWords() throws {
        // Three zeros in a row, which a unit must not have, come back as one word.
        let odd = try H264NALUnit(nalUnit: hex("0C FF 80 00 00 00 03"), in: .init())
        #expect(odd.zeroBytes == 2)
        #expect(try odd.nalUnit(in: .init()) == hex("0C FF 80 00 00 03"))
        for count in [1, 3, -2] {
            var unit = odd
            unit.zeroBytes = count
            #expect(error(unit)?.code == .notRepresentable && error(unit)?.field == "cabac_zero_words")
        }
    }

    @Test("a part that other fields ask for is refused when missing, not made up")
    func missingParts() throws {
        let sps = try H264SPS(nalUnit: H264Vectors.high)
        let sets = H264ParameterSets(sps: sps, pps: try H264PPS(nalUnit: H264Vectors.highPPS, sps: sps))
        let timing = H264NALUnit(
            header: .init(type: .sei, refIdc: 0), payload: .sei(.init([.picTiming(.init())])))
        #expect(error(timing, sets)?.code == .notRepresentable && error(timing, sets)?.field == "cpb_removal_delay")
        let slice = H264NALUnit(header: .init(type: .idrSlice, refIdc: 1), payload: .slice(.init()))
        #expect(error(slice, sets)?.field == "dec_ref_pic_marking")
        let hevcSets = HEVCSEITests.sets(hasUnits: false)
        let picture = HEVCNALUnit(
            header: .init(type: .prefixSEI), payload: .sei(.init([.picTiming(.init())])))
        let hevcError = thrown { _ = try picture.nalUnit(in: hevcSets) } as? ParameterSetError
        #expect(hevcError?.code == .notRepresentable && hevcError?.field == "pic_struct")
        let segment = HEVCNALUnit(
            header: .init(type: .trailR), payload: .sliceSegment(.init(), data: OpaqueBits([0x80])))
        let sliceError = thrown { _ = try segment.nalUnit(in: hevcSets) } as? ParameterSetError
        #expect(sliceError?.code == .notRepresentable && sliceError?.field == "slice_pic_order_cnt_lsb")
    }

    @Test("bits that end in a zero byte are refused: what escapes it would read as data")
    func zeroAtEnd() {
        #expect(error(H264NALUnit())?.field == "nal_unit")
        for bytes in [[0], [0x80, 0]] as [[UInt8]] {
            let unit = H264NALUnit(header: .init(type: .init(rawValue: 24), refIdc: 1), payload: .other(.init(bytes)))
            #expect(error(unit)?.code == .notRepresentable && error(unit)?.field == "nal_unit")
        }
    }

    @Test(
        "numbers of bytes that no unit has are refused, not written without end", arguments: [-2, 1 << 40, Int.max - 1])
    func endless(count: Int) {
        var zeros = H264NALUnit(header: .init(type: .filler, refIdc: 0), payload: .filler(.init()))
        zeros.zeroBytes = count
        #expect(error(zeros)?.code == .notRepresentable)
        let filler = H264NALUnit(header: .init(type: .filler, refIdc: 0), payload: .filler(.init(count: count)))
        #expect(error(filler)?.code == .notRepresentable)
        let type = H264SEIPayload.common(.other(payloadType: count, OpaqueBits([1])))
        let message = H264NALUnit(header: .init(type: .sei, refIdc: 0), payload: .sei(.init([type])))
        #expect(error(message)?.code == .outOfRange)
    }

    @Test("an SEI unit without messages is refused")
    func noMessages() {
        let unit = H264NALUnit(header: .init(type: .sei, refIdc: 0), payload: .sei(.init()))
        #expect(error(unit)?.code == .notRepresentable && error(unit)?.field == "sei_rbsp")
    }

    @Test("an SEI message whose payload or tail would read otherwise is refused")
    func messageTails() throws {
        // Recovery point 0, then extension bits 0110, the end bit, and zeros.
        let bytes = hex("06 06 02 A6 C0 80")
        let unit = try H264NALUnit(nalUnit: bytes, in: .init())
        guard case .sei(let messages) = unit.payload else {
            Issue.record("no SEI")
            return
        }
        #expect(messages.messages[0].tail != nil)
        #expect(try unit.nalUnit(in: .init()) == bytes)
        var written = 0
        for change in fieldChanges(of: messages) {
            let changed = H264NALUnit(header: unit.header, payload: .sei(change.value))
            guard let bytes = try? changed.nalUnit(in: .init()) else { continue }
            written += 1
            #expect(try H264NALUnit(nalUnit: bytes, in: .init()) == changed, "\(change.field)")
        }
        #expect(written > 4)
    }
}
