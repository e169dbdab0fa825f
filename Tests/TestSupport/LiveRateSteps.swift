// SPDX-License-Identifier: MIT

public import EncoderAPI
import EncoderConformance
public import Testing

/// A stream of noise whose bit rate goes up and down live in steps of three seconds, as Android's tests ask.
public enum LiveRateSteps {
    /// Bits per second of each step.
    public static let rates = [5_000_000, 8_000_000, 12_000_000, 8_000_000, 5_000_000]
    /// Frames of each step, 30 a second.
    public static let frames = 90
    /// How many times apart the bytes of neighbouring steps are at least.
    public static let leastRatio = 1.15
    /// How many times its rate a second of a constant rate may carry.
    public static let mostInSecond = 1.15

    /// Gives a session, whose rate is the first, all steps, and finishes it.
    ///
    /// - Parameters:
    ///   - session: Has the size of the pictures.
    ///   - ask: Asks for a step's rate.
    /// - Returns: What came out, in decode order.
    /// - Throws: What the session throws.
    public static func run(
        _ session: CompressionSession, asking ask: @Sendable (inout LiveSettings, Int) -> Void
    ) async throws -> [EncodedFrame] {
        let (format, width, height) = (
            session.configuration.pixelFormat, session.configuration.width, session.configuration.height
        )
        let video = SyntheticVideo(format: format, width: width, height: height, content: .busy)
        // Nothing predicts one from another, so that they may come again.
        let pictures = try (0..<7).map { try video.picture(at: $0) }
        async let collected = collect(session)
        for index in 0..<rates.count * frames {
            if index > 0, index.isMultiple(of: frames) {
                try await session.update { ask(&$0, rates[index / frames]) }
            }
            try await session.encode(
                pictures[index % pictures.count], at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        return try await collected
    }

    /// The same of a mode that is made of a step's rate.
    public static func run(
        _ session: CompressionSession, as control: @Sendable (Int) -> RateControl
    ) async throws -> [EncodedFrame] {
        try await run(session, asking: { $0.rateControl = control($1) })
    }

    private static func collect(_ session: CompressionSession) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return frames
    }

    /// Bytes of each step, by presentation times.
    public static func bytes(of stream: [EncodedFrame]) -> [Int] {
        rates.indices.map { step in
            stream.reduce(0) { sum, frame in
                let isInside = Int(frame.presentationTime.seconds * 30 + 0.5) / frames == step
                return isInside ? sum + (frame.accessUnit?.data.count ?? 0) : sum
            }
        }
    }

    /// Expects that the bytes of neighbouring steps are apart as their rates are.
    public static func expectApart(_ bytes: [Int], sourceLocation: SourceLocation = #_sourceLocation) {
        for step in 1..<rates.count {
            let ratio = Double(bytes[step]) / Double(max(bytes[step - 1], 1))
            let isUp = rates[step] > rates[step - 1]
            #expect(
                isUp ? ratio >= leastRatio : ratio <= 1 / leastRatio, "step \(step) of \(bytes)",
                sourceLocation: sourceLocation)
        }
    }

    /// The fullest second of those that begin with a frame, in times what the largest rate in it has in a second.
    public static func fullestSecond(of stream: [EncodedFrame]) -> Double {
        let starts = stream.indices.map { start in
            let first = stream[start].decodeTime
            let second = stream[start...].prefix { ($0.decodeTime - first) < MediaTime(value: 1, timescale: 1) }
            let steps = second.map { min(Int($0.presentationTime.seconds * 30 + 0.5) / frames, rates.count - 1) }
            let most = steps.map { rates[$0] }.max() ?? 1
            return Double(second.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) } * 8) / Double(most)
        }
        return starts.max() ?? 0
    }
}
