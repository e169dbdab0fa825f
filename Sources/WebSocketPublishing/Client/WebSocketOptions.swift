// SPDX-License-Identifier: MIT

/// What a server of WebSocket takes.
public struct WebSocketOptions: Sendable {
    /// What stands in a message.
    public enum Framing: Sendable, Hashable {
        /// The header of <doc:MessageLayout>, and behind it a format or a frame with its times; sound too.
        case messages
        /// One NAL unit behind a start code, without times and without sound, as ``NALUnitMessages`` makes them.
        case nalUnits
    }

    /// What stands in a message; messages with times by default.
    public var framing = Framing.messages
    /// What is shown behind `Authorization: Bearer`; nil, the default, for what the address says, or none.
    public var token: AccessToken?
    /// By how much players turn the pictures clockwise, in degrees: 0, 90, 180 or 270; 0 by default.
    ///
    /// NAL units tell nothing of it: only 0 is taken with them.
    public var rotation = 0

    /// The defaults.
    public init() {}
}
