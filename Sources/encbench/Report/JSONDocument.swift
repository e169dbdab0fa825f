// SPDX-License-Identifier: MIT

import FoundationEssentials

/// How reports become JSON: names sorted, so that two reports compare line by line, and no escaped slashes.
enum JSONDocument {
    /// The value as indented JSON with a final newline.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    /// The value as JSON on one line, the same for the same value.
    static func canonicalBytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}
