// SPDX-License-Identifier: MIT

/// Payloads that have the same syntax in both standards (D.1 in H.264, D.2 in HEVC), and those not known.
@nonexhaustive
public enum CommonSEIPayload: Hashable, Sendable {
    /// Type 4: `user_data_registered_itu_t_t35()`.
    case userDataRegistered(UserDataRegistered)
    /// Type 5: `user_data_unregistered()`.
    case userDataUnregistered(UserDataUnregistered)
    /// Type 137: `mastering_display_colour_volume()`.
    case masteringDisplay(MasteringDisplay)
    /// Type 144: `content_light_level_info()`.
    case contentLightLevel(ContentLightLevel)
    /// Type 147: `alternative_transfer_characteristics()`.
    case alternativeTransfer(AlternativeTransfer)
    /// Any other type, with its bytes.
    case other(payloadType: Int, OpaqueBits)

    /// `payloadType`.
    public var payloadType: Int {
        switch self {
        case .userDataRegistered: 4
        case .userDataUnregistered: 5
        case .masteringDisplay: 137
        case .contentLightLevel: 144
        case .alternativeTransfer: 147
        case .other(let payloadType, _): payloadType
        }
    }

    /// An empty payload to read into.
    public init(payloadType: Int) {
        self =
            switch payloadType {
            case 4: .userDataRegistered(.init())
            case 5: .userDataUnregistered(.init())
            case 137: .masteringDisplay(.init())
            case 144: .contentLightLevel(.init())
            case 147: .alternativeTransfer(.init())
            default: .other(payloadType: payloadType, .init())
            }
    }

    /// Hands each element to `coder`.
    public mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        switch self {
        case .userDataRegistered(let payload): self = .userDataRegistered(try coder.coded(payload))
        case .userDataUnregistered(let payload): self = .userDataUnregistered(try coder.coded(payload))
        case .masteringDisplay(let payload): self = .masteringDisplay(try coder.coded(payload))
        case .contentLightLevel(let payload): self = .contentLightLevel(try coder.coded(payload))
        case .alternativeTransfer(let payload): self = .alternativeTransfer(try coder.coded(payload))
        case .other(let payloadType, var bits):
            try coder.opaque("payload_byte", &bits, count: coder.remainingBits)
            self = .other(payloadType: payloadType, bits)
        }
    }
}
