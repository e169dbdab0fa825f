// SPDX-License-Identifier: MIT

package import CommandOptions
package import Logging
import MediaFiles
import Synchronization

/// Does the work of a study, several points at a time, each piece of work once.
package struct Runner<Kept: KeptResult>: Sendable {
    /// Does one point; nil when it was interrupted.
    package typealias Work = @Sendable (PointSpec, _ progress: @escaping @Sendable () -> Void) async throws -> Kept?

    /// What becomes of a point.
    package enum Event: Sendable {
        /// One frame more of a point was encoded.
        case frame(PointSpec)
        /// There is a result for these points.
        case finished([PointSpec], Kept)
        /// There is none, and will be none.
        case failed([PointSpec], any Error)
    }

    /// Points at a time, 1 or more.
    package let jobs: Int
    /// Lets in as many as there is memory for.
    package let memory: MemoryGate
    /// Where results are kept and found; nil keeps them in memory alone.
    package var store: PointStore?
    /// Ends the work early when it happens.
    package var interruption = OneShotEvent()
    package let logger: Logger
    /// Happens when a result could not be kept.
    package let keepingFailed = OneShotEvent()
    /// Tells what encodes a point on this machine.
    package let build: @Sendable (PointWork) async throws -> EncoderBuild
    /// Does one point.
    package let work: Work

    /// - Parameters:
    ///   - jobs: Points at a time, 1 or more.
    ///   - memory: What they may take together.
    ///   - store: Where results are kept and found; nil keeps them in memory alone.
    ///   - interruption: Ends the work early when it happens.
    ///   - logger: Takes warnings.
    ///   - build: Tells what encodes a point on this machine.
    ///   - work: Does one point.
    package init(
        jobs: Int, memory: MemoryBudget = MemoryBudget(), store: PointStore? = nil,
        interruption: OneShotEvent = OneShotEvent(), logger: Logger,
        build: @escaping @Sendable (PointWork) async throws -> EncoderBuild, work: @escaping Work
    ) {
        self.jobs = jobs
        self.memory = MemoryGate(limit: memory.encodeBytes)
        self.store = store
        self.interruption = interruption
        self.logger = logger
        self.build = build
        self.work = work
    }

    /// Runs everything that is not in the store.
    ///
    /// - Parameters:
    ///   - study: Its points are done clip by clip, of each clip those first that take longest.
    ///   - observe: Called with all that happens, one call at a time, from any thread.
    package func run(_ study: Study, observe: @escaping @Sendable (Event) -> Void) async {
        let queue = PieceQueue(study.longestFirst)
        let tell: @Sendable (Event) -> Void = { event in
            let told = event.naming(study)
            queue.oneAtATime { observe(told) }
        }
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

    private func run(_ piece: [PointSpec], tell: @escaping @Sendable (Event) -> Void) async -> (any Error)? {
        let point = piece[0]
        do {
            if let store {
                let key = try point.work.key(with: try await build(point.work))
                if let kept = store.result(for: key, as: Kept.self) {
                    tell(.finished(piece, kept))
                    return nil
                }
            }
            guard let result = try await result(of: point, tell: tell) else { return nil }
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

    /// Does a point as soon as there is memory for it; nil when it was interrupted.
    private func result(of point: PointSpec, tell: @escaping @Sendable (Event) -> Void) async throws -> Kept? {
        let bytes = point.work.expectedBytes
        await memory.enter(bytes)
        guard !interruption.hasHappened else {
            await memory.leave(bytes)
            return nil
        }
        do {
            let result = try await work(point) { tell(.frame(point)) }
            await memory.leave(bytes)
            return result
        } catch {
            await memory.leave(bytes)
            throw error
        }
    }

    private func keep(_ result: Kept) {
        guard let store else { return }
        do {
            try store.keep(result)
        } catch {
            if keepingFailed.signal() { logger.warning("results cannot be kept any more: \(error)") }
        }
    }

    /// Ends a command that was to keep its results, and could not.
    package func failIfNotKept() throws(EncoderBenchError) {
        guard let store, keepingFailed.hasHappened else { return }
        throw EncoderBenchError(.systemFailure, reason: "\(store.path): not all results could be kept there")
    }
}

extension Runner {
    /// Makes a runner that runs points as one kind.
    ///
    /// - Parameters:
    ///   - kind: One that takes no times: points run beside each other, in this process.
    ///   - jobs: Points at a time, fewer where these would take more memory than there is for them.
    ///   - memory: What they may take together.
    ///   - store: Where results are kept and found; nil keeps them in memory alone.
    ///   - context: What the runs find around them.
    package init<Kind: RunKind>(
        _ kind: Kind, jobs: Int, memory: MemoryBudget = MemoryBudget(), store: PointStore? = nil,
        in context: RunContext
    ) where Kind.Result == Kept {
        precondition(!Kind.isTimed, "\(Kind.name) runs take times, which other runs would disturb")
        self.init(
            jobs: jobs, memory: memory, store: store, interruption: context.interruption, logger: context.logger,
            build: { try await EncoderBuild(of: $0) },
            work: { try await kind.result(of: $0, in: context, progress: $1) })
    }
}

extension Runner.Event {
    /// The event with a clip's name where its error is about a file without one.
    fileprivate func naming(_ study: Study) -> Self {
        guard case .failed(let points, let error as MediaFileError) = self, let point = points.first else {
            return self
        }
        return .failed(points, error.naming(study.clips[point.clip].name))
    }
}

extension Study {
    /// Points that ask for the same work, together.
    package var pieces: [[PointSpec]] {
        var places: [PointWork: Int] = [:]
        var pieces: [[PointSpec]] = []
        for point in points {
            if let place = places[point.work] {
                pieces[place].append(point)
            } else {
                places[point.work] = pieces.count
                pieces.append([point])
            }
        }
        return pieces
    }
}

/// Pieces of work that wait.
private final class PieceQueue: Sendable {
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
