// SPDX-License-Identifier: MIT

@testable import Capture
import EncoderAPI
import Glibc
import Synchronization
import TestSupport
import Testing

/// Screens of Xvfb, into which other programs draw.
@Suite(.requiresProgram("Xvfb", "xsetroot")) struct ScreenTests {
    @Test("a screen's colour is that of BT.709 in limited range")
    func color() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await XServer(in: folder, size: "64x48"))
            try await server.paint("#ff0000")
            let report = try await Probe.run(["pictures", "x11:\(server.display)", "2", "rate=10"])
            #expect(report.line("format") == "format 64x48 i420 10/1 rawvideo, bgr0")
            // Y of red: 16 + 219 x 0.2126. The pointer is some samples of another colour.
            #expect(report.pictures.count == 2 && report.pictures.allSatisfy { abs($0.mean - 62.6) < 3 })
        }
    }

    @Test("a part of a screen begins where the name says, and a size that it does not have is refused with that of it")
    func part() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await XServer(in: folder, size: "160x120"))
            let report = try await Probe.run(["pictures", "x11:\(server.display)+16,8", "1", "size=96x64"])
            #expect(report.line("format").hasPrefix("format 96x64 "))
            let refused = try await Probe.run(["pictures", "x11:\(server.display)", "1", "size=800x600"])
            #expect(refused.error?.code == "unsupported")
            #expect(
                refused.error?.text.contains("160x120") == true && refused.error?.text.contains(server.display) == true)
        }
    }

    @Test("a moving picture is captured at its pace: every interval has a frame, or one that counts as lost")
    func moving() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await XServer(in: folder, size: "64x48"))
            let player = try PeerProgram(
                "env",
                [
                    "DISPLAY=\(server.display)", "SDL_AUDIODRIVER=dummy", "ffplay", "-v", "error", "-noborder", "-f",
                    "lavfi", "-i", "color=black:size=64x48:rate=30,geq=lum='mod(N*8\\,256)':cb=128:cr=128",
                ], log: folder.path("player.log"))
            // Until the player draws.
            let isDrawn = try await eventually {
                try await Probe.run(["pictures", "x11:\(server.display)", "1"]).pictures.contains { $0.mean > 30 }
            }
            try #require(isDrawn, "\(player.output)")
            let report = try await Probe.run(["pictures", "x11:\(server.display)", "31", "durations"])
            let pictures = report.pictures
            #expect(pictures.count == 31)
            #expect(Set(pictures.map { Int($0.mean) }).count > 8, "the picture does not move")
            let span = Double((pictures.last?.time ?? 0) - (pictures.first?.time ?? 0)) / 1_000_000
            let absent = (report.statistics["lost"] ?? -1) + (report.statistics["surplus"] ?? -1)
            #expect(abs(span * 30 - Double(30 + absent)) <= 1.5, "\(span) s, \(absent) lost or left out")
            #expect(zip(pictures, report.intervals).allSatisfy { $0.duration == $1 })
        }
    }

    @Test("a server that ends in the middle is told of, by its display, when all before was given")
    func lost() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await XServer(in: folder, size: "64x48"))
            let capture = try PictureCapture(try CaptureSource("x11:\(server.display)"))
            for _ in 0..<3 { #expect(try capture.next() != nil) }
            server.end()
            var error: CaptureError?
            // What waited is given first.
            for _ in 0..<300 where error == nil {
                do throws(CaptureError) { _ = try capture.next() } catch let thrown { error = thrown }
            }
            let again = #expect(throws: CaptureError.self) { try capture.next() }
            #expect(again == error)
            #expect(
                error?.code == .lost && error?.reason.contains(server.display) == true, "\(String(describing: error))")
        }
    }

    @Test("a server that stands still does not hang a capture")
    func stuck() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await XServer(in: folder, size: "64x48"))
            var options = CaptureOptions()
            options.longestSilence = .milliseconds(300)
            let capture = try PictureCapture(try CaptureSource("x11:\(server.display)"), options)
            _ = try capture.next()
            server.pause()
            // On a thread of its own: where nothing ends the wait, the test is to fail.
            let ending = Mutex<CaptureError?>(nil)
            async let asking: Void = onThread {
                while ending.withLock({ $0 }) == nil {
                    do throws(CaptureError) {
                        if try capture.next() == nil { return }
                    } catch {
                        ending.withLock { $0 = error }
                    }
                }
            }
            #expect(await eventually { ending.withLock { $0?.code } == .timedOut })
            // Opening it takes as long as is allowed.
            options.longestOpening = .milliseconds(300)
            let opening = #expect(throws: CaptureError.self) {
                try PictureCapture(CaptureSource("x11:\(server.display)"), options)
            }
            #expect(opening?.code == .timedOut)
            server.goOn()
            capture.stop()
            try await asking
        }
    }

    @Test("a display without a server, and one that refuses, are told apart, each with its cure")
    func missing() async throws {
        try await withTemporaryDirectory { folder in
            let missing = try await Probe.run(["pictures", "x11::59535", "1"])
            #expect(missing.error?.code == "missing" && missing.error?.text.contains("Xvfb :59535") == true)
            try folder.write([UInt8](), to: "cookie")
            // Only who has a cookie may connect, and nobody has one.
            let key = folder.path("cookie")
            let cookie = String(repeating: "7", count: 32)
            try await ExternalProgram("xauth").run(["-f", key, "add", ":0", "MIT-MAGIC-COOKIE-1", cookie])
            let server = try #require(try await XServer(in: folder, ["-auth", key]))
            let refused = try await Probe.run(["pictures", "x11:\(server.display)", "1"], ["XAUTHORITY=/dev/null"])
            #expect(refused.error?.code == "forbidden", "\(refused.lines)")
            #expect(refused.error?.text.contains("xhost") == true)
            // A server that was killed leaves its socket behind.
            server.end()
            let isGone = try await eventually {
                try await Probe.run(["pictures", "x11:\(server.display)", "1"]).error?.code == "missing"
            }
            #expect(isGone)
        }
    }

    @Test("displays are listed with their sizes, and a session of Wayland with what to use instead")
    func listed() async throws {
        try await withTemporaryDirectory { folder in
            let server = try #require(try await XServer(in: folder, size: "160x120"))
            let report = try await Probe.run(
                ["devices"], ["DISPLAY=\(server.display)", "WAYLAND_DISPLAY=wayland-7", "PULSE_SERVER=unix:/nowhere"])
            #expect(report.lines.contains("device x11:\(server.display) default screen of 160x120"), "\(report.lines)")
            #expect(report.lines.contains { $0.hasPrefix("problem unsupported x11:: this session is Wayland's") })
            #expect(report.lines.contains { $0.hasPrefix("problem missing pulse:: there is no sound server") })
            #expect(report.lines.contains { $0.hasPrefix("problem missing v4l2:/dev/video0: there is no /dev/video0") })
        }
    }
}
