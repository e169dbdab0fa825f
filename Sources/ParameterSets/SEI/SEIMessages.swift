// SPDX-License-Identifier: MIT

/// `sei_rbsp()`: one or more messages (7.3.2.3 in H.264, 7.3.2.4 in HEVC).
public struct SEIMessages<Payload: SEIPayload>: SyntaxStructure {
    /// The parameter sets of the stream up to the unit.
    public typealias Context = Payload.ParameterSets

    /// The messages in order.
    public var messages: [SEIMessage<Payload>] = []

    /// No messages, to read into.
    public init() {}

    /// Messages of payloads.
    public init(_ payloads: [Payload]) {
        messages = payloads.map { SEIMessage($0) }
    }

    /// The messages' payloads.
    public var payloads: [Payload] { messages.map(\.payload) }

    /// Codes all messages and the trailing bits.
    public mutating func code(with coder: inout some SyntaxCoder, in parameterSets: Context) throws(ParameterSetError) {
        var parameterSets = parameterSets
        if coder.isReading {
            messages = []
            repeat {
                messages.append(try .read(with: &coder, parameterSets: &parameterSets))
            } while coder.moreRBSPData(writing: false)
        } else {
            guard !messages.isEmpty else {
                throw coder.failure(.notRepresentable, "sei_rbsp", "has no messages, expected one or more")
            }
            for index in messages.indices {
                try messages[index].write(with: &coder, parameterSets: &parameterSets)
            }
        }
        try coder.rbspTrailingBits()
    }
}
