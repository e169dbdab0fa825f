// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Publishing
import TestSupport
import Testing

@Suite struct RateAdaptationBroadcastTests {
    @Test("the rate follows an output that takes nothing, until the output ends")
    func stalled() async throws {
        let (gate, opened) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
        let output = Output.receiver("stalled", container: .flv) { piece in
            guard case .bytes = piece else { return }
            opened.continuation.yield()
            gate.wait()
            gate.signal()
        }
        let broadcast = try Broadcast(tracks: [.video])
        let id = try broadcast.add(output)
        // A live output takes the first key frame after it was opened.
        for await event in broadcast.events {
            if case .state(id, _, .publishing) = event { break }
        }
        let encoder = PretendedEncoder(1_000_000)
        let adaptation = try await RateAdaptation(encoder, floor: 100_000)
        let format = try TestPackets.videoFormat()
        func picture(_ number: Int64) -> MediaPacket {
            MediaPacket(
                format: format, presentationTime: .milliseconds(number * 40), decodeTime: .milliseconds(number * 40),
                isKey: number == 0, data: [0, 0, 0, 1, 0x65, 1], nalUnits: [4..<6])
        }
        try await broadcast.send(picture(0))
        for await _ in opened.stream { break }
        // 0.8 s wait now behind the one that is not taken.
        for number in 1...21 as ClosedRange<Int64> { try await broadcast.send(picture(number)) }
        async let following: Void = adaptation.follow(id, of: broadcast, every: .milliseconds(5))
        for await rate in encoder.rates {
            #expect(rate < 1_000_000)
            break
        }
        gate.signal()
        await broadcast.finish()
        try await following
        #expect(adaptation.ceiling == 1_000_000)
    }

    @Test(
        "measurements are 10 ms long at least, and a wait of any length ends with its task",
        arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max)])
    func intervals(interval: Duration) async throws {
        let broadcast = try Broadcast(tracks: [.audio])
        let id = try broadcast.add(.receiver("closure", container: .adts) { _ in })
        #expect(await eventually { broadcast.statistics[id]?.state == .publishing })
        let encoder = PretendedEncoder(1_000_000)
        let adaptation = try await RateAdaptation(encoder, floor: 100_000)
        let start = ContinuousClock.now
        let following = Task { try await adaptation.follow(id, of: broadcast, every: interval) }
        if interval < .seconds(1) { #expect(await eventually { encoder.calls > 3 }) }
        let calls = encoder.calls
        #expect(.milliseconds(10) * (calls - 2) <= ContinuousClock.now - start)
        following.cancel()
        try await following.value
        await broadcast.finish()
    }

    @Test("an output that is none of the broadcast's is not followed")
    func unknown() async throws {
        let broadcast = try Broadcast(tracks: [.video])
        let output = Output.receiver("none", container: .flv) { _ in }
        let id = try broadcast.add(output)
        await broadcast.remove(id)
        let encoder = PretendedEncoder(1_000_000)
        try await RateAdaptation(encoder, floor: 100_000).follow(id, of: broadcast)
        #expect(encoder.changes.isEmpty)
        await broadcast.finish()
    }
}
