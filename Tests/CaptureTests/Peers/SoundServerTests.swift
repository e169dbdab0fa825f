// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

/// PulseAudio with a card that is none, in real time.
@Suite(.requiresProgram("pulseaudio", "pactl", .ffmpeg)) struct SoundServerTests {
    @Test("what is played on a card is captured, at its level and at the pace of its clock", .inTurn())
    func tone() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await PulseServer(in: folder))
            let player = try server.play("sine=frequency=1000:sample_rate=48000,volume=4", in: folder)
            defer { player.end() }
            // Until the player is heard.
            let isHeard = try await eventually {
                let report = try await Probe.run(["sound", "pulse:cap.monitor", "4800"], [server.variable])
                return report.sounds.last.map { $0.level > 0.3 } ?? false
            }
            try #require(isHeard, "\(player.output)")
            let report = try await Probe.run(["sound", "pulse:cap.monitor", "48000"], [server.variable])
            let sounds = report.sounds
            // The amplitude is a half: libavfilter's sine is an eighth.
            let power = sounds.reduce(0) { $0 + $1.level * $1.level * Double($1.frames) }
            let level = (power / Double(sounds.reduce(0) { $0 + $1.frames })).squareRoot()
            #expect(abs(level - 0.3535) < 0.02, "\(level)")
            #expect(zip(sounds.dropFirst(), sounds).allSatisfy { $0.time > $1.time })
            let span = Double((sounds.last?.time ?? 0) - (sounds.first?.time ?? 0)) / 1_000_000
            let counted = Double(sounds.dropLast().reduce(0) { $0 + $1.frames }) / 48_000
            #expect(abs(span - counted) < 0.05, "\(span) s by stamps, \(counted) s by samples")
        }
    }

    @Test("a server that ends, or stands still, ends the capture with an error that names the cure", .inTurn())
    func lost() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await PulseServer(in: folder))
            let path = folder.path("probe.log")
            let probe = try PeerProgram(
                "env", [server.variable, Probe.path, "sound", "pulse:cap.monitor", "100000000"], log: path)
            #expect(await eventually { probe.output.contains("sound ") || probe.output.contains("error ") })
            server.end()
            #expect(
                await eventually { probe.output.contains("error lost pulse:cap.monitor") },
                "\(probe.output.suffix(300))")
            #expect(probe.output.contains("pulseaudio --start"))
        }
    }

    @Test("a missing server, source and card are told apart, each with its cure")
    func missing() async throws {
        try await withTemporaryDirectory { folder in
            let without = try await Probe.run(["sound", "pulse:", "1"], ["PULSE_SERVER=unix:\(folder.path("none"))"])
            #expect(without.error?.code == "missing" && without.error?.text.contains("no sound server") == true)
            let server = try #require(try await PulseServer(in: folder))
            let source = try await Probe.run(["sound", "pulse:microphone", "1"], [server.variable])
            #expect(source.error?.code == "missing", "\(source.lines)")
            #expect(source.error?.text.contains("it has cap.monitor") == true, "\(source.lines)")
        }
        try await withTemporaryDirectory { folder in
            let bare = try #require(try await PulseServer(in: folder, hasCard: false))
            let card = try await Probe.run(["devices"], [bare.variable])
            #expect(
                card.lines.contains { $0.hasPrefix("problem missing pulse:") && $0.contains("audio") }, "\(card.lines)")
        }
    }

    @Test("sources are listed by the names that they are captured by")
    func listed() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await PulseServer(in: folder))
            let report = try await Probe.run(["devices"], [server.variable])
            #expect(
                report.lines.contains { $0.hasPrefix("device pulse:cap.monitor default Monitor of") }, "\(report.lines)"
            )
        }
    }
}
