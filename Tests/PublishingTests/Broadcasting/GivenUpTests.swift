// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// An output that is ended before its time says so, and counts each packet.
@Suite struct GivenUpTests {
    private let format: AudioFormat

    init() throws { format = try TestPackets.audioFormat() }

    private func sound(_ range: Range<Int64>) -> [MediaPacket] {
        range.map { TestPackets.sound(MediaTime(value: $0 * 1024, timescale: 48_000), byteCount: 1000, format: format) }
    }

    /// How an output is given up.
    enum Ending: CaseIterable {
        case outOfTime, cancelledFinish, cancel
    }

    @Test("what is given up with packets that wait has failed, and each packet is counted", arguments: Ending.allCases)
    func pipe(ending: Ending) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("pipe.aac")
            mkfifo(path, 0o600)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            let broadcast = try Broadcast(tracks: [.audio], outputs: [.file(path)])
            // More than the pipe holds, less than makes the source wait.
            let packets = sound(0..<400)
            for packet in packets { try await broadcast.send(packet) }
            switch ending {
            case .outOfTime: await broadcast.finish(within: .zero)
            case .cancelledFinish:
                let task = Task { await broadcast.finish(within: .seconds(60)) }
                task.cancel()
                await task.value
            case .cancel: broadcast.cancel()
            }
            let hasCounted = await eventually {
                broadcast.statistics.values.contains { $0.givenPackets == $0.writtenPackets + $0.leftOutPackets }
            }
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(hasCounted && statistics.givenPackets == packets.count, "\(statistics)")
            #expect(statistics.leftOutPackets > 0)
            let code: PublishingError.Code = ending == .outOfTime ? .timedOut : .cancelled
            #expect(statistics.lastError?.code == code && statistics.lastError?.output == path)
            guard case .failed(let error) = statistics.state else {
                Issue.record("\(statistics.state)")
                return
            }
            #expect(error.code == code)
        }
    }

    @Test("an output that has written all when it is cancelled has ended")
    func nothingLeft() async throws {
        try await withTemporaryDirectory { folder in
            let broadcast = try Broadcast(tracks: [.audio], outputs: [.file(folder.path("a.aac"))])
            for packet in sound(0..<10) { try await broadcast.send(packet) }
            broadcast.end(.audio)
            #expect(await eventually { broadcast.statistics.values.contains { $0.writtenPackets == 10 } })
            broadcast.cancel()
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state == .ended && statistics.lastError == nil && statistics.leftOutPackets == 0)
        }
    }

    @Test(
        "an output that never connected has failed, with what its tries failed with, whatever it speaks",
        arguments: [true, false], [true, false])
    func neverConnected(isGiven: Bool, isFinished: Bool) async throws {
        let outputs: [Output] = try ["rtmp", "srt"].map { scheme throws(PublishingError) in
            // Nobody listens on this machine's port 1.
            var output = Output.address(try PublishAddress("\(scheme)://127.0.0.1:1/live/show"))
            output.connection.connectTimeout = .milliseconds(300)
            return output
        }
        let broadcast = try Broadcast(tracks: [.audio], outputs: outputs)
        if isGiven { for packet in sound(0..<10) { try await broadcast.send(packet) } }
        // That of RTMP waits for its next try by now, and that of SRT may be in a try.
        #expect(await eventually { broadcast.statistics.values.allSatisfy { $0.lastError != nil } })
        if isFinished { await broadcast.finish() } else { broadcast.cancel() }
        #expect(broadcast.statistics.count == 2)
        for statistics in broadcast.statistics.values {
            guard case .failed(let error) = statistics.state else {
                Issue.record("\(statistics)")
                continue
            }
            #expect(!error.code.isPermanent && error == statistics.lastError, "\(statistics)")
        }
    }

    @Test("a connection without a key frame to begin with has failed; one that was given nothing has ended")
    func neverBegan() async throws {
        let format = try TestPackets.videoFormat()
        for count in [0, 5] as [Int64] {
            let broadcast = try Broadcast(tracks: [.video])
            try await broadcast.send(TestPackets.picture(.zero, isKey: true, format: format))
            try broadcast.add(.receiver("closure", container: .annexB) { _ in })
            for number in 0..<count {
                try await broadcast.send(TestPackets.picture(.milliseconds(40 * (number + 1)), format: format))
            }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            if count == 0 {
                #expect(statistics.state == .ended && statistics.lastError == nil, "\(statistics)")
            } else {
                #expect(statistics.lastError?.code == .timedOut && statistics.state != .ended, "\(statistics)")
                #expect(statistics.lastError?.reason.contains("key frame") == true, "\(statistics)")
            }
        }
    }

    @Test("a first try that has no answer in the time to finish in has failed, each time", arguments: 0..<5)
    func firstTry(_: Int) async throws {
        let listener = SilentListener()
        let broadcast = try Broadcast(
            tracks: [.video],
            outputs: [.address(try PublishAddress("rtmp://127.0.0.1:\(listener.port)/app/stream"))])
        await broadcast.finish(within: .milliseconds(200))
        let statistics = try #require(broadcast.statistics.values.first)
        guard case .failed(let error) = statistics.state else {
            Issue.record("\(statistics)")
            return
        }
        #expect(error.code == .timedOut, "\(error)")
        withExtendedLifetime(listener) {}
    }

    @Test("a first try that is cancelled and was given nothing has ended, each time", arguments: 0..<5)
    func cancelledFirstTry(_: Int) async throws {
        let listener = SilentListener()
        let broadcast = try Broadcast(
            tracks: [.video],
            outputs: [.address(try PublishAddress("rtmp://127.0.0.1:\(listener.port)/app/stream"))])
        broadcast.cancel()
        await broadcast.finish()
        #expect(broadcast.statistics.values.first?.state == .ended)
        withExtendedLifetime(listener) {}
    }

    @Test("a time to finish in that no clock has is a year at most", arguments: [Int64.max, .max / 2, .min])
    func endlessTime(seconds: Int64) async throws {
        try await withTemporaryDirectory { folder in
            let broadcast = try Broadcast(tracks: [.audio])
            let id = try broadcast.add(.file(folder.path("a.aac")))
            await broadcast.remove(id, within: .seconds(seconds))
            await broadcast.finish(within: .seconds(seconds))
            #expect(broadcast.statistics.isEmpty)
        }
    }

    @Test("a cancelled task gives no packets, however often it tries")
    func cancelledSending() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("pipe.aac")
            mkfifo(path, 0o600)
            var output = try Output.file(path)
            output.largestQueue = 10_000
            let broadcast = try Broadcast(tracks: [.audio], outputs: [output])
            let packets = sound(0..<500)
            let task = Task {
                var codes: [PublishingError.Code?] = []
                withUnsafeCurrentTask { $0?.cancel() }
                for packet in packets {
                    do throws(PublishingError) {
                        try await broadcast.send(packet)
                        codes.append(nil)
                    } catch {
                        codes.append(error.code)
                    }
                }
                return codes
            }
            #expect(await task.value == Array(repeating: .cancelled, count: packets.count))
            #expect(broadcast.statistics.values.first?.queueBytes == 0)
            broadcast.cancel()
        }
    }
}
