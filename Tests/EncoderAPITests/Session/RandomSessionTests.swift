// SPDX-License-Identifier: MIT

import RandomSessions
import TestSupport
import Testing

/// Sessions do what their model says; `random-sessions` tries more sequences than these.
@Suite struct RandomSessionTests {
    @Test("a session does what its model says, whatever is done to it in whatever order")
    func sampledPretendedEncoder() async {
        var generator = SeededGenerator()
        for _ in Sample.of(Array(0..<2_000), least: 500) {
            if let failure = await RandomSessions.failure(seed: generator.next()) {
                Issue.record("\(failure)")
                return
            }
        }
    }

    @Test("what went wrong once does not again", arguments: failures.indices)
    func onceWrong(index: Int) async {
        // Some depend on who is first.
        for _ in 0..<20 {
            let complaints = await RandomSessions.complaints(Self.failures[index])
            #expect(complaints.isEmpty)
        }
    }

    private static func sequence(_ operations: [Operation], _ change: (inout Pretence) -> Void) -> OperationSequence {
        var pretence = Pretence()
        change(&pretence)
        return OperationSequence(pretence, operations)
    }

    /// Sequences that were found by chance and made short.
    static let failures: [OperationSequence] = [
        // Frames inside an encoder that gave up had no event.
        sequence([.encodeImmediately(.init(485, .fine, .failing))]) { _ in },
        sequence([
            .together([.encode(.init(141)), .encode(.init(161)), .encodeImmediately(.init(181, .fine, .failing))])
        ]) { $0.keyFrameInterval = 72 },
        // An invalidated session still counted frames as pending.
        sequence([.encodeImmediately(.init(44)), .invalidate]) { $0.delay = 2 },
        // A frame that rate control left out made the next one a key frame.
        sequence([
            .encode(.init(-3712)), .encode(.init(-3544, .fine, .skipped)),
            .encodeImmediately(.init(-3362, force: true)),
            .encode(.init(-3322)),
        ]) { pretence in
            pretence.reorders = true
            pretence.isDeep = true
            pretence.maxFrameDelayCount = 3
        },
        sequence([
            .encode(.init(119)), .encode(.init(139, .fine, .skipped)), .encode(.init(374)), .encode(.init(394)),
            .encode(.init(414)),
        ]) { $0.delay = 2 },
        // A writer waited for a reader although there was room, because the encoder was behind when it began to wait.
        sequence(
            [.cancelled(.encode(.init(-1791)), after: 1)]
                + (0..<12).map { .encode(.init(-1771 + 20 * $0, force: $0 == 0)) }
                + [.complete(through: nil)]
        ) { $0.maxFrameDelayCount = 0 },
        // An interval of 40/600 s became 66,667 microseconds, which 40 ticks are not.
        sequence([.encode(.init(-1314)), .encode(.init(-1274))]) { $0.keyFrameInterval = 40 },
        // The first picture of an encoder counted as a key frame only when it had come out.
        sequence([
            .encode(.init(116)), .update(.bitRate), .encodeImmediately(.init(196)), .encodeImmediately(.init(216)),
            .encode(.init(236)),
        ]) { pretence in
            pretence.updatesLive = false
            pretence.depth = 4
            pretence.outlivesDraining = true
            pretence.keyFrameInterval = 104
        },
        // A finish that was cancelled while a handler had frames yet said that the session was finished.
        sequence([.encode(.init(66)), .cancelled(.finish, after: 1)]) { pretence in
            pretence.reorders = true
            pretence.delivery = .queued
        },
        // A handler gets nothing after invalidate() although the session had failed before, which the model did not
        // know.
        sequence([.cancelled(.encode(.init(-784, .fine, .failing)), after: 2), .invalidate]) { pretence in
            pretence.updatesLive = false
            pretence.depth = 3
            pretence.outlivesDraining = true
            pretence.maxFrameDelayCount = 1
            pretence.delivery = .queued
        },
        // A finish of a session that had failed was told that it was invalidated since.
        sequence([
            .encode(.init(146, .fine, .failing)), .encodeImmediately(.init(186)), .invalidate, .encode(.init(226)),
        ]) { pretence in
            pretence.delay = 1
            pretence.updatesWithKeyFrame = true
            pretence.isDeep = true
            pretence.delivery = .queued
        },
        // A frame that waited for a B picture before it never came out once the limits were lifted.
        sequence([.encode(.init(99)), .encode(.init(119)), .encode(.init(469)), .update(.scarceLimit)]) { pretence in
            pretence.reorders = true
            pretence.limits = .coarser
        },
        // A source that rested and wakes has another encoder opened, with a key frame, which the model did not know.
        sequence(
            [126, 146, 6525, 12515, 12535].map { .encode(.init($0)) } + [.synchronously(.encode(.init(12554)))]
                + [12575, 12593, 12615, 12635, 12655, 12675].map { .encode(.init($0)) }
                + [
                    .encode(.init(12852, .fine, .skipped)), .synchronously(.complete(through: nil)),
                    .synchronously(.encode(.init(12872, force: true))), .synchronously(.encode(.init(12892))),
                    .encode(.init(12912)),
                ]
        ) { pretence in
            pretence.delay = 3
            pretence.keyFrameInterval = 101
            pretence.limits = .dropped
        },
    ]
}
