// SPDX-License-Identifier: MIT

import Glibc

/// A part of a text in memory: tens of megabytes of trace are taken apart without a string for each part.
struct TextPiece {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Gives `body` each line that is not empty; a piece is valid until `body` returns.
    static func forEachLine(of text: String, _ body: (TextPiece) -> Void) {
        var text = text
        text.withUTF8 { whole in TextPiece(bytes: whole).forEachPart(after: "\n", body) }
    }

    /// What spaces separate.
    var words: [TextPiece] {
        var words: [TextPiece] = []
        forEachPart(after: " ") { words.append($0) }
        return words
    }

    private func forEachPart(after separator: Unicode.Scalar, _ body: (TextPiece) -> Void) {
        guard var next = bytes.baseAddress else { return }
        let end = next + bytes.count
        while next < end {
            let found = memchr(next, Int32(separator.value), end - next)
            let length = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(next) } ?? end - next
            if length > 0 { body(TextPiece(bytes: UnsafeBufferPointer(start: next, count: length))) }
            next += length + 1
        }
    }

    func starts(with prefix: StaticString) -> Bool {
        guard let start = bytes.baseAddress, bytes.count >= prefix.utf8CodeUnitCount else { return false }
        return memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The piece as a decimal number; nil when it is something else.
    var number: Int? { Int(text) }
}
