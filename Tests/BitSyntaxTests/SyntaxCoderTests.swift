// SPDX-License-Identifier: MIT

import BitSyntax
import ParameterSets
import TestSupport
import Testing

/// One of each kind of element.
private struct Sample: SyntaxStructure {
    var fixedLength = 0
    var twosComplement = 0
    var offsets: [Int] = []
    var optional: Int?
    var isSet = false
    var rest = OpaqueBits()

    mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.fixed("marker", 0b10, 2)
        try coder.u("fixed_length", &fixedLength, 6, 0...40)
        try coder.i("twos_complement", &twosComplement, 5)
        try coder.count("num_offsets", &offsets, 0...3, repeating: 0)
        for index in offsets.indices {
            try coder.se("offset", &offsets[index], -5...5, at: index)
        }
        try coder.ue(flag: "optional_present_flag", "optional", &optional)
        try coder.flag("is_set", &isSet, when: optional != nil, else: false)
        try coder.opaque("rest", &rest, count: coder.remainingDataBits)
        try coder.rbspTrailingBits()
    }
}

@Suite struct SyntaxCoderTests {
    //                       mark len    i5    num offset        opt   set rest stop
    private let bytes = bits("10 100111 11110 011 00101 00100    1 011 1   101  1")

    private func read(_ bytes: [UInt8]) throws(ParameterSetError) -> Sample {
        var sample = Sample()
        var reader = SyntaxReader(bytes)
        try sample.code(with: &reader, in: ())
        return sample
    }

    @Test("one description reads, writes and traces the same bits")
    func threeConformers() throws {
        var sample = try read(bytes)
        #expect(sample.fixedLength == 39)
        #expect(sample.twosComplement == -2)
        #expect(sample.offsets == [-2, 2])
        #expect(sample.optional == 2)
        #expect(sample.isSet)
        #expect(sample.rest.bytes == [0b1010_0000])
        #expect(sample.rest.count == 3)

        var writer = SyntaxWriter()
        try sample.code(with: &writer, in: ())
        #expect(writer.bytes == bytes)

        var traced = Sample()
        var tracer = SyntaxTracer(bytes)
        try traced.code(with: &tracer, in: ())
        #expect(traced == sample)
        let lines = tracer.elements.map { "\($0.bitPosition)+\($0.bitLength) \($0.name) \($0.number ?? -99)" }
        #expect(
            lines == [
                "0+2 marker 2", "2+6 fixed_length 39", "8+5 twos_complement -2", "13+3 num_offsets 2",
                "16+5 offset[0] -2", "21+5 offset[1] 2", "26+1 optional_present_flag 1", "27+3 optional 2",
                "30+1 is_set 1", "31+3 rest -99", "34+1 rbsp_stop_one_bit 1",
                "35+1 rbsp_alignment_zero_bit 0", "36+1 rbsp_alignment_zero_bit 0",
                "37+1 rbsp_alignment_zero_bit 0", "38+1 rbsp_alignment_zero_bit 0",
                "39+1 rbsp_alignment_zero_bit 0",
            ])
    }

    @Test(
        "an error names field, bit, value and legal range",
        arguments: [
            ("00 100111", "marker", 0, ParameterSetError.Code.fixedBits, "is 0, the standard fixes it at 2"),
            ("10 101001", "fixed_length", 2, .outOfRange, "is 41, expected 0...40"),
            ("10 100111 11110 00101 000000", "num_offsets", 13, .outOfRange, "is 4, expected 0...3"),
            ("10 100111 11110 010 0001101 1", "offset[0]", 16, .outOfRange, "is -6, expected -5...5"),
            ("10 100111 11110 010", "offset[0]", 16, .endOfData, "the data ends after 0 more bits, inside this field"),
        ])
    func errors(drawing: String, field: String, bit: Int, code: ParameterSetError.Code, reason: String) {
        let error = thrown { _ = try read(bits(drawing)) } as? ParameterSetError
        #expect(error == ParameterSetError(code, field: field, bitOffset: bit, reason: reason))
    }

    @Test("data that ends inside an element is an error, never a value or a trap", arguments: 0..<4)
    func truncation(count: Int) {
        #expect(throws: ParameterSetError.self) { try read(Array(bytes.prefix(count))) }
    }

    @Test("opaque bits take what is there: where they are cut, their last one bit stops the structure")
    func cutRest() throws {
        #expect(try read(Array(bytes.prefix(4))).rest.count == 0)
    }

    @Test("a writer refuses what the syntax has no place for")
    func notRepresentable() {
        var sample = Sample()
        sample.isSet = true
        var writer = SyntaxWriter()
        let error = thrown { try sample.code(with: &writer, in: ()) } as? ParameterSetError
        #expect(error?.code == .notRepresentable)
        #expect(error?.field == "is_set")
    }

    @Test("a zero byte after the trailing bits is an error; another byte moves the stop bit")
    func trailingData() throws {
        for zeros in [[0x00], [0x12, 0x00]] as [[UInt8]] {
            let error = thrown { _ = try read(bytes + zeros) } as? ParameterSetError
            #expect(error?.code == .trailingData && error?.reason == "8 bits follow the structure's end")
        }
        // From bit 31 on; of 0001 0010 the seventh bit is the stop bit.
        #expect(try read(bytes + [0x12]).rest.count == 9 + 6)
    }

    @Test("looking ahead and limits of any size do not trap")
    func extremes() throws {
        var reader = SyntaxReader([UInt8](repeating: 255, count: 9))
        #expect(reader.nextBits(62) == 1 << 62 - 1 && reader.nextBits(64) == -1)
        var bit = 0
        try reader.u("bit", &bit, 1)
        for (count, left) in [(Int.max, 71), (Int.min, 0), (8, 8)] {
            let outer = reader.beginLimit(bits: count)
            #expect(reader.remainingBits == left)
            reader.endLimit(outer)
        }
        #expect(reader.remainingBits == 71)
    }
}
