// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import TestSupport
import Testing

@testable import encpublish

/// A screen and a sound card recorded together, in real time, beside a clock that is shown and heard.
@Suite(.requiresPrograms(ScreenClock.programs + [.ffmpeg, .ffprobe]), .serialized) struct OneClockTests {
    /// How long is recorded: ten minutes in a long run.
    private static let seconds = Sample.depth() == .usual ? 6 : Sample.depth() == .thorough ? 40 : 600

    @Test(
        "pictures and sound are within 20 ms in every file and at a server, and every frame is there or counted",
        .inTurn())
    func together() async throws {
        try await withTemporaryDirectory { folder in
            let screen = try #require(try await XServer(in: folder, size: ScreenClock.size))
            let card = try #require(try await PulseServer(in: folder))
            let clock = try #require(try await ScreenClock(on: screen.display, card, in: folder))
            let port = freePort()
            let server = try PeerProgram(
                .ffmpeg,
                [
                    "-v", "error", "-f", "flv", "-listen", "1", "-i", "rtmp://127.0.0.1:\(port)/live/x", "-c", "copy",
                    "-y", folder.path("server.flv"),
                ], log: folder.path("server.log"))
            #expect(await eventually { isListened(at: port) }, "\(server.output)")
            let files = ["a.asf", "a.mp4", "a.mkv"].map { folder.path($0) }
            let program = try PeerProgram(
                "env",
                [
                    card.variable, PublishProgram.path, "--input", "x11:\(screen.display)", "--sound",
                    "pulse:cap.monitor", "--preset", "ultrafast", "--duration", "\(Self.seconds)", "--json",
                    folder.path("r.json"), "--to", "rtmp://127.0.0.1:\(port)/live/x",
                ] + files.flatMap { ["--to", $0] }, log: folder.path("log"))
            let status = await program.exitStatus(within: Double(Self.seconds) + 3 * Patience.seconds)
            try #require(status == 0, "\(program.output)")
            #expect(await server.exitStatus(within: Patience.seconds) == 0, "\(server.output)")
            // What the last pictures show is told of a little later.
            let end = try #require(try clock.account.drawn.last).until + 200_000
            #expect(try await eventually { try clock.account.drawn.last.map { $0.until > end } ?? false })
            let account = try clock.account
            let report = try JSONDecoder().decode(PublishReport.self, from: Data(folder.read("r.json")))
            for path in files + [folder.path("server.flv")] {
                let recording = try await ClockRecording(path, account)
                // A server is left out what came before it was connected.
                let isFile = path != folder.path("server.flv")
                let missing = report.pictures - recording.pictures.count - recording.unreadable
                #expect(isFile ? missing == 0 : (0...30).contains(missing), "\(path): \(missing) of \(report.pictures)")
                #expect(recording.unreadable <= report.pictures / 50, "\(path): \(recording.unreadable) show no time")
                let offsets = recording.offsets
                try #require(offsets.count >= Self.seconds / 2, "\(path): \(recording.beeps)")
                let (least, most) = (offsets.map(\.lowerBound).min() ?? .nan, offsets.map(\.upperBound).max() ?? .nan)
                print("\(path): sound behind pictures by \(Format.fixed(least, 1)) to \(Format.fixed(most, 1)) ms")
                // Beside other tests a server may hold up a picture or a piece of sound, which the first and the last
                // quarter have then; a long run has the machine to itself.
                let (low, high) = (offsets.map(\.lowerBound).sorted(), offsets.map(\.upperBound).sorted())
                let apart = Sample.depth() == .long ? 0 : offsets.count / 4
                #expect(low[apart] > -20 && high[high.count - 1 - apart] < 20, "\(path): \(least) to \(most) ms")
            }
            // What did not come and what is left out is told of in notes that begin with the number.
            let absent = report.notes.compactMap { note -> Int? in
                guard note.contains("frames"),
                    let number = note.split(separator: ": ").last?.split(separator: " ").first
                else { return nil }
                return Int(number)
            }
            // The library's interval is 33,333 µs.
            let due = Int((report.mediaSeconds / 0.033333).rounded()) + 1
            #expect(abs(report.pictures + absent.reduce(0, +) - due) <= 1, "\(report.pictures), \(absent), \(due) due")
        }
    }
}
