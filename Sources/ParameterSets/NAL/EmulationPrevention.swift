// SPDX-License-Identifier: MIT

/// The bytes of value 3 that keep start codes out of NAL units (H.264 7.4.1, HEVC 7.4.2).
public enum EmulationPrevention {
    /// Inserts a 3 wherever two zero bytes are followed by 0...3, and after a zero byte that ends the unit.
    ///
    /// - Parameter bytes: A NAL unit's header and RBSP. An RBSP ends in its stop bit, or in whole zero words after it;
    ///   of any other zeros at its end, the 3 behind them would read as data.
    /// - Returns: The unit as it stands in a stream, without start code or length.
    public static func escape(_ bytes: some ByteView & ~Escapable) -> [UInt8] {
        bytes.withSpan { escape($0) }
    }

    private static func escape(_ bytes: Span<UInt8>) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count + bytes.count / 64 + 1)
        var zeros = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if zeros == 2, byte <= 3 {
                escaped.append(3)
                zeros = 0
            }
            escaped.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        // A unit must not end in a zero byte, or the zero would belong to the next start code.
        if zeros > 0 {
            escaped.append(3)
        }
        return escaped
    }

    /// Removes every 3 that follows two zero bytes.
    ///
    /// - Parameters:
    ///   - bytes: A NAL unit without start code or length.
    ///   - limit: How many bytes to give at most; a slice's header needs only its first.
    /// - Returns: The unit's header and RBSP.
    public static func unescape(_ bytes: some ByteView & ~Escapable, limit: Int = .max) -> [UInt8] {
        bytes.withSpan { unescape($0, limit: limit) }
    }

    private static func unescape(_ bytes: Span<UInt8>, limit: Int) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(min(bytes.count, limit))
        var start = 0
        while start < bytes.count, plain.count < limit {
            let escape = StartCodeScanner.firstZeroPair(before: 3, in: bytes, from: start).map { $0 + 2 }
            let room = min(limit - plain.count, bytes.count - start)
            let end = min(escape ?? bytes.count, start + room)
            StartCodeScanner.append(start..<end, of: bytes, to: &plain)
            start = (escape ?? end) + 1
        }
        return plain
    }
}
