// SPDX-License-Identifier: MIT

import EncoderConformance
import FoundationEssentials

/// Random numbers that a failed test can repeat: the seed is printed as the Swift to paste.
///
/// The sequence is SplitMix64's and depends on the seed alone, so it is the same on every machine and in every run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The environment variable that sets the seed of every generator made without one, in decimal.
    public static let environmentVariable = "ENCODERKIT_TEST_SEED"

    /// The number the sequence follows from.
    public let seed: UInt64

    private var generator: SplitMix64

    /// Starts the sequence of `seed` and prints it with the place that asked for it.
    ///
    /// - Parameters:
    ///   - seed: The seed; nil takes the one in ``environmentVariable``, or else a new one in each run.
    ///   - fileID: The file to name in the printed line.
    ///   - line: The line to name in the printed line.
    public init(seed: UInt64? = nil, fileID: String = #fileID, line: Int = #line) {
        let variable = ProcessInfo.processInfo.environment[Self.environmentVariable]
        self.seed = seed ?? variable.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        generator = SplitMix64(state: self.seed)
        print("\(fileID):\(line): SeededGenerator(seed: \(self.seed))")
    }

    /// Returns the next 64 bits of the sequence.
    ///
    /// - Returns: A number out of the whole range.
    public mutating func next() -> UInt64 {
        generator.next()
    }

    /// Returns `count` random bytes.
    ///
    /// - Parameter count: How many bytes, 0 or more.
    /// - Returns: The next `count` numbers of the sequence, one byte of each.
    public mutating func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: next()))
        }
        return bytes
    }
}
