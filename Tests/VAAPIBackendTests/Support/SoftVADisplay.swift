// SPDX-License-Identifier: MIT

import Glibc
import SoftVA
import Synchronization
import Testing
import VAAPIBackend

/// Tests that encode on softva, one at a time: what it imitates and counts belongs to the process.
@Suite(.serialized) struct SoftVATests {}

/// An open display on softva, as a program would have one.
struct SoftVADisplay: ~Copyable {
    private let raw: UnsafeMutableRawPointer

    /// Opens a display that imitates a driver, and forgets what was counted before.
    init(_ personality: String = "strict", faults: String? = nil) throws {
        try #require(softva_set_personality(personality) == 0, "\(personality) is no personality")
        try #require(softva_set_fault(faults) == 0, "\(faults ?? "") are no faults")
        softva_reset()
        raw = try #require(softva_display_open())
    }

    deinit {
        // A session that was ended lets its encoder go on its own thread, which needs the display until then.
        for _ in 0..<1000 where softva_count(SOFTVA_OBJECTS) > 0 { usleep(5000) }
        softva_display_close(raw)
        softva_set_fault(nil)
        softva_set_personality(nil)
    }

    /// The display as a device of the program's.
    var device: VADevice { .display(raw, name: "soft") }

    /// What softva noted.
    private static var report: String {
        String(
            decoding: [UInt8](unsafeUninitializedCapacity: 1 << 14) { bytes, count in
                count = min(
                    bytes.count - 1,
                    bytes.withMemoryRebound(to: CChar.self) { softva_report($0.baseAddress, $0.count) })
            }, as: UTF8.self)
    }

    /// Closes the display and expects that nothing was left open, misused or wrong.
    consuming func expectClean(sourceLocation: SourceLocation = #_sourceLocation) {
        close()
        let text = Self.report
        for kind in [SOFTVA_VIOLATIONS, SOFTVA_MISUSES, SOFTVA_LEAKS] {
            #expect(softva_count(kind) == 0, "\(text)", sourceLocation: sourceLocation)
        }
    }

    /// Closes the display and expects that nothing was left open or misused though faults struck.
    ///
    /// Pictures that the driver has refer to one that fails behind their backs, which it notes as violations. A picture
    /// whose buffers are refused is never ended, which it notes when the context goes.
    consuming func expectUsedWell(sourceLocation: SourceLocation = #_sourceLocation) {
        close()
        let text = Self.report
        let excused = "misuse vaDestroyContext: a picture was begun and not ended"
        let misuses = text.split(separator: "\n").filter { line in
            line.hasPrefix("misuse") && !(line.hasPrefix(excused) && text.contains("fault render"))
        }
        #expect(misuses.isEmpty && softva_count(SOFTVA_LEAKS) == 0, "\(text)", sourceLocation: sourceLocation)
    }

    private consuming func close() {}

    /// Expects that nothing was misused or wrong and nothing stays, and leaves the display open: a session that was
    /// ended before its encoder opened may still come to it.
    consuming func expectQuiet(sourceLocation: SourceLocation = #_sourceLocation) {
        for _ in 0..<2000 where softva_count(SOFTVA_OBJECTS) > 0 { usleep(5000) }
        softva_set_fault(nil)
        softva_set_personality(nil)
        let text = Self.report
        for kind in [SOFTVA_VIOLATIONS, SOFTVA_MISUSES, SOFTVA_OBJECTS] {
            #expect(softva_count(kind) == 0, "\(text)", sourceLocation: sourceLocation)
        }
        Self.left.withLock { $0.append(UInt(bitPattern: raw)) }
        discard self
    }

    /// Displays that were left open: held, so that they are no leak.
    private static let left = Mutex<[UInt]>([])
}
