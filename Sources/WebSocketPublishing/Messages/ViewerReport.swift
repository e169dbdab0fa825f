// SPDX-License-Identifier: MIT

public import BitSyntax

/// What a viewer tells of itself, in a message of 36 bytes; <doc:MessageLayout> describes them.
///
/// It comes from whoever is connected: nothing is decided by it.
public struct ViewerReport: SyntaxStructure {
    /// Bytes that a report takes.
    public static let byteCount = 36

    /// Messages with a picture that came.
    public var receivedPictures = 0
    /// Pictures that the decoder gave.
    public var decodedPictures = 0
    /// Pictures that were drawn.
    public var shownPictures = 0
    /// Pictures that were decoded and not drawn: a newer one was due, too many waited, or the page was paused.
    public var latePictures = 0
    /// Messages with sound that came.
    public var receivedSound = 0
    /// Packets of sound that the decoder gave, or took where it does not say.
    public var decodedSound = 0
    /// Failures of decoders.
    public var errors = 0
    /// Microseconds from a picture's coming to its being drawn, the median of the last hundred; by Media Source
    /// Extensions, how far what is shown is behind what has come.
    public var delayMicroseconds = 0

    /// A report of nothing.
    public init() {}

    /// Codes the 36 bytes.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        try coder.fixed("version", MessageHeader.version, 8)
        try coder.fixed("kind", 4, 8)
        try coder.fixed("reserved", 0, 16)
        try coder.u("pictures_received", &receivedPictures, 32)
        try coder.u("pictures_decoded", &decodedPictures, 32)
        try coder.u("pictures_shown", &shownPictures, 32)
        try coder.u("pictures_late", &latePictures, 32)
        try coder.u("sound_received", &receivedSound, 32)
        try coder.u("sound_decoded", &decodedSound, 32)
        try coder.u("errors", &errors, 32)
        try coder.u("delay", &delayMicroseconds, 32)
    }

    /// Reads a report.
    ///
    /// - Parameter message: All bytes of a message.
    /// - Throws: `SyntaxError` for anything else than 36 bytes of a report.
    public init(message: [UInt8]) throws(SyntaxError) {
        var reader = SyntaxReader(message)
        try code(with: &reader, in: ())
        try reader.noMoreData()
    }
}
