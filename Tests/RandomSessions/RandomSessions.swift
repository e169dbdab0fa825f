// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

/// Tries random sequences of operations on sessions, and shortens those that fail.
public enum RandomSessions {
    /// A sequence that went wrong, as short as it could be made.
    public struct Failure: Sendable, CustomStringConvertible {
        /// What the sequence followed from before it was made short.
        public let seed: UInt64
        /// As short as it could be made.
        public let sequence: OperationSequence
        /// What was wrong with it.
        public let complaints: [String]

        /// The complaints, and the sequence as the Swift of a test.
        public var description: String {
            complaints.joined(separator: "\n") + "\nseed \(seed):\n\(sequence)"
        }
    }

    /// Tries a sequence once.
    ///
    /// - Returns: What was wrong; empty when nothing was.
    public static func complaints(_ sequence: OperationSequence, _ subject: Subject = .pretended) async -> [String] {
        await SequenceRunner(sequence, subject).run()
    }

    /// The sequence that follows from a seed: with races where it is odd.
    public static func sequence(seed: UInt64, _ subject: Subject = .pretended) -> OperationSequence {
        var generator = SplitMix64(state: seed)
        var sequence = OperationSequence.random(
            using: &generator, isRacing: seed % 2 == 1, isPretended: subject.isPretended, changes: subject.changes)
        sequence.pretence = subject.possible(sequence.pretence)
        return sequence
    }

    /// Tries the sequence that follows from a seed; nil when all was well.
    public static func failure(seed: UInt64, _ subject: Subject = .pretended) async -> Failure? {
        let sequence = sequence(seed: seed, subject)
        let complaints = await complaints(sequence, subject)
        guard !complaints.isEmpty else { return nil }
        let (shorter, theirs) = await shrink(sequence, complaints, subject)
        return Failure(seed: seed, sequence: shorter, complaints: theirs)
    }

    /// Leaves out operations as long as something still goes wrong in one of a few tries.
    private static func shrink(
        _ sequence: OperationSequence, _ complaints: [String], _ subject: Subject
    ) async -> (OperationSequence, [String]) {
        var (best, found) = (sequence, complaints)
        var size = best.operations.count / 2
        while size > 0 {
            var start = 0
            while start < best.operations.count {
                var candidate = best
                candidate.operations.removeSubrange(start..<min(start + size, best.operations.count))
                if let complaints = await firstComplaints(candidate, subject) {
                    (best, found) = (candidate, complaints)
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return (best, found)
    }

    private static func firstComplaints(_ sequence: OperationSequence, _ subject: Subject) async -> [String]? {
        for _ in 0..<20 {
            let complaints = await complaints(sequence, subject)
            if !complaints.isEmpty { return complaints }
        }
        return nil
    }
}
