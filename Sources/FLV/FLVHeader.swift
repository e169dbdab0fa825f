// SPDX-License-Identifier: MIT

package import BitSyntax

/// The header of an FLV file (Adobe Flash Video File Format Specification 10.1, annex E.2).
package struct FLVHeader: SyntaxStructure {
    /// Bytes that the fields take; ``dataOffset`` may leave room for more.
    package static let byteCount = 9
    /// The bytes that an FLV file starts with.
    package static let signature = Array("FLV".utf8)

    /// `Version`; 1 in all files there are.
    package var version = 1
    /// `TypeFlagsReserved`, five bits and one, most significant first.
    package var reserved = [0, 0]
    /// `TypeFlagsAudio`: audio tags are present.
    package var hasAudio = false
    /// `TypeFlagsVideo`: video tags are present.
    package var hasVideo = false
    /// `DataOffset`: bytes from the start of the file to the body, 9 or more.
    package var dataOffset = 9

    /// A file of nothing.
    package init() {}

    /// Codes the nine bytes.
    package mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        for (index, letter) in Self.signature.enumerated() {
            try coder.fixed("Signature", Int(letter), 8, at: index)
        }
        try coder.u("Version", &version, 8)
        try coder.u("TypeFlagsReserved", &reserved[0], 5, at: 0)
        try coder.flag("TypeFlagsAudio", &hasAudio)
        try coder.u("TypeFlagsReserved", &reserved[1], 1, at: 1)
        try coder.flag("TypeFlagsVideo", &hasVideo)
        try coder.u("DataOffset", &dataOffset, 32, Self.byteCount...Int(UInt32.max))
    }
}
