// SPDX-License-Identifier: MIT

/// Closed captions of ATSC A/53 part 4 (6.2.3.1), which travel as registered user data of both codecs.
public struct A53Captions: Hashable, Sendable {
    /// Two bytes of captions (ANSI/CTA-708-E 4.3).
    public struct Triplet: Hashable, Sendable {
        /// `cc_valid`.
        public var isValid: Bool
        /// `cc_type`, 0...3: field 1, field 2, CEA-708 data, CEA-708 start.
        public var type: Int
        /// `cc_data_1` and `cc_data_2`.
        public var data: [UInt8]

        /// Makes a triplet of two bytes.
        public init(isValid: Bool = true, type: Int, data: [UInt8]) {
            self.isValid = isValid
            self.type = type
            self.data = data
        }
    }

    /// `process_cc_data_flag`.
    public var processFlag = true
    /// At most 31 triplets.
    public var triplets: [Triplet] = []

    private var reserved = (flag: 1, zero: 0, byte: 255)
    private var trailing: [UInt8] = []

    /// Makes captions.
    public init(triplets: [Triplet] = []) {
        self.triplets = triplets
    }

    /// The captions in user data; nil when it holds something else.
    ///
    /// - Throws: ``ParameterSetError`` when the data says it is captions but cannot be read.
    public init?(_ userData: UserDataRegistered) throws(ParameterSetError) {
        guard userData.countryCode == Self.country, userData.payload.starts(with: Self.identifier) else { return nil }
        var reader = SyntaxReader(userData.payload.dropFirst(Self.identifier.count))
        try code(with: &reader)
    }

    /// The captions as user data.
    ///
    /// - Throws: ``ParameterSetError`` when there are more than 31 triplets, one is not of two bytes, or its
    ///   `cc_type` is not 0...3.
    public func userData() throws(ParameterSetError) -> UserDataRegistered {
        var copy = self
        var writer = SyntaxWriter()
        try copy.code(with: &writer)
        return UserDataRegistered(payload: Self.identifier + writer.bytes)
    }

    private static let country = 0xB5
    /// Provider ATSC, `GA94`, `user_data_type_code` 3.
    private static let identifier: [UInt8] = [0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]

    private mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.u("reserved", &reserved.flag, 1)
        try coder.flag("process_cc_data_flag", &processFlag)
        try coder.u("zero_bit", &reserved.zero, 1)
        var count = triplets.count
        try coder.u("cc_count", &count, 5)
        try coder.u("reserved", &reserved.byte, 8)
        try coder.expect("cc_data", &triplets, count: count, repeating: Triplet(type: 0, data: []))
        for index in triplets.indices {
            try triplets[index].code(with: &coder, at: index)
        }
        // A marker byte of 255 by the standard; it may be missing, and more may follow.
        if !coder.isReading, trailing.isEmpty {
            trailing = [255]
        }
        try coder.bytes("marker_bits", &trailing, count: coder.remainingBits / 8)
    }
}

extension A53Captions.Triplet {
    fileprivate mutating func code(with coder: inout some SyntaxCoder, at index: Int) throws(ParameterSetError) {
        try coder.fixed("marker_bits", 31, 5, at: index)
        try coder.flag("cc_valid", &isValid, at: index)
        try coder.u("cc_type", &type, 2, at: index)
        guard coder.isReading || data.count == 2 else {
            throw coder.failure(
                .notRepresentable, SyntaxName("cc_data", index), "has \(data.count) bytes, expected 2")
        }
        try coder.bytes("cc_data", &data, count: 2, at: index)
    }
}

extension A53Captions {
    /// Whether both have the same triplets and flag.
    public static func == (one: Self, other: Self) -> Bool {
        one.processFlag == other.processFlag && one.triplets == other.triplets
    }

    /// Feeds flag and triplets to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(processFlag)
        hasher.combine(triplets)
    }
}
