// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderConformance

/// A seeded source of test values (SplitMix64); the seed stands in the test's arguments, so failures name it.
package struct TestRandom: RandomNumberGenerator {
    private var generator: SplitMix64

    package init(seed: UInt64) { generator = SplitMix64(state: seed) }

    package mutating func next() -> UInt64 { generator.next() }

    /// Bytes in which zeros and small values are frequent, as start codes and escapes need.
    package mutating func streamBytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in
            let kind = next() % 4
            return kind < 2 ? 0 : UInt8(truncatingIfNeeded: kind == 2 ? next() % 5 : next())
        }
    }
}

/// Makes bytes from drawn bits such as `"0 11 00111  01000010"`; blanks are ignored, zeros fill the last byte.
package func bits(_ drawing: String) -> [UInt8] {
    var writer = BitWriter()
    for digit in drawing where digit == "0" || digit == "1" {
        writer.write(digit == "1" ? 1 : 0, count: 1)
    }
    return writer.bytes
}

/// Makes bytes from hex digits; blanks are ignored.
package func hex(_ digits: String) -> [UInt8] {
    let nibbles = digits.compactMap(\.hexDigitValue)
    precondition(nibbles.count % 2 == 0, "an odd number of hex digits")
    return stride(from: 0, to: nibbles.count, by: 2).map { place -> UInt8 in
        let byte = nibbles[place] << 4 | nibbles[place + 1]
        return UInt8(byte)
    }
}

/// The error that `body` throws; nil when it throws none.
package func thrown(_ body: () throws -> Void) -> (any Error)? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}
