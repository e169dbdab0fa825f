// SPDX-License-Identifier: MIT

import EKVideoToolbox
public import EncoderAPI
import RandomSessions
import SyntheticPictures

/// Tries random sequences of calls on VTCompressionSession, and shortens those that fail.
public enum RandomVideoToolbox {
    /// A sequence that went wrong, as short as it could be made.
    public struct Failure: Sendable, CustomStringConvertible {
        /// What the sequence followed from.
        public let seed: UInt64
        /// As short as it could be made.
        public let sequence: CallSequence
        /// What was wrong with it.
        public let complaints: [String]

        /// The complaints, and the calls.
        public var description: String {
            complaints.joined(separator: "\n") + "\nseed \(seed):\n\(sequence)"
        }
    }

    /// The encoder that sequences are tried on.
    public enum Subject: Sendable {
        /// A device whose output is predicted; the worker that uses it, of those that run at once.
        case pretended(worker: Int)
        /// One of a back end that was registered.
        case real(EncoderID)
    }

    /// The sequence that follows from a seed: of four threads where it is odd.
    public static func sequence(seed: UInt64) -> CallSequence {
        var generator = SplitMix64(state: seed)
        return .random(using: &generator, isRacing: seed % 2 == 1)
    }

    /// Tries a sequence once; what was wrong.
    public static func complaints(_ sequence: CallSequence, _ subject: Subject) -> [String] {
        let journal = CallJournal()
        let runner: CallRunner
        switch subject {
        case .pretended(let worker):
            let backend = PretendedBackend(
                sequence.pretence, identifier: "pretended\(worker)",
                settings: [
                    .maxKeyFrameInterval, .minAllowedFrameQP, .maxAllowedFrameQP, .profileLevel, .h264EntropyMode,
                ], observe: journal.note)
            VTRegisterEncoderBackend(backend)
            runner = CallRunner(
                sequence, encoderID: EncoderID(rawValue: "pretended\(worker).h264"), journal: journal)
        case .real(let id): runner = CallRunner(sequence, encoderID: id, journal: journal)
        }
        runner.run()
        var isPretended = false
        if case .pretended = subject { isPretended = true }
        var judge = CallJudge(runner, isPretended: isPretended)
        judge.judge()
        if isPretended, sequence.isPredictable { judge.judgePredicted() }
        return judge.complaints
    }

    /// Tries the sequence that follows from a seed; nil when all was well.
    public static func failure(seed: UInt64, _ subject: Subject) -> Failure? {
        var sequence = sequence(seed: seed)
        if case .real = subject { sequence.makePossible() }
        let found = complaints(sequence, subject)
        guard !found.isEmpty else { return nil }
        let (shorter, theirs) = shrink(sequence, found, subject)
        return Failure(seed: seed, sequence: shorter, complaints: theirs)
    }

    /// Leaves out calls as long as something still goes wrong in one of a few tries.
    private static func shrink(
        _ sequence: CallSequence, _ complaints: [String], _ subject: Subject
    ) -> (CallSequence, [String]) {
        var (best, found) = (sequence, complaints)
        for thread in best.threads.indices {
            var place = 0
            while place < best.threads[thread].count {
                var candidate = best
                candidate.threads[thread].remove(at: place)
                if let complaints = firstComplaints(candidate, subject) {
                    (best, found) = (candidate, complaints)
                } else {
                    place += 1
                }
            }
        }
        return (best, found)
    }

    private static func firstComplaints(_ sequence: CallSequence, _ subject: Subject) -> [String]? {
        let tries = sequence.isPredictable ? 3 : 20
        return (0..<tries).lazy.map { _ in complaints(sequence, subject) }.first { !$0.isEmpty }
    }
}

extension CallSequence {
    /// Leaves out what only the pretended encoder does.
    mutating func makePossible() {
        pretence = Pretence()
        threads = threads.map { calls in
            calls.map { call in
                guard case .encode(var frame) = call else { return call }
                frame.fate = .coded
                return .encode(frame)
            }
        }
    }
}
