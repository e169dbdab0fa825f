// SPDX-License-Identifier: MIT

/// Why a WebSocket connection is closed (RFC 6455, 7.4.1).
enum CloseCode: Int, Sendable, Hashable {
    /// All was sent.
    case normal = 1000
    /// This side ends, or nothing came for too long.
    case goingAway = 1001
    /// A frame breaks the protocol.
    case protocolError = 1002
    /// A message of a kind that is not taken.
    case unsupportedData = 1003
    /// A message that breaks the rules of its format.
    case invalidPayload = 1007
    /// A message, or its number of frames, is too large.
    case tooLarge = 1009

    /// Whether a peer may send a code (7.4.1 and 7.4.2).
    static func isLegal(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
