// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// Sets each element that a structure has to a random legal value, as if that had been read.
struct RandomValues: SyntaxCoder {
    private var random: TestRandom
    private(set) var bitPosition = 0

    init(seed: UInt64) {
        random = TestRandom(seed: seed)
    }

    static var isReading: Bool { true }

    private var isAtEnd = false

    /// More than any structure asks for; none after an RBSP's stop bit.
    var remainingBits: Int { isAtEnd ? 0 : 1 << 20 }

    /// Whether a structure's end is followed by more, by chance.
    var remainingDataBits: Int { bitPosition % 3 == 0 ? 0 : 8 }

    mutating func element(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(ParameterSetError) {
        bitPosition += 1
        isAtEnd = name().field == "rbsp_stop_one_bit" || isAtEnd
        guard !Self.isFixed(name().field) else { return }
        let choices = Self.choices(name().field) ?? Self.choices(range)
        value = choices[Int(random.next() % UInt64(choices.count))]
    }

    mutating func opaque(
        _ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int
    ) throws(ParameterSetError) {
        var writer = SyntaxWriter()
        for _ in 0..<(count > 1 << 16 ? 16 : count) {
            var bit = random.next() & 1 == 1
            try writer.flag("bit", &bit)
        }
        value = writer.written
    }

    func nextBits(_ count: Int) -> Int? { nil }

    mutating func beginLimit(bits count: Int) -> Int { 0 }

    mutating func endLimit(_ previous: Int) {}

    /// Bits that have one value only.
    private static func isFixed(_ name: String) -> Bool {
        name.hasPrefix("rbsp_") || name.contains("alignment_") || name == "forbidden_zero_bit" || name == "ff_byte"
    }

    /// Values that decide what else there is, and that few of the range do.
    private static func choices(_ name: String) -> [Int]? {
        switch name {
        case "profile_idc": [66, 77, 100, 244]
        case let name where name.hasSuffix("parameter_set_id") && name != "active_seq_parameter_set_id": [0]
        case "pic_width_in_luma_samples", "pic_height_in_luma_samples": [256]
        case "pic_width_in_mbs_minus1", "pic_height_in_map_units_minus1": [15]
        case let name where name.hasSuffix("_offset") && name.contains("win"): [0, 1]
        case let name where name.hasPrefix("frame_crop"): [0, 1]
        case "modification_of_pic_nums_idc": [0, 1, 2, 3, 3]
        case "memory_management_control_operation": [0, 0, 0, 1, 2, 3, 4, 5, 6]
        default: nil
        }
    }

    /// Small values often, the largest where they are few enough to make arrays of.
    private static func choices(_ range: ClosedRange<Int>) -> [Int] {
        let near = (0..<5).map { min(range.lowerBound + $0, range.upperBound) }
        guard range.upperBound - range.lowerBound <= 255 else { return near + [min(max(0, range.lowerBound), 3)] }
        return near + [range.upperBound, (range.lowerBound + range.upperBound) / 2]
    }
}
