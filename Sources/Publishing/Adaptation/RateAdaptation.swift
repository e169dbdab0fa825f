// SPDX-License-Identifier: MIT

public import EncoderAPI
import Synchronization

/// Makes an encoder follow what a network takes, by a ``RateAdapter``.
///
/// Nothing adapts unless an application makes one of these and tells it once a second what an output did. It changes
/// the session's mean bit rate, and leaves frames out before the encoder where that is not enough; it never asks for a
/// key frame. The rate that the application asks the session for remains the ceiling: a rate that is not the one set
/// here is taken for the newest wish. Safe to use from any thread.
public final class RateAdaptation: Sendable {
    private struct State {
        var adapter: RateAdapter
        /// The rate that was asked for here last.
        var asked: Int
        var framesSeen = 0
        var framesLeftOut = 0
    }

    private let encoder: any AdaptableEncoder
    private let state: Mutex<State>

    /// Begins to adapt an encoder; nothing changes before ``observe(_:at:)``.
    ///
    /// - Parameters:
    ///   - encoder: The session, which has a mean bit rate.
    ///   - floor: The lowest rate in bit/s, 1000 or more.
    ///   - limits: When something is done, and how much.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range, or where the session has no
    ///   mean bit rate; `.invalidState` where the session is over.
    public init(
        _ encoder: some AdaptableEncoder, floor: Int, limits: RateAdapter.Limits = RateAdapter.Limits()
    ) async throws(PublishingError) {
        var rate: Int?
        do {
            try await encoder.changeBitRate { asked in
                rate = asked
                return nil
            }
        } catch {
            throw PublishingError(.invalidState, reason: error.reason)
        }
        guard let rate else {
            throw PublishingError(
                .invalidValue, reason: "an encoder without a mean bit rate to adapt, expected averageBitRate to be set")
        }
        self.encoder = encoder
        state = Mutex(State(adapter: try RateAdapter(ceiling: rate, floor: floor, limits: limits), asked: rate))
    }

    /// What is in force.
    public var decision: RateAdapter.Decision { state.withLock { $0.adapter.decision } }

    /// The application's rate in bit/s as far as it is known: what it asked for before the last ``observe(_:at:)``.
    public var ceiling: Int { state.withLock { $0.adapter.ceiling } }

    /// Frames that ``admitsFrame()`` has said no to.
    public var framesLeftOut: Int { state.withLock { $0.framesLeftOut } }

    /// Whether the next frame of the source goes to the encoder; call once for each, before it is encoded.
    public func admitsFrame() -> Bool {
        state.withLock { state in
            defer { state.framesSeen += 1 }
            if state.framesSeen.isMultiple(of: state.adapter.decision.frameDivisor) { return true }
            state.framesLeftOut += 1
            return false
        }
    }

    /// Takes note of what an output did, and changes the encoder where that is called for; once a second, by one caller
    /// at a time.
    ///
    /// - Parameters:
    ///   - sample: What the network did since the sample before.
    ///   - now: When it was taken.
    /// - Returns: What is in force from now on, where that changed.
    /// - Throws: `EncoderError` where the session does not take the rate; what was in force stays.
    @discardableResult
    public func observe(
        _ sample: RateAdapter.Sample, at now: ContinuousClock.Instant = .now
    ) async throws(EncoderError) -> RateAdapter.Decision? {
        let before = state.withLock { ($0.adapter, $0.asked) }
        var adapter = before.0
        try await encoder.changeBitRate { asked in
            adapter = before.0
            if let asked, asked != before.1 { _ = adapter.setCeiling(asked) }
            _ = adapter.observe(sample, at: now)
            return asked == nil ? nil : adapter.decision.bitsPerSecond
        }
        let after = adapter
        state.withLock { state in
            state.adapter = after
            state.asked = after.decision.bitsPerSecond
        }
        return after.decision == before.0.decision ? nil : after.decision
    }

    /// Forgets what was measured: another connection begins.
    public func reconnect() { state.withLock { $0.adapter.reconnect() } }
}
