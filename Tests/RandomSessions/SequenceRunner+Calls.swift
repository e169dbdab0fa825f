// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Synchronization

/// The calls of a session, and what the model says to what came of them.
extension SequenceRunner {
    typealias Result = SessionModel.Result

    // MARK: - Frames

    /// A frame that is about to be given.
    private struct Gift {
        let frame: Operation.Frame
        let token: Int
        let time: MediaTime
        let picture: PixelBuffer
        /// Events that nobody took yet.
        let unread: Int

        var options: FrameOptions { FrameOptions(forceKeyFrame: frame.force, token: token) }
    }

    private func gift(_ frame: Operation.Frame, _ session: CompressionSession) -> Gift? {
        let (token, taken) = notes.withLock { notes in
            notes.frames.append(frame)
            return (notes.frames.count - 1, notes.taken.count)
        }
        guard token < Pictures.count else { return nil }
        let size = Operation.Size.allCases.first { $0.sides.width == session.pixelBufferPool.width } ?? .usual
        let picture = Pictures.picture(token, frame, size, isDeep: sequence.pretence.isDeep)
        let time = frame.mediaTime(inLowestTerms: sequence.pretence.hasLowestTerms)
        return Gift(frame: frame, token: token, time: time, picture: picture, unread: taken - output.count)
    }

    private func settle(_ gift: Gift, _ operation: Operation, _ result: Result, wasCancelled: Bool) {
        notes.withLock { notes in
            if result == .done { notes.taken.insert(gift.token) }
            if notes.isLoose || (wasCancelled && result == .failed(.cancelled)) { return }
            let limit = min(14, sequence.pretence.maxFrameDelayCount ?? .max)
            if !notes.model.encode(gift.frame, gift.token, result, mayBeFull: gift.unread >= limit) {
                notes.complaints.append("\(operation), frame \(gift.token): \(result)")
            }
        }
    }

    func give(
        _ frame: Operation.Frame, _ operation: Operation, _ session: CompressionSession,
        _ encode: (PixelBuffer, MediaTime, FrameOptions) async throws(EncoderError) -> Bool
    ) async {
        guard let gift = gift(frame, session) else { return }
        let result: Result
        do throws(EncoderError) {
            result = try await encode(gift.picture, gift.time, gift.options) ? .done : .full
        } catch {
            result = .failed(error.code)
        }
        settle(gift, operation, result, wasCancelled: Task.isCancelled)
    }

    // MARK: - The rest

    func control(_ operation: Operation, _ session: CompressionSession) async {
        let result: Result
        do throws(EncoderError) {
            result = try await perform(operation, session)
        } catch {
            result = .failed(error.code)
        }
        settle(operation, result, wasCancelled: Task.isCancelled)
    }

    private func perform(_ operation: Operation, _ session: CompressionSession) async throws(EncoderError) -> Result {
        switch operation {
        case .update(let change):
            return result(of: try await session.update { change.apply(to: &$0, coarse: coarseMode) })
        case .resize(let size):
            return result(of: try await session.changePictures(width: size.sides.width, height: size.sides.height))
        case .recolor(let color):
            let pool = session.pixelBufferPool
            return result(
                of: try await session.changePictures(width: pool.width, height: pool.height, color: color.meaning))
        case .prepare: try await session.prepare()
        case .requestKeyFrame: try session.requestKeyFrame()
        case .complete(let time): try await session.complete(through: time.map(Self.time), until: milestone)
        case .finish: try await session.finish(until: milestone)
        default: session.invalidate()
        }
        return .done
    }

    /// What an answer is to the model.
    func result(of outcome: UpdateOutcome) -> Result {
        note(.success(outcome))
        let isPredicted = subject.isPredicted(sequence.pretence)
        // Whether a real encoder must start anew is its own affair.
        return .update(!isPredicted && outcome.kind == .restarted ? .applied : outcome.kind)
    }

    private func note(_ answer: Swift.Result<UpdateOutcome, EncoderError>) {
        if answer == .success(.restarted(formatMayChange: true)) { notes.withLock { $0.toldChanges += 1 } }
    }

    /// Readers come and go, so only with a handler will all be delivered.
    var milestone: CompressionSession.Milestone {
        sequence.pretence.delivery == .read ? .encoded : .delivered
    }

    static func time(_ ticks: Int) -> MediaTime {
        MediaTime(value: Int64(ticks), timescale: Operation.Frame.timescale)
    }

