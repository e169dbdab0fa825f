// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend

/// Pictures that do not come as the expected frame rate says.
struct TimedSource: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Seconds from a picture to the next.
    let interval: @Sendable (_ index: Int) -> Double

    static let all =
        [15.0, 24, 30, 50, 60, 120].map { rate in TimedSource(testDescription: "\(Int(rate)) fps") { _ in 1 / rate } }
        + [
            TimedSource(testDescription: "60 and 15 fps in turns") { $0 / 60 % 2 == 0 ? 1.0 / 60 : 1.0 / 15 },
            TimedSource(testDescription: "1/10 s, then 60 fps") { $0 == 0 ? 0.1 : 1.0 / 60 },
            TimedSource(testDescription: "a pause of 2 s every 100 pictures") { $0 % 100 == 99 ? 2 : 1.0 / 30 },
        ]
}

@Suite(.timeLimit(.minutes(2))) struct X264FrameRateTests {
    private static let clip = TestClip.textures(width: 176, height: 144, count: 60)
    private static let average = 400_000

    /// A coded frame's decode time in seconds, its bits, and whether decoding can start with it.
    private typealias Coded = (time: Double, bits: Double, isSync: Bool)

    @Test(
        "limits and average hold in real time whatever frame rate was expected", .inTurn(), arguments: TimedSource.all,
        [0.5, 2])
    func limits(source: TimedSource, window: Double) async throws {
        let bytes = Int(Double(Self.average) / 8 * window * 1.25)
        let coded = try await Self.encode(source, seconds: 8) {
            $0.dataRateLimits = [DataRateLimit(bytes: bytes, seconds: window)]
        }
        #expect(Self.worst(coded, window: window) <= Double(8 * bytes))
        let later = coded.filter { $0.time >= 4 }.reduce(0) { $0 + $1.bits } / 4
        // The bucket that keeps the limit may fill more slowly than the average; see RatePlanner.
        let share = min(0.2 / window.squareRoot(), 0.5)
        let average = min(1, 1.25 * (1 - share)) * Double(Self.average)
        // A pause of 2 s brings less than the buffer would have taken in.
        let least = source.testDescription.hasPrefix("a pause") ? 0.4 : 0.88
        #expect((least...1.1).contains(later / average))
    }

    @Test(
        "limits and average hold in real time where no frame rate is expected",
        arguments: zip([0, 4, 6, 8], ["medium", nil, "medium", nil]))
    func unknownFrameRate(index: Int, preset: String?) async throws {
        let bytes = Self.average / 8 * 5 / 4
        let coded = try await Self.encode(TimedSource.all[index], seconds: 8, preset: preset) {
            $0.expectedFrameRate = nil
            $0.dataRateLimits = [DataRateLimit(bytes: bytes, seconds: 1)]
        }
        #expect(Self.worst(coded, window: 1) <= Double(8 * bytes))
        let later = coded.filter { $0.time >= 4 }.reduce(0) { $0 + $1.bits } / 4
        // A pause of 2 s brings less than the buffer would have taken in.
        #expect(((index == 8 ? 0.4 : 0.88)...1.1).contains(later / Double(Self.average)))
    }

    @Test("a raised average is there within four seconds", arguments: [30.0, 60])
    func raise(rate: Double) async throws {
        let source = TimedSource(testDescription: "") { _ in 1 / rate }
        let coded = try await Self.encode(source, seconds: 14, raiseAt: 6) { $0.averageBitRate = 200_000 }
        // Means over the two seconds of a round of the clip.
        for start in stride(from: 10.0, through: 12, by: 0.5) {
            let bits = coded.filter { $0.time >= start && $0.time < start + 2 }.reduce(0) { $0 + $1.bits }
            #expect((0.88...1.1).contains(bits / 2 / 600_000), "\(start) s")
        }
    }

    @Test("a new expected frame rate needs no new encoder, and the stream keeps its parameter sets")
    func expectedRate() async throws {
        let session = try CompressionSession(Self.configuration { _ in }, encoder: X264Backend())
        async let frames = Self.collect(session)
        for index in 0..<20 {
            if index == 10 { #expect(try await session.update { $0.expectedFrameRate = 60 } == .applied) }
            try await session.encode(
                try Self.clip.pixelBuffer(index, format: .i420), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        #expect(try await frames.filter(\.isSync).count == 1)
    }

    private static func configuration(_ change: (inout LiveSettings) -> Void) -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: .h264, width: clip.width, height: clip.height)
        configuration.realTime = true
        configuration.live.expectedFrameRate = 30
        configuration.live.averageBitRate = average
        // One level for all rates, so that a raise needs no new encoder.
        configuration.bitRateCeiling = 1_000_000
        change(&configuration.live)
        return configuration
    }

    private static func encode(
        _ source: TimedSource, seconds: Double, raiseAt: Double = .infinity, preset: String? = nil,
        _ change: (inout LiveSettings) -> Void
    ) async throws -> [Coded] {
        var configuration = configuration(change)
        configuration.preset = preset
        let session = try CompressionSession(configuration, encoder: X264Backend())
        async let frames = collect(session)
        var (time, index, isRaised) = (0.0, 0, false)
        while time < seconds {
            if time >= raiseAt, !isRaised {
                #expect(try await session.update { $0.averageBitRate = 600_000 } == .applied)
                isRaised = true
            }
            try await session.encode(
                try clip.pixelBuffer(index % clip.frames.count, format: .i420),
                at: MediaTime(value: Int64((time * 90_000).rounded()), timescale: 90_000))
            time += source.interval(index)
            index += 1
        }
        try await session.finish()
        return try await frames
    }

    private static func collect(_ session: CompressionSession) async throws -> [Coded] {
        var coded: [Coded] = []
        for try await frame in session.encodedFrames {
            guard let unit = frame.accessUnit else { continue }
            coded.append((frame.decodeTime.seconds, Double(unit.data.count * 8), unit.isSync))
        }
        return coded
    }

    /// The most bits in any window.
    private static func worst(_ coded: [Coded], window: Double) -> Double {
        coded.indices.map { start in
            coded[start...].prefix { $0.time < coded[start].time + window - 1e-6 }.reduce(0) { $0 + $1.bits }
        }.max() ?? 0
    }
}
