// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Synchronization
import TestSupport
import Testing

/// What an output begins with, and how often it asks for a key frame to begin with.
@Suite struct BeginningTests {
    private let format: FormatDescription

    init() throws { format = try TestPackets.videoFormat() }

    /// A picture of a stream with 25 in a second.
    private func picture(_ number: Int64, isKey: Bool) -> MediaPacket {
        TestPackets.picture(.milliseconds(number * 40), isKey: isKey, format: format)
    }

    /// Keeps what a closure is given.
    private final class Pieces: Sendable {
        let all = Mutex<[Output.Piece]>([])

        func output(_ container: Container = .annexB) -> Output {
            .receiver("closure", container: container) { piece in self.all.withLock { $0.append(piece) } }
        }
    }

    /// Asks that a broadcast made for a key frame.
    private final class Asks: Sendable {
        let times = Mutex<[ContinuousClock.Instant]>([])
        @Sendable func ask() { times.withLock { $0.append(.now) } }
        var count: Int { times.withLock { $0.count } }
    }

    @Test("a closure takes what comes before its thread runs, from the first packet on", arguments: 0..<20)
    func burst(round: Int) async throws {
        let pieces = Pieces()
        let broadcast = try Broadcast(tracks: [.video], outputs: [pieces.output(.flv)])
        // Two seconds at once.
        for number in 0..<50 as Range<Int64> { try await broadcast.send(picture(number, isKey: number % 10 == 0)) }
        await broadcast.finish()
        let statistics = try #require(broadcast.statistics.values.first)
        #expect(statistics.writtenPackets == 50 && statistics.droppedPackets == 0, "\(statistics)")
        guard case .header? = pieces.all.withLock({ $0.first }) else {
            Issue.record("no header")
            return
        }
    }

    @Test("of a burst beyond its limits a closure has a header, a key frame and all that follow it")
    func longBurst() async throws {
        let pieces = Pieces()
        let broadcast = try Broadcast(tracks: [.video], outputs: [pieces.output(.flv)])
        for number in 0..<250 as Range<Int64> { try await broadcast.send(picture(number, isKey: number % 10 == 0)) }
        await broadcast.finish()
        let statistics = try #require(broadcast.statistics.values.first)
        #expect(statistics.writtenPackets >= 40, "\(statistics)")
        #expect(statistics.writtenPackets + statistics.droppedPackets == 250)
        let given = pieces.all.withLock { $0 }
        guard case .header? = given.first, case .bytes(let tag)? = given.dropFirst().first else {
            Issue.record("\(given.count) pieces")
            return
        }
        // A tag of pictures, whose first byte of data has the frame type 1, for a key frame, and codec 7.
        #expect(tag.first == 9 && tag.dropFirst(11).first == 0x17)
    }

    @Test("what is added in the middle and gets no key frame lacks the end, file, folder or closure", arguments: 0..<3)
    func addedWithoutKey(kind: Int) async throws {
        try await withTemporaryDirectory { folder in
            let broadcast = try Broadcast(tracks: [.video])
            for number in 0..<5 as Range<Int64> { try await broadcast.send(picture(number, isKey: number == 0)) }
            let outputs = [
                Pieces().output(), try .file(folder.path("a.h264")), .segments(SegmentFolder(path: folder.path("hls"))),
            ]
            let id = try broadcast.add(outputs[kind])
            for number in 5..<9 as Range<Int64> { try await broadcast.send(picture(number, isKey: false)) }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics[id])
            guard case .failed(let error) = statistics.state else {
                Issue.record("\(statistics)")
                return
            }
            #expect(error.code == .timedOut && error.reason.contains("key frame"), "\(error)")
            #expect(statistics.writtenPackets == 0)
        }
    }

    @Test("what is added in the middle asks for a key frame: files, closures and those with a start", arguments: 0..<3)
    func asking(kind: Int) async throws {
        try await withTemporaryDirectory { folder in
            let asks = Asks()
            let broadcast = try Broadcast(tracks: [.video], onKeyFrameWanted: asks.ask)
            for number in 0..<5 as Range<Int64> { try await broadcast.send(picture(number, isKey: number == 0)) }
            #expect(asks.count == 0)
            var output = kind == 0 ? Pieces().output() : try .file(folder.path("a.h264"))
            if kind == 2 { output.start = .milliseconds(400) }
            try broadcast.add(output)
            if kind == 2 {
                // Before its start it has no use for a key frame.
                for number in 5..<10 as Range<Int64> { try await broadcast.send(picture(number, isKey: false)) }
                #expect(await eventually { broadcast.statistics.values.contains { $0.state == .publishing } })
                #expect(asks.count == 0)
                try await broadcast.send(picture(10, isKey: false))
            }
            #expect(await eventually { asks.count == 1 })
            try await broadcast.send(picture(11, isKey: true))
            try await broadcast.send(picture(12, isKey: false))
            await broadcast.finish()
            #expect(broadcast.statistics.values.first?.writtenPackets == 2 && asks.count == 1)
        }
    }

    @Test("a wish that comes within a second of another is kept, and asked for when the second is over")
    func postponed() async throws {
        let asks = Asks()
        let broadcast = try Broadcast(tracks: [.video], onKeyFrameWanted: asks.ask)
        try await broadcast.send(picture(0, isKey: true))
        try broadcast.add(Pieces().output())
        #expect(await eventually { asks.count == 1 })
        try await broadcast.send(picture(1, isKey: true))
        try broadcast.add(Pieces().output())
        // The encoder goes on without a key frame until it is asked.
        var number: Int64 = 2
        while asks.count < 2, number < 500 {
            try await broadcast.send(picture(number, isKey: false))
            number += 1
            try await Task.sleep(for: .milliseconds(10))
        }
        let times = asks.times.withLock { $0 }
        try #require(times.count == 2)
        #expect(times[1] - times[0] >= .seconds(1) && times[1] - times[0] < .seconds(4))
        broadcast.cancel()
    }
}
