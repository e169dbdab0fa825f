// SPDX-License-Identifier: MIT

import Glibc

/// An address in numbers.
struct IPAddress: Sendable, Hashable {
    /// Four bytes, or sixteen.
    let bytes: [UInt8]

    /// Reads an address without brackets and interface; nil for a name.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        guard !text.utf8.contains(0) else { return nil }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }

    /// Whether it leads to the machine itself: 127.0.0.0/8, ::1, and the former within the latter's form.
    var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? bytes[12] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }
}
