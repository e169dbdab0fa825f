// SPDX-License-Identifier: MIT

public import EncoderAPI

/// An encoder whose mean bit rate can change while it runs: a session, or what a test puts in its place.
public protocol AdaptableEncoder: Sendable {
    /// Changes the mean bit rate of the frames that follow.
    ///
    /// - Parameter change: Is given the rate in bit/s as it was asked for last, nil where something else decides how
    ///   many bits a picture gets; gives the one to ask for, nil to leave it. May be called more than once.
    /// - Throws: `EncoderError` where the rate cannot be; the old one stays.
    func changeBitRate(_ change: (_ asked: Int?) -> Int?) async throws(EncoderError)
}

extension CompressionSession: AdaptableEncoder {
    /// Changes `averageBitRate` with the `update(_:)` of the session.
    ///
    /// - Parameter change: As for ``AdaptableEncoder/changeBitRate(_:)``.
    /// - Throws: `EncoderError` as the `update(_:)` of the session does.
    public func changeBitRate(_ change: (_ asked: Int?) -> Int?) async throws(EncoderError) {
        try await update { live in
            guard let rate = change(live.averageBitRate) else { return }
            live.averageBitRate = rate
        }
    }
}
