// SPDX-License-Identifier: MIT

/// What an SEI message tells; each codec has an enumeration of the payloads it can have.
public protocol SEIPayload: Hashable, Sendable {
    /// The parameter sets of the codec's streams, which decide the syntax of some payloads.
    associatedtype ParameterSets

    /// `payloadType`.
    var payloadType: Int { get }

    /// An empty payload to read into; one whose bits are kept where the type is not known.
    init(payloadType: Int, parameterSets: ParameterSets)

    /// Hands each element to `coder`; a payload that chooses an SPS makes it the active one for those behind it.
    mutating func code(
        with coder: inout some SyntaxCoder, parameterSets: inout ParameterSets
    ) throws(ParameterSetError)
}

/// `sei_message()`: one payload behind its type and size (7.3.2.3.1 in H.264, 7.3.5 in HEVC).
public struct SEIMessage<Payload: SEIPayload>: Hashable, Sendable {
    /// Bits after a payload's known syntax.
    public struct Tail: Hashable, Sendable {
        /// `reserved_payload_extension_data`.
        public var extensionData = OpaqueBits()
        /// Whether the bit that ends the extension is there.
        public var hasEndBit = true
        /// Zero bits after that bit, 0...2^28; the last one ends a byte.
        public var zeroBits = 0
    }

    /// What the message tells.
    public var payload: Payload
    /// Bits after the payload's syntax, other than those that fill its last byte; nil for none.
    public var tail: Tail?

    /// Makes a message of a payload.
    public init(_ payload: Payload) {
        self.payload = payload
    }
}

extension SEIMessage {
    static func read(
        with coder: inout some SyntaxCoder, parameterSets: inout Payload.ParameterSets
    ) throws(ParameterSetError) -> Self {
        var type = 0
        try coder.extensibleByte("last_payload_type_byte", &type)
        var size = 0
        try coder.extensibleByte("last_payload_size_byte", &size)
        guard size * 8 <= coder.remainingBits else {
            throw coder.failure(
                .endOfData, "payload_size",
                "a payload of type \(type) has \(size) bytes, but \(coder.remainingBits / 8) remain")
        }
        let previous = coder.beginLimit(bits: size * 8)
        let message = try Self(payloadType: type, with: &coder, parameterSets: &parameterSets)
        coder.endLimit(previous)
        return message
    }

    /// Reads a payload of a type and what follows it, up to the end of the data or the limit set.
    private init(
        payloadType: Int, with coder: inout some SyntaxCoder, parameterSets: inout Payload.ParameterSets
    ) throws(ParameterSetError) {
        self.init(Payload(payloadType: payloadType, parameterSets: parameterSets))
        try payload.code(with: &coder, parameterSets: &parameterSets)
        try readTail(with: &coder)
    }

    private mutating func readTail(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        let left = coder.remainingBits
        guard left > 0 else { return }
        var tail = Tail()
        let dataBits = coder.remainingDataBits
        if dataBits > 0 {
            try coder.opaque("reserved_payload_extension_data", &tail.extensionData, count: dataBits)
        }
        var end = 0
        try coder.u("bit_equal_to_one", &end, 1)
        tail.hasEndBit = end == 1
        tail.zeroBits = coder.remainingBits
        try coder.zerosToByte("bit_equal_to_zero")
        try coder.repeated("bit_equal_to_zero", 0, count: coder.remainingBits / 8)
        if !(tail.hasEndBit && dataBits == 0 && left < 8) {
            self.tail = tail
        }
    }

    mutating func write(
        with coder: inout some SyntaxCoder, parameterSets: inout Payload.ParameterSets
    ) throws(ParameterSetError) {
        var (body, setsBefore) = (SyntaxWriter(), parameterSets)
        try payload.code(with: &body, parameterSets: &parameterSets)
        if var tail {
            try body.opaque("reserved_payload_extension_data", &tail.extensionData, count: 0)
            guard (0...1 << 28).contains(tail.zeroBits) else {
                throw coder.failure(.notRepresentable, "bit_equal_to_zero", "is there \(tail.zeroBits) times")
            }
            var end = tail.hasEndBit ? 1 : 0
            try body.u("bit_equal_to_one", &end, 1)
            for _ in 0..<tail.zeroBits {
                try body.fixed("bit_equal_to_zero", 0, 1)
            }
        } else if !body.isByteAligned {
            try body.fixed("bit_equal_to_one", 1, 1)
            try body.zerosToByte("bit_equal_to_zero")
        }
        guard body.isByteAligned else {
            throw coder.failure(.notRepresentable, "sei_payload", "does not end at a whole byte")
        }
        var (type, bytes) = (payload.payloadType, body.bytes)
        // Where a message ends decides what is payload and what is not: only reading tells whether all is found again.
        var reader = SyntaxReader(bytes)
        guard try Self(payloadType: type, with: &reader, parameterSets: &setsBefore) == self else {
            throw coder.failure(.notRepresentable, "sei_payload", "of type \(type) would read otherwise")
        }
        guard type <= UInt32.max else {
            throw coder.failure(.outOfRange, "payloadType", "is \(type), expected 0...\(UInt32.max)")
        }
        try coder.extensibleByte("last_payload_type_byte", &type)
        var size = bytes.count
        try coder.extensibleByte("last_payload_size_byte", &size)
        try coder.bytes("sei_payload", &bytes, count: bytes.count)
    }
}

extension SyntaxCoder {
    /// A number as bytes of 255 and a last smaller one, all added up.
    fileprivate mutating func extensibleByte(_ name: SyntaxName, _ value: inout Int) throws(ParameterSetError) {
        var left = value
        if Self.isReading {
            value = 0
        }
        while true {
            var byte = min(left, 255)
            let isLast = Self.isReading ? nextBits(8) != 255 : left < 255
            try u(isLast ? name : "ff_byte", &byte, 8)
            if Self.isReading {
                value += byte
            }
            left -= byte
            guard !isLast else { return }
        }
    }
}