    func settle(_ operation: Operation, _ result: Result, wasCancelled: Bool) {
        notes.withLock { notes in
            if wasCancelled, result == .failed(.cancelled) { notes.toldChanges += 1 }
            guard !notes.isLoose else { return }
            // A cancelled caller does not learn what came of it; it happens all the same, in its turn.
            guard !(wasCancelled && result == .failed(.cancelled)) else {
                notes.isLoose = true
                return
            }
            if !notes.model.perform(operation, result) { notes.complaints.append("\(operation): \(result)") }
        }
    }

    // MARK: - Calls that do not suspend

    /// Makes a call that may block, on a thread of its own.
    func performSynchronously(_ operation: Operation, _ session: CompressionSession) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "RandomSessions.caller").async {
                self.call(operation, session)
                continuation.resume()
            }
        }
    }

    private func call(_ operation: Operation, _ session: CompressionSession) {
        var gift: Gift?
        if case .encode(let frame) = operation {
            gift = self.gift(frame, session)
            if gift == nil { return }
        }
        let result: Result
        do throws(EncoderError) {
            result = try call(operation, gift, session.synchronous)
        } catch {
            result = .failed(error.code)
        }
        if case .update(let change) = operation {
            notes.withLock { notes in
                guard !notes.isLoose, !notes.model.updateLater(change, result) else { return }
                notes.complaints.append("synchronously \(operation): \(result)")
            }
        } else if let gift {
            settle(gift, operation, result, wasCancelled: false)
        } else {
            settle(operation, result, wasCancelled: false)
        }
    }

    private func call(
        _ operation: Operation, _ gift: Gift?, _ calls: SynchronousCalls
    ) throws(EncoderError) -> Result {
        switch operation {
        case .encode:
            guard let gift else { return .full }
            return try calls.encode(gift.picture, at: gift.time, options: gift.options) ? .done : .full
        case .update(let change):
            try calls.update({ change.apply(to: &$0, coarse: coarseMode) }, whenDone: { [self] in note($0) })
        case .prepare: try calls.prepare()
        case .complete(let time): try calls.complete(through: time.map(Self.time), until: milestone)
        case .finish: try calls.finish(until: milestone)
        default: calls.session.invalidate()
        }
        return .done
    }
}

extension SequenceRunner {
    /// What ``Operation/Change/mode`` asks for in place of an average.
    var coarseMode: RateControl { subject.coarseMode(sequence.pretence) }
}

extension Operation.Change {
    /// Changes settings; `coarse` is what takes the average's place.
    func apply(to live: inout LiveSettings, coarse: RateControl) {
        switch (self, live.quality) {
        case (.nothing, _): break
        case (.bitRate, let quality?): live.quality = quality == 0.5 ? 0.6 : 0.5
        case (.bitRate, nil):
            switch live.rateControl {
            case .constantBitRate(let rate): live.constantBitRate = rate == 250_000 ? 180_000 : 250_000
            case .averageBitRate(200_000): live.averageBitRate = 150_000
            default: live.averageBitRate = 200_000
            }
        case (.impossible, _): live.averageBitRate = 1
        case (.interval, _): live.maxKeyFrameInterval = live.maxKeyFrameInterval == nil ? 1 : nil
        case (.limit, _): toggle(DataRateLimit(bytes: 45_000, seconds: 0.5), in: &live)
        case (.scarceLimit, _): toggle(DataRateLimit(bytes: PretendedSizes.scarceLimit, seconds: 0.5), in: &live)
        case (.constantBitRate, _):
            if live.constantBitRate == nil {
                live.constantBitRate = 250_000
                (live.vbvBufferDuration, live.vbvInitialDelayPercentage, live.dataRateLimits) = (0.5, 60, [])
            } else {
                average(&live)
            }
        case (.mode, _):
            if live.averageBitRate == nil { average(&live) } else { live.rateControl = coarse }
            if case .constantQuantizer = live.rateControl { live.dataRateLimits = [] }
        case (.hint, _): live.expectedFrameRate = live.expectedFrameRate == 30 ? 60 : 30
        }
    }

    /// Asks for a limit, or for none any more, in a mode that keeps one.
    private func toggle(_ limit: DataRateLimit, in live: inout LiveSettings) {
        live.dataRateLimits = live.dataRateLimits.isEmpty ? [limit] : []
        switch live.rateControl {
        case .constantQuantizer, .constantBitRate: average(&live)
        default: break
        }
    }

    private func average(_ live: inout LiveSettings) {
        live.averageBitRate = 200_000
        (live.vbvBufferDuration, live.vbvInitialDelayPercentage) = (nil, nil)
    }
}
