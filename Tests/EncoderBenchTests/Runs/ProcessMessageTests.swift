// SPDX-License-Identifier: MIT

import Logging
import Testing

@testable import EncoderBench

@Suite struct ProcessMessageTests {
    @Test("lines of the program's log keep their level, and all others are warnings as they are")
    func lines() {
        let text = """
            encbench: warning: AverageBitRate: 2 became 1
            encbench: error: in.mkv: cannot open

            libva: error: no driver
            encbench: whatever: else
            encbench: warning
            encbench: warning: cut
            """
        let messages = ProcessMessage.lines(text, of: "encbench")
        #expect(
            messages.map(\.level) == [.warning, .error, .warning, .warning, .warning, .warning])
        #expect(
            messages.map(\.text) == [
                "AverageBitRate: 2 became 1", "in.mkv: cannot open", "libva: error: no driver",
                "encbench: whatever: else", "encbench: warning", "cut",
            ])
        #expect(ProcessMessage.lines("\n", of: "encbench").isEmpty)
    }
}
