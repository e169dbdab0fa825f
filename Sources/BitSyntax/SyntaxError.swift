// SPDX-License-Identifier: MIT

/// Why bits could not be read as a syntax structure, or a structure not be written as bits.
public struct SyntaxError: Error, Hashable, Sendable {
    /// What went wrong; switch on this, read ``SyntaxError/reason``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable spelling of the code.
        public let rawValue: String

        /// Makes a code from its spelling.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The data ends inside the field, or before as much as the field announces.
        public static let endOfData = Self(rawValue: "endOfData")
        /// The value lies outside what the standard, or the function that it is given to, allows.
        public static let outOfRange = Self(rawValue: "outOfRange")
        /// Bits that the standard fixes have another value.
        public static let fixedBits = Self(rawValue: "fixedBits")
        /// The structure holds a value that its other fields, or what they are written with, leave no place for.
        public static let notRepresentable = Self(rawValue: "notRepresentable")
        /// Bits remain after the structure's end.
        public static let trailingData = Self(rawValue: "trailingData")
        /// A length field does not fit the bytes around it, or a unit is too large.
        public static let badLength = Self(rawValue: "badLength")
        /// The syntax is legal but this library does not know it.
        public static let unsupported = Self(rawValue: "unsupported")
    }

    /// A length field against the bytes that are there.
    public struct LengthMismatch: Hashable, Sendable {
        /// Where the length field starts, in bytes from the start of the data.
        public var offset: Int
        /// What the field claims, in bytes; nil when the field itself is cut off.
        public var claimed: Int?
        /// How many bytes follow the field, or are left for a field that is cut off.
        public var remaining: Int

        /// Makes a description of one mismatch.
        public init(offset: Int, claimed: Int?, remaining: Int) {
            self.offset = offset
            self.claimed = claimed
            self.remaining = remaining
        }
    }

    /// What went wrong.
    public var code: Code
    /// The standard's name of the field with its indices, such as `offset_for_ref_frame[2]`; nil outside of syntax, and
    /// where the bytes are something else than they were given as.
    public var field: String?
    /// Where the field starts, in bits from the first bit read or written, emulation prevention bytes not counted; nil
    /// where no bit is to blame.
    public var bitOffset: Int?
    /// What went wrong, for people, with the offending value and the legal range where they are known.
    ///
    /// Where a field is named this goes on after its name.
    public var reason: String
    /// The lengths that disagree, for ``Code/badLength`` of a length field; nil otherwise.
    public var length: LengthMismatch?

    /// Makes an error.
    public init(
        _ code: Code, field: String? = nil, bitOffset: Int? = nil, reason: String, length: LengthMismatch? = nil
    ) {
        self.code = code
        self.field = field
        self.bitOffset = bitOffset
        self.reason = reason
        self.length = length
    }
}

extension SyntaxError {
    /// Bits from `start` on that are not what the standard fixes them at.
    @usableFromInline @inline(never)
    init(fixing name: () -> SyntaxName, _ i: Int, at start: Int, _ pattern: Int, found value: Int) {
        self.init(
            .fixedBits, field: SyntaxName(name(), i).description, bitOffset: start,
            reason: "is \(value), the standard fixes it at \(pattern)")
    }
}

extension SyntaxError: CustomStringConvertible {
    /// Field, position and reason in one line.
    public var description: String {
        var place = field ?? ""
        if let bitOffset {
            place += place.isEmpty ? "bit \(bitOffset)" : " at bit \(bitOffset)"
        }
        return place.isEmpty ? reason : "\(place): \(reason)"
    }
}
