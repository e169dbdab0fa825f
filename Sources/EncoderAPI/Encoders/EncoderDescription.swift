// SPDX-License-Identifier: MIT

/// One encoder that a back end lists: a codec on a device, through one entry point.
///
/// VideoToolbox's list of encoders has a dictionary for each, with EncoderID, CodecType, DisplayName and
/// IsHardwareAccelerated among its keys.
public struct EncoderDescription: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The encoder's identity: the same each time the back end lists it, and no other encoder's.
    public var id: EncoderID
    /// What people call it, such as "x264".
    public var displayName: String
    /// The library's or driver's name and version, as it reports them.
    public var libraryVersion: String
    /// The standard it encodes to.
    public var codec: VideoCodec
    /// Whether a device does the work.
    public var isHardwareAccelerated = false
    /// The device that does the work, as ``EncoderSelection`` may name it: "/dev/dri/renderD128"; nil for the CPU.
    public var device: String?
    /// What it can do.
    public var capabilities: EncoderCapabilities

    /// Describes an encoder that runs on the CPU; ``isHardwareAccelerated`` and ``device`` are set afterwards.
    public init(
        id: EncoderID, displayName: String, libraryVersion: String, codec: VideoCodec,
        capabilities: EncoderCapabilities
    ) {
        self.id = id
        self.displayName = displayName
        self.libraryVersion = libraryVersion
        self.codec = codec
        self.capabilities = capabilities
    }

    /// The identity.
    public var description: String { id.rawValue }
}
