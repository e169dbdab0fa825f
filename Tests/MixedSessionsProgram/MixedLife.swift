// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import RandomSessions
import Synchronization

/// One session, and what is done to it.
actor MixedLife {
    private let kind: MixedKind
    private let pictures: MixedPictures
    private let session: CompressionSession
    private let ledger = MixedLedger()
    private let reader: Task<Void, any Error>
    private var generator: SplitMix64
    private var time: Int64 = 0
    private var token = 0
    private var size = 0

    /// Frames of a round, 30 a second but for pauses.
    private static let frames = 120

    init(_ kind: MixedKind, seed: UInt64, _ pictures: MixedPictures) throws {
        (self.kind, self.pictures) = (kind, pictures)
        generator = SplitMix64(state: seed)
        let session = try kind.session()
        self.session = session
        reader = Task { [ledger] in
            for try await frame in session.encodedFrames { ledger.note(frame) }
        }
    }

    // MARK: - A round

    /// Gives frames among changes, drains the session, and leaves it with the settings it began with.
    func round() async throws -> MixedCounts {
        for _ in 0..<Self.frames {
            if chance(12) { try await change() }
            if chance(60) { try await cancelWaiting() }
            try await give()
        }
        try await session.update { kind.ask(&$0, share: 1) }
        try await resize(to: 0)
        try await session.complete(until: .encoded)
        while !ledger.isSettled { try await Task.sleep(for: .milliseconds(1)) }
        for peak in session.statistics.windowPeaks where peak.bytes > peak.limit.bytes {
            ledger.fault("a window of \(peak.bytes) bytes, limit \(peak.limit)")
        }
        return ledger.take()
    }

    private func give() async throws {
        let options = FrameOptions(forceKeyFrame: chance(20), token: token)
        let picture = pictures[size, token]
        let time = MediaTime(value: time, timescale: 30)
        let call = Task { [session] in try await session.encode(picture, at: time, options: options) }
        if chance(30) { call.cancel() }
        do {
            try await call.value
            ledger.noteGiven(token)
        } catch let error as EncoderError where error.code == .cancelled {
            ledger.noteCancelled()
        }
        self.time += chance(50) ? 30 : 1
        token += 1
    }

    private func change() async throws {
        switch number(4) {
        case 0: try await resize(to: number(MixedPictures.sizes.count))
        case 1:
            let interval = chance(2) ? 15 : nil
            try await session.update { $0.maxKeyFrameInterval = interval }
        default:
            let share = [0.5, 1, 2][number(3)]
            try await session.update { kind.ask(&$0, share: share) }
        }
    }

    private func resize(to next: Int) async throws {
        let (width, height) = MixedPictures.sizes[next]
        try await session.changePictures(width: width, height: height)
        size = next
    }

    /// Cancels somebody who waits for the frames inside.
    private func cancelWaiting() async throws {
        let call = Task { [session] in try await session.complete(until: .encoded) }
        call.cancel()
        do { try await call.value } catch let error as EncoderError where error.code == .cancelled {}
    }

    // MARK: - The end

    /// Ends the session, in the middle of frames where it is invalidated.
    func end(isInvalidated: Bool) async throws -> MixedCounts {
        for _ in 0..<10 { try await give() }
        if isInvalidated { session.invalidate() } else { try await session.finish() }
        do { try await reader.value } catch let error as EncoderError where error.code == .invalidated {}
        ledger.close(mayDiscard: isInvalidated)
        return ledger.take()
    }

    private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private func chance(_ oneIn: Int) -> Bool { number(oneIn) == 0 }
}
