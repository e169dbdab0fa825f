// SPDX-License-Identifier: MIT

import FoundationEssentials
import MediaFiles

/// How reports become JSON: names sorted, so that two reports compare line by line, and no escaped slashes.
package enum JSONDocument {
    /// The value as indented JSON with a final newline.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    /// Writes the value as ``bytes(_:)`` gives it, with elements in its array `name`, which is empty and comes first.
    ///
    /// The encoder needs ten times an element's memory, here for one element at a time.
    package static func write(
        _ value: some Encodable, array name: String, of elements: some Collection<some Encodable>, to path: String
    ) throws {
        let text = String(decoding: try bytes(value), as: UTF8.self)
        let file = try OutputFile(path: path)
        let start = "{\n  \"\(name)\" : ["
        precondition(elements.isEmpty || text.hasPrefix(start), "\(name) is not the first name of the document")
        guard !elements.isEmpty, let end = text.firstIndex(of: "]") else {
            try file.write(Array(text.utf8))
            return try file.close()
        }
        try file.write(Array(start.utf8))
        var separator = "\n"
        for element in elements {
            let lines = String(decoding: try bytes(element).dropLast(), as: UTF8.self).split(separator: "\n")
            try file.write(Array((separator + lines.map { "    " + $0 }.joined(separator: "\n")).utf8))
            separator = ",\n"
        }
        try file.write(Array(("\n  " + text[end...]).utf8))
        try file.close()
    }

    /// The value as JSON on one line, the same for the same value.
    package static func canonicalBytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}
