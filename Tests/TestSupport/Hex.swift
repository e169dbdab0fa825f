// SPDX-License-Identifier: MIT

/// Bytes as hexadecimal text and back, for bitstreams written out in tests.
public enum Hex {
    /// Returns the bytes that `text` spells.
    ///
    /// White space may stand anywhere, so that the bytes can be grouped by syntax element. The text is part of a test's
    /// source: any other character and an odd number of digits trap with a message.
    ///
    /// - Parameter text: Pairs of hexadecimal digits of either case, such as `"67 64001F"`.
    /// - Returns: One byte for each pair of digits.
    public static func bytes(_ text: String) -> [UInt8] {
        let digits = text.filter { !$0.isWhitespace }.map { character in
            guard let digit = character.hexDigitValue else {
                preconditionFailure("'\(character)' is no hexadecimal digit, in \"\(text)\"")
            }
            return UInt8(digit)
        }
        precondition(
            digits.count.isMultiple(of: 2), "\(digits.count) hexadecimal digits, expected pairs, in \"\(text)\"")
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Returns the bytes as lower-case digit pairs, which ``bytes(_:)`` reads back.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to print, in order.
    ///   - separator: What stands between two pairs, a space by default.
    /// - Returns: Two digits for each byte.
    public static func string(_ bytes: some Sequence<UInt8>, separator: String = " ") -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 0x10 ? "0" + digits : digits
        }
        .joined(separator: separator)
    }
}
