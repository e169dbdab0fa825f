// SPDX-License-Identifier: MIT

@testable import Capture
import Glibc
import Testing

@Suite struct DeviceFaultTests {
    private struct Row: CustomTestStringConvertible {
        var name: String
        var fault: DeviceFault
        var code: CaptureError.Code
        var words: [String]
        var testDescription: String { name }

        init(
            _ name: String, _ source: String, code: CaptureError.Code, words: [String],
            _ set: (inout DeviceFault) -> Void = { _ in }
        ) throws {
            (self.name, self.code, self.words) = (name, code, words)
            fault = DeviceFault(source: try CaptureSource(source))
            set(&fault)
        }
    }

    private static func rows() throws -> [Row] {
        let noDisplay = "Cannot open display :9, error 1."
        return [
            try Row("no server", "x11::9", code: .missing, words: [":9", "Xvfb :9", "package xvfb", "DISPLAY"]) {
                ($0.display, $0.text) = (":9", noDisplay)
            },
            try Row("no server, Wayland", "x11::9", code: .missing, words: [":9", "Xorg"]) {
                ($0.display, $0.text, $0.surroundings.waylandDisplay) = (":9", noDisplay, "wayland-0")
            },
            try Row("forbidden display", "x11::9", code: .forbidden, words: [":9", "xhost", "XAUTHORITY"]) {
                ($0.display, $0.text, $0.surroundings.answering) = (":9", noDisplay, ["/tmp/.X11-unix/X9"])
            },
            try Row("too large", "x11::9", code: .unsupported, words: [":9", "outside the screen size 640x360"]) {
                ($0.display, $0.number) = (":9", EINVAL)
                $0.text = "Capture area 800x600 at position 0.0 outside the screen size 640x360"
            },
            try Row("no node", "v4l2:3", code: .missing, words: ["/dev/video3", "encpublish devices"]) {
                $0.number = ENOENT
            },
            try Row("group", "v4l2:", code: .forbidden, words: ["/dev/video0", "usermod -aG video"]) {
                $0.number = EACCES
            },
            try Row("busy", "v4l2:", code: .busy, words: ["/dev/video0", "fuser"]) { $0.number = EBUSY },
            try Row("no camera", "v4l2:/dev/null", code: .unsupported, words: ["/dev/null"]) { $0.number = ENOTTY },
            try Row("no sound server", "pulse:", code: .missing, words: ["pulseaudio --start", "PULSE_SERVER"]),
            try Row(
                "no such source", "pulse:mic", code: .missing,
                words: ["'mic'", "a.monitor", "group", "pactl"].filter { $0 != "group" }
            ) {
                $0.soundSources = ["a.monitor"]
            },
            try Row("no card", "pulse:", code: .missing, words: ["usermod -aG audio", "module-null-sink"]) {
                $0.soundSources = []
            },
            try Row("graph", "lavfi:x", code: .invalidValue, words: ["No such filter", "lavfi:testsrc2"]) {
                $0.text = "No such filter: 'x'"
            },
        ]
    }

    @Test("a device that cannot be opened is named, with the cure")
    func openings() throws {
        for row in try Self.rows() {
            let error = row.fault.opening
            #expect(error.code == row.code, "\(row.name): \(error)")
            #expect(error.description.hasPrefix("\(row.fault.source): "))
            for word in row.words { #expect(error.reason.contains(word), "\(row.name): \(error.reason)") }
        }
    }

    @Test("a device that goes away is named, with the cure", arguments: ["x11::9", "v4l2:", "pulse:"])
    func endings(name: String) throws {
        let error = DeviceFault(source: try CaptureSource(name), number: ENODEV, display: ":9").ending
        #expect(error.code == .lost && error.status == Int(ENODEV))
        #expect(error.reason.contains("is gone"))
    }

    @Test("a library's status stands where there is no errno, and none where there is neither")
    func statuses() throws {
        let source = try CaptureSource("v4l2:")
        #expect(DeviceFault(source: source).ending.status == nil)
        #expect(DeviceFault(source: source, status: -541_478_725).ending.status == -541_478_725)
    }

    @Test("what a library or device says reaches a terminal as one line without its control characters")
    func hostileText() {
        let text = DeviceText.oneLine("a\u{1B}[2Jb\r\nc\u{0}" + String(repeating: "x", count: 1000))
        #expect(text.count == 400 && text.hasPrefix("a?[2Jb; c?"))
    }
}
