// SPDX-License-Identifier: MIT

// What bytes look like that cannot be read as what they were given as. It words errors and decides nothing else.
enum FramingMistakes {
    /// How many bytes the start code takes that bytes begin with, 3 or 4; nil when they begin with none.
    static func startCodeLength(of bytes: Span<UInt8>) -> Int? {
        let head = bytes.extracting(first: 4)
        guard let code = StartCodeScanner.firstStartCode(in: head, from: 0), head[0] == 0 else { return nil }
        return code + 3
    }

    /// The size of the lengths before each unit; nil when bytes do not read as units with lengths.
    static func lengthSize(of bytes: Span<UInt8>) -> Int? {
        for size in LengthPrefixed.sizes.reversed() {
            let (ranges, error) = LengthPrefixed.scan(bytes, lengthSize: size)
            if error == nil, !ranges.isEmpty { return size }
        }
        return nil
    }

    /// What stands before a NAL unit, when that is why the bytes are none.
    static func beforeUnit(_ bytes: Span<UInt8>) -> String? {
        // A unit's own first byte may be its length less one by chance, but is not zero in parameter sets.
        for size in [4, 2] where bytes.count > size && bytes[0] == 0 {
            if LengthPrefixed.length(in: bytes, at: 0, size: size) == bytes.count - size {
                return "the bytes begin with a length of \(size) bytes, which is no part of the NAL unit behind it"
            }
        }
        return startCodeLength(of: bytes) != nil
            ? "the bytes begin with a start code, which is no part of the NAL unit behind it" : nil
    }

    /// What bytes are that were given as the contents of an `avcC` or `hvcC` box.
    static func insteadOfRecord(_ bytes: [UInt8]) -> String? {
        let name = bytes.dropFirst(4).prefix(4)
        for box in ["avcC", "hvcC"] where name.elementsEqual(box.utf8) {
            return "the bytes are a whole \(box) box, whose contents begin at byte 8"
        }
        return startCodeLength(of: bytes.span) != nil
            ? "the bytes begin with a start code: they are a byte stream and no record" : nil
    }

    /// Why a byte stream has no units.
    static func withoutStartCode(_ bytes: Span<UInt8>) -> ParameterSetError {
        let found = lengthSize(of: bytes).map { "; they read as NAL units with lengths of \($0) bytes" } ?? ""
        return ParameterSetError(
            .missingStartCode, reason: "there is no start code, 0 0 1, in \(bytes.count) bytes\(found)")
    }
}

extension ParameterSetError {
    /// The error with a better reason; itself where there is none.
    func explained(by reason: String?) -> Self {
        reason.map { Self(code, reason: $0) } ?? self
    }
}

extension NALUnitHeader {
    /// Reads the header of a unit; an error names the start code or length in front of it.
    static func read(in nalUnit: some ByteView & ~Escapable) throws(ParameterSetError) -> Self {
        do throws(ParameterSetError) {
            return try Self(nalUnit: nalUnit)
        } catch {
            throw error.explained(by: nalUnit.withSpan { FramingMistakes.beforeUnit($0) })
        }
    }

    /// Reads the header of a unit that has to be of one of some types.
    ///
    /// - Throws: ``ParameterSetError`` with `.wrongUnitType` for other types.
    static func read(
        with reader: inout SyntaxReader, of nalUnit: some ByteView & ~Escapable,
        expecting expected: @autoclosure () -> String,
        where fits: (UnitType) -> Bool
    ) throws(ParameterSetError) -> Self {
        var header = Self()
        do throws(ParameterSetError) {
            try header.read(with: &reader, in: ())
        } catch {
            throw error.explained(by: nalUnit.withSpan { FramingMistakes.beforeUnit($0) })
        }
        guard fits(header.type) else {
            let error = ParameterSetError(
                .wrongUnitType, field: "nal_unit_type", reason: "is \(header.type), expected \(expected())")
            throw error.explained(by: nalUnit.withSpan { FramingMistakes.beforeUnit($0) })
        }
        return header
    }
}
