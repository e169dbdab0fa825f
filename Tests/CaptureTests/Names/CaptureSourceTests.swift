// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

@Suite struct CaptureSourceTests {
    @Test(
        "a source's name says its kind and its place",
        arguments: [
            ("x11:", CaptureSource.Kind.x11, ""), ("x11::77", .x11, ":77"), ("X11::0.1+10,20", .x11, ":0.1+10,20"),
            ("x11:host:1", .x11, "host:1"), ("v4l2:", .v4l2, "/dev/video0"), ("v4l2:2", .v4l2, "/dev/video2"),
            ("v4l2:/dev/v4l/by-id/a:b", .v4l2, "/dev/v4l/by-id/a:b"), ("pulse:", .pulse, ""),
            ("pulse:cap.monitor", .pulse, "cap.monitor"), ("lavfi:testsrc2=rate=30", .lavfi, "testsrc2=rate=30"),
            ("lavfi:sine[out0]:a", .lavfi, "sine[out0]:a"),
        ] as [(String, CaptureSource.Kind, String)])
    func named(text: String, kind: CaptureSource.Kind, place: String) throws {
        let source = try CaptureSource(text)
        #expect(source.kind == kind && source.place == place)
        #expect(CaptureSource.isNamed(by: text))
        #expect(try CaptureSource(source.description) == source)
    }

    @Test(
        "what names no source is refused, with what would",
        arguments: [
            "", "x11", "film.mp4", "x12::0", "x11:0", "x11::", "x11::-1", "x11::0.", "x11::0.0.0", "x11::99999",
            "x11::0+1", "x11::0+1,", "x11::0+1,2,3", "x11::0+-1,2", "x11::0+70000,0", "x11: :0", "x11::0\n",
            "v4l2:256", "v4l2:-1", "v4l2:+3", "v4l2:٣", "v4l2:video0", "pulse:a b", "pulse:\u{1B}[31m", "lavfi:",
            "alsa:hw", "a\0:b",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: CaptureError.self) { try CaptureSource(text) }
        #expect(error?.code == .invalidValue)
        #expect(error?.reason.contains("expected") == true, "\(error?.reason ?? "")")
    }

    @Test(
        "screens of Wayland are refused by name, with what to use instead",
        arguments: ["wayland:", "wayland", "portal:", "pipewire:42", "PipeWire:", "kmsgrab:"])
    func wayland(text: String) {
        let error = #expect(throws: CaptureError.self) { try CaptureSource(text) }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("Wayland") == true && error?.reason.contains("x11::9") == true)
    }

    @Test("a display of the environment is taken only where no Wayland session has the screen")
    func environment() throws {
        let source = try CaptureSource("x11:")
        var around = Surroundings()
        #expect(throws: CaptureError.self) { try around.displayName(ScreenName(""), source) }
        around.display = ":5"
        #expect(try around.displayName(ScreenName("+1,2"), source) == ":5")
        around.waylandDisplay = "wayland-0"
        let error = #expect(throws: CaptureError.self) { try around.displayName(ScreenName(""), source) }
        #expect(error?.code == .unsupported && error?.reason.contains("wayland-0") == true)
        #expect(try around.displayName(ScreenName(":5"), source) == ":5")
    }

    @Test("no text, however random, does more than be refused")
    func random() {
        var random = SeededGenerator()
        let letters = Array("x11:v4l2pulsefi0.9+,-/ \u{0}\n=é")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0..<24, using: &random)).map { _ in letters.randomElement(using: &random) ?? "x" })
            guard let source = try? CaptureSource(text) else { continue }
            #expect((try? CaptureSource(source.description)) == source, "\(text)")
        }
    }
}
