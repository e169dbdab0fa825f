// SPDX-License-Identifier: MIT

import Logging
import MediaFiles
import Synchronization

/// Does the work of a study, several points at a time, each piece of work once.
struct Runner: Sendable {
    /// Does one point; nil when it was interrupted.
    typealias Work = @Sendable (PointSpec, _ progress: @escaping @Sendable () -> Void) async throws -> PointResult?

    /// What becomes of a point.
    enum Event: Sendable {
        /// One frame more of a point was encoded.
        case frame(PointSpec)
        /// There is a result for these points.
        case finished([PointSpec], PointResult)
        /// There is none, and will be none.
        case failed([PointSpec], any Error)
    }

    /// Points at a time, 1 or more.
    let jobs: Int
    /// Where results are kept and found; nil keeps them in memory alone.
    var store: PointStore?
    /// Ends the work early when it happens.
    var interruption = OneShotEvent()
    let logger: Logger
    /// Tells what encodes a point on this machine.
    let build: @Sendable (PointWork) async throws -> EncoderBuild
    /// Does one point.
    let work: Work

    /// Runs everything that is not in the store.
    ///
    /// - Parameters:
    ///   - study: Its points are done in their order.
    ///   - observe: Called with all that happens, one call at a time, from any thread.
    func run(_ study: Study, observe: @escaping @Sendable (Event) -> Void) async {
        let queue = Queue(Self.pieces(of: study))
        let tell: @Sendable (Event) -> Void = { event in queue.oneAtATime { observe(event) } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<jobs {
                group.addTask {
                    while !interruption.hasHappened, let piece = queue.next() {
                        // What one encoder could not read of a file, the others cannot either.
                        guard let failure = await run(piece, tell: tell) as? MediaFileError, failure.path != nil else {
                            continue
                        }
                        for rest in queue.removeAll(ofClip: piece[0].clip) { tell(.failed(rest, failure)) }
                    }
                }
            }
        }
    }

    /// Points that ask for the same work, together.
    static func pieces(of study: Study) -> [[PointSpec]] {
        var places: [PointWork: Int] = [:]
        var pieces: [[PointSpec]] = []
        for point in study.points {
            if let place = places[point.work] {
                pieces[place].append(point)
            } else {
                places[point.work] = pieces.count
                pieces.append([point])
            }
        }
        return pieces
    }

    private func run(_ piece: [PointSpec], tell: @escaping @Sendable (Event) -> Void) async -> (any Error)? {
        let point = piece[0]
        do {
            if let store, let kept = store.result(for: try point.work.key(with: try await build(point.work))) {
                tell(.finished(piece, kept))
                return nil
            }
            guard let result = try await work(point, { tell(.frame(point)) }) else { return nil }
            keep(result)
            tell(.finished(piece, result))
            return nil
        } catch {
            // Whatever went wrong while everything was being stopped is no finding.
            guard !interruption.hasHappened else { return nil }
            tell(.failed(piece, error))
            return error
        }
    }

    private func keep(_ result: PointResult) {
        guard let store else { return }
        do {
            try store.keep(result)
        } catch {
            logger.warning("results cannot be kept any more: \(error)")
        }
    }

    /// Pieces of work that wait.
    private final class Queue: Sendable {
        private let waiting: Mutex<ArraySlice<[PointSpec]>>
        private let telling = Mutex(())

        init(_ pieces: [[PointSpec]]) { waiting = Mutex(pieces[...]) }

        func next() -> [PointSpec]? { waiting.withLock { $0.popFirst() } }

        func removeAll(ofClip clip: Int) -> [[PointSpec]] {
            waiting.withLock { waiting in
                let removed = waiting.filter { $0[0].clip == clip }
                waiting.removeAll { $0[0].clip == clip }
                return Array(removed)
            }
        }

        func oneAtATime(_ body: () -> Void) { telling.withLock { _ in body() } }
    }
}
