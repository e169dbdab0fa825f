// SPDX-License-Identifier: MIT

/// Names of files as text and back: the system's names are bytes, most of them UTF-8, but not all.
///
/// A byte that is not UTF-8 becomes one of the last 256 characters of Unicode's private use. A name that has such a
/// character itself has its bytes replaced too, so that every name comes back as it was.
package enum FileName {
    private static let first: UInt32 = 0x10_FF00

    /// The text that stands for a name.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            if let text = String(validating: rest.prefix(length), as: UTF8.self),
                let scalar = text.unicodeScalars.first,
                scalar.value < first
            {
                scalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                if let scalar = UnicodeScalar(first + UInt32(byte)) { scalars.append(scalar) }
                rest = rest.dropFirst()
            }
        }
        return String(scalars)
    }

    /// The bytes of the name, or of a text with names in it.
    package static func bytes(_ text: String) -> [UInt8] {
        guard text.unicodeScalars.contains(where: { $0.value >= first }) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            UInt8(exactly: Int64(scalar.value) - Int64(first)).map { [$0] } ?? Array(String(scalar).utf8)
        }
    }
}

extension String {
    /// What the system's calls take.
    package var fileName: [CChar] { FileName.bytes(self).map { CChar(bitPattern: $0) } + [0] }

    /// The text of a name that a call of the system gave.
    package init(fileName: UnsafePointer<CChar>) {
        var bytes: [UInt8] = []
        var place = fileName
        while place.pointee != 0 {
            bytes.append(UInt8(bitPattern: place.pointee))
            place += 1
        }
        self = FileName.text(bytes)
    }

    /// The text on one line, for a terminal: without control characters, and with bytes that are not UTF-8 as numbers.
    package var shown: String {
        guard unicodeScalars.contains(where: Self.isHidden) else { return self }
        return unicodeScalars.map { scalar -> String in
            guard Self.isHidden(scalar) else { return String(scalar) }
            let digits = String(scalar.value > 0xFF ? scalar.value & 0xFF : scalar.value, radix: 16, uppercase: true)
            return "\\x" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    private static func isHidden(_ scalar: UnicodeScalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.value >= 0x10_FF00
    }
}
