// SPDX-License-Identifier: MIT

package import BitSyntax

/// The bytes that each tag of an FLV file starts with (Adobe Flash Video File Format Specification 10.1, annex E.4.1).
package struct FLVTagHeader: SyntaxStructure {
    /// Bytes that the fields take.
    package static let byteCount = 11

    /// What a tag holds.
    package enum Kind: Int, Sendable {
        case audio = 8
        case video = 9
        case scriptData = 18
    }

    /// `Reserved`, 0.
    package var reserved = 0
    /// `Filter`: the tag's data is encrypted.
    package var isEncrypted = false
    /// `TagType`; see ``kind``.
    package var tagType = Kind.video.rawValue
    /// `DataSize`: bytes of the tag after this header.
    package var dataSize = 0
    /// When the tag is decoded, in milliseconds: `Timestamp` and, above its 24 bits, `TimestampExtended`.
    package var milliseconds: Int32 = 0
    /// `StreamID`, 0.
    package var streamID = 0

    /// A video tag of no data.
    package init() {}

    /// What the tag holds; nil for a type that the specification does not have.
    package var kind: Kind? { Kind(rawValue: tagType) }

    /// Codes the eleven bytes.
    package mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        try coder.u("Reserved", &reserved, 2)
        try coder.flag("Filter", &isEncrypted)
        try coder.u("TagType", &tagType, 5)
        try coder.u("DataSize", &dataSize, 24)
        var low = Int(milliseconds) & 0xFF_FFFF
        var high = Int(milliseconds) >> 24 & 0xFF
        try coder.u("Timestamp", &low, 24)
        try coder.u("TimestampExtended", &high, 8)
        milliseconds = Int32(truncatingIfNeeded: high << 24 | low)
        try coder.u("StreamID", &streamID, 24)
    }
}
