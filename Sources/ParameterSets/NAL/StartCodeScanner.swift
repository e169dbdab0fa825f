// SPDX-License-Identifier: MIT

/// Finds start codes.
enum StartCodeScanner {
    /// The offset of the first 0, 0, 1 at or after `start`.
    static func firstStartCode(in bytes: Span<UInt8>, from start: Int) -> Int? {
        // The third byte of a candidate decides how far the next one can be.
        var third = start + 2
        while third < bytes.count {
            let byte = bytes[third]
            if byte > 1 {
                third += 3
            } else if byte == 1 {
                if bytes[third - 1] == 0, bytes[third - 2] == 0 {
                    return third - 2
                }
                third += 3
            } else {
                third += 1
            }
        }
        return nil
    }
}
