// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import Publishing

/// Makes an encoder follow what the slowest of its live outputs takes.
struct BitRateFollower: Sendable {
    let adaptation: RateAdaptation
    private let broadcast: Broadcast
    private let outputs: [OutputID]
    private let tell: @Sendable (String) -> Void

    /// Makes a follower; nothing is measured before ``run()``.
    ///
    /// - Parameters:
    ///   - adaptation: Changes the encoder.
    ///   - broadcast: Takes the encoder's frames.
    ///   - outputs: The live outputs of the broadcast.
    ///   - tell: Takes lines for people.
    init(
        _ adaptation: RateAdaptation, of broadcast: Broadcast, outputs: [OutputID],
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.adaptation = adaptation
        self.broadcast = broadcast
        self.outputs = outputs
        self.tell = tell
    }

    /// Gives a session those frames that the network leaves room for.
    func giving(to session: CompressionSession) -> @Sendable (SourceFrame, FrameOptions) async throws -> Void {
        { [adaptation] frame, options in
            if adaptation.admitsFrame() { try await session.encode(frame, options: options) }
        }
    }

    /// Measures once a second, until the task is cancelled or the session has ended.
    func run() async {
        var before: [OutputID: OutputStatistics] = [:]
        while !Task.isCancelled {
            let now = broadcast.statistics.filter { outputs.contains($0.key) }
            do throws(EncoderError) {
                if let sample = Self.sample(from: before, to: now) {
                    if let decision = try await adaptation.observe(sample) { tell(Self.words(decision)) }
                } else {
                    adaptation.reconnect()
                }
            } catch {
                // The session has ended.
                return
            }
            before = now
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// What the output in which most waits did between two moments; nil where none published all the while.
    static func sample(
        from before: [OutputID: OutputStatistics], to now: [OutputID: OutputStatistics]
    ) -> RateAdapter.Sample? {
        let samples = now.compactMap { output, statistics -> RateAdapter.Sample? in
            guard let last = before[output], last.state == .publishing, statistics.state == .publishing,
                last.openings == statistics.openings
            else { return nil }
            return RateAdapter.Sample(
                queueAge: .seconds(statistics.queueAge.seconds), bytesSent: statistics.byteCount - last.byteCount)
        }
        return samples.max { ($0.queueAge, -$0.bytesSent) < ($1.queueAge, -$1.bytesSent) }
    }

    private static func words(_ decision: RateAdapter.Decision) -> String {
        let part = decision.frameDivisor > 1 ? ", one frame of \(decision.frameDivisor)" : ""
        return "the network: encodes at \(Format.bitRate(Double(decision.bitsPerSecond)))\(part)"
    }
}
