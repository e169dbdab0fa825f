// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Synchronization
import Testing
import X264Backend

/// An encoder that produces exactly the rate it is asked for.
final class PretendedEncoder: AdaptableEncoder {
    struct State {
        var rate: Int?
        var changes: [Int] = []
        var calls = 0
        var refusal: EncoderError?
    }

    let state: Mutex<State>
    /// Each rate that was set, for one reader.
    let rates: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init(_ rate: Int?) {
        state = Mutex(State(rate: rate))
        (rates, continuation) = AsyncStream.makeStream()
    }

    var rate: Int { state.withLock { $0.rate ?? 0 } }
    var changes: [Int] { state.withLock { $0.changes } }
    /// How often it was asked to change its rate.
    var calls: Int { state.withLock { $0.calls } }

    func ask(_ rate: Int) { state.withLock { $0.rate = rate } }
    func refuse(_ error: EncoderError?) { state.withLock { $0.refusal = error } }

    func changeBitRate(_ change: (Int?) -> Int?) async throws(EncoderError) {
        state.withLock { $0.calls += 1 }
        // Called twice, as where another thread changes the settings meanwhile.
        _ = change(123_456)
        let asked = state.withLock { $0.rate }
        let wanted = change(asked)
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        guard let wanted, wanted != asked else { return }
        state.withLock {
            $0.rate = wanted
            $0.changes.append(wanted)
        }
        continuation.yield(wanted)
    }
}

@Suite struct RateAdaptationTests {
    private let start = ContinuousClock.now

    private func sample(_ age: Int, bytes: Int = 10_000_000) -> RateAdapter.Sample {
        .init(queueAge: .milliseconds(age), bytesSent: bytes)
    }

    @Test("over a slow link the encoder falls to what it takes, and returns within a minute of its recovery")
    func link() async throws {
        let encoder = PretendedEncoder(1_500_000)
        let adaptation = try await RateAdaptation(encoder, floor: 150_000)
        var waiting = 0.0
        for second in 0..<180 {
            let capacity = second < 100 ? 600_000.0 : 10_000_000
            let admitted = (0..<30).count { _ in adaptation.admitsFrame() }
            let produced = Double(encoder.rate) * Double(admitted) / 30
            let sent = min(waiting + produced, capacity)
            waiting = min(waiting + produced - sent, 2 * produced)
            let age = waiting / produced
            if (10..<100).contains(second) { #expect(age < 0.5) }
            try await adaptation.observe(
                sample(Int(age * 1000), bytes: Int(sent / 8)), at: start + .seconds(second))
        }
        #expect(encoder.rate == 1_500_000 && adaptation.decision.frameDivisor == 1)
        #expect((encoder.changes.min() ?? 0) <= 600_000)
    }

    @Test("without anything that waits the encoder is left alone")
    func calm() async throws {
        let encoder = PretendedEncoder(1_000_000)
        let adaptation = try await RateAdaptation(encoder, floor: 100_000)
        for second in 0..<100 {
            let decision = try await adaptation.observe(sample(0), at: start + .seconds(second))
            #expect(decision == nil && adaptation.admitsFrame())
        }
        #expect(encoder.changes.isEmpty && adaptation.framesLeftOut == 0)
    }

    @Test("a rate that the application asks for meanwhile is the new ceiling")
    func newestWish() async throws {
        let encoder = PretendedEncoder(1_000_000)
        let adaptation = try await RateAdaptation(encoder, floor: 100_000)
        try await adaptation.observe(sample(600), at: start)
        #expect(encoder.rate == 700_000)
        // Lower than what is in force, then higher.
        encoder.ask(500_000)
        try await adaptation.observe(sample(200), at: start + .seconds(1))
        #expect(encoder.rate == 500_000 && adaptation.ceiling == 500_000)
        encoder.ask(2_000_000)
        for second in 2..<100 { try await adaptation.observe(sample(0), at: start + .seconds(second)) }
        #expect(encoder.rate == 2_000_000 && adaptation.ceiling == 2_000_000)
    }

    @Test("at the floor frames are left out evenly, before the encoder")
    func frames() async throws {
        let encoder = PretendedEncoder(200_000)
        let adaptation = try await RateAdaptation(encoder, floor: 200_000)
        try await adaptation.observe(sample(900), at: start)
        #expect((0..<8).map { _ in adaptation.admitsFrame() } == [true, false, true, false, true, false, true, false])
        #expect(adaptation.framesLeftOut == 4 && encoder.changes.isEmpty)
    }

    @Test("what the encoder refuses is not taken to be in force")
    func refusal() async throws {
        let encoder = PretendedEncoder(1_000_000)
        let adaptation = try await RateAdaptation(encoder, floor: 100_000)
        encoder.refuse(EncoderError(.conflictingSettings, reason: "for a test"))
        await #expect(throws: EncoderError.self) { try await adaptation.observe(sample(900), at: start) }
        #expect(adaptation.decision.bitsPerSecond == 1_000_000)
        encoder.refuse(nil)
        try await adaptation.observe(sample(900), at: start + .seconds(1))
        #expect(encoder.rate == 700_000)
    }

    @Test("an encoder without a mean rate is refused with what would do")
    func noRate() async {
        let error = await #expect(throws: PublishingError.self) {
            try await RateAdaptation(PretendedEncoder(nil), floor: 1000)
        }
        #expect(error?.code == .invalidValue && error?.reason.contains("averageBitRate") == true)
    }

    @Test("a session takes the rates, and the caller's own update is the ceiling")
    func session() async throws {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        configuration.live.averageBitRate = 1_000_000
        let session = try CompressionSession(configuration, encoder: X264Backend())
        let adaptation = try await RateAdaptation(session, floor: 100_000)
        #expect(try await adaptation.observe(sample(900), at: start)?.bitsPerSecond == 700_000)
        #expect(session.value(of: .averageBitRate) == "700000")
        try await session.update { $0.averageBitRate = 900_000 }
        try await adaptation.observe(sample(200), at: start + .seconds(1))
        #expect(adaptation.ceiling == 900_000)
        for second in 2..<40 { try await adaptation.observe(sample(0), at: start + .seconds(second)) }
        #expect(session.value(of: .averageBitRate) == "900000")
        session.invalidate()
        await #expect(throws: EncoderError.self) { try await adaptation.observe(sample(0), at: start + .seconds(60)) }
    }
}
