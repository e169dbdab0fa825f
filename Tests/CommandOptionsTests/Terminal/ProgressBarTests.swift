// SPDX-License-Identifier: MIT

import Testing

@testable import CommandOptions

@Suite struct ProgressBarTests {
    private func line(done: Int = 60, total: Int? = 120, seconds: Double = 2, width: Int = .max) -> String {
        ProgressBar.line(done: done, total: total, unit: "frames", label: "x264", seconds: seconds, width: width)
    }

    @Test("a bar shows work, speed and what is left")
    func line() {
        #expect(line() == "[##########          ] 60/120 frames  30.0 frames/s  2 s left  x264")
        #expect(line(done: 5, total: nil, seconds: 0) == "5 frames  0.0 frames/s  x264")
    }

    @Test("it fits any width, and says what is left as long as there is room", arguments: 0...80)
    func widths(width: Int) {
        let line = line(width: width)
        #expect(line.count <= width)
        #expect(width < 30 || line.contains("60/120 frames") && line.contains("2 s left"), "\(line)")
    }
}
