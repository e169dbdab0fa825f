// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import Publishing

@Suite struct OutputTests {
    /// One field with a value out of its range, and what the refusal names.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var change: @Sendable (inout Output) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout Output) -> Void) {
            self.name = name
            self.change = change
        }

        var testDescription: String { name }
    }

    static let rows = [
        Row("no delays between tries, expected one or more") { $0.retries.delays = [] },
        Row("a delay of -1.0 seconds between tries, expected 1 ms") {
            $0.retries.delays = [.seconds(1), .seconds(-1)]
        },
        Row("a delay of 0.0 seconds") { $0.retries.delays = [.zero] },
        Row("a delay of 9.22") { $0.retries.delays = [.seconds(Int64.max)] },
        Row("jitter nan, expected 0...10") { $0.retries.jitter = .nan },
        Row("jitter -1.0") { $0.retries.jitter = -1 },
        Row("jitter inf") { $0.retries.jitter = .infinity },
        Row("jitter 10.5") { $0.retries.jitter = 10.5 },
        Row("0 failures at most, expected 1 or more") { $0.retries.maximumFailures = 0 },
        Row("-1 failures at most") { $0.retries.maximumFailures = -1 },
        Row("a steady time of -1.0 seconds, expected 0 to a day") { $0.retries.steadyTime = .seconds(-1) },
        Row("a steady time of 9.22") { $0.retries.steadyTime = .seconds(Int64.max) },
        Row("connect timeout 0.0 seconds") { $0.connection.connectTimeout = .zero },
        Row("connect timeout 9.22") { $0.connection.connectTimeout = .seconds(Int64.max) },
        Row("write timeout -1.0 seconds") { $0.connection.writeTimeout = .seconds(-1) },
        Row("close timeout 7200.0 seconds, expected above 0, 3600 s at most") {
            $0.connection.closeTimeout = .seconds(7200)
        },
        Row("send buffer of 4095 bytes") { $0.connection.sendBufferSize = 4095 },
        Row("certificates in \"/nonexistent\", expected a file that can be read") {
            $0.connection.certificateFile = "/nonexistent"
        },
        Row("certificates in \"\"") { $0.connection.certificateFile = "" },
        Row("certificates in ") { $0.connection.certificateFile = "/dev/null\0" },
        Row("a passphrase of 9 characters, expected 10...79") { $0.connection.passphrase = "123456789" },
        Row("a queue of 0/1 s and 4194304 bytes, expected above 0") { $0.longestQueue = .zero },
        Row("and 0 bytes, expected above 0") { $0.largestQueue = 0 },
        Row("timescale 0, expected 1 or more") { $0.containerOptions.videoTimescale = 0 },
        Row("rotation 45, expected 0, 90, 180 or 270") { $0.containerOptions.rotation = 45 },
    ]

    @Test("a value out of its range is refused, with the output, the value and the range", arguments: rows)
    func ranges(row: Row) throws {
        var output = Output.address(try PublishAddress("srt://127.0.0.1:9"))
        try output.check()
        row.change(&output)
        let error = #expect(throws: PublishingError.self) { try output.check() }
        #expect(error?.code == .invalidValue && error?.output == "srt://127.0.0.1:9")
        #expect(error?.reason.contains(row.name) == true, "\(error?.reason ?? "")")
    }

    @Test("the ends of the ranges are legal, and the longest wait is a time that the clock has")
    func ends() throws {
        var output = Output.address(try PublishAddress("srt://127.0.0.1:9"))
        output.retries.delays = [.milliseconds(1), .seconds(86_400)]
        output.retries.jitter = 10
        output.retries.maximumFailures = 1
        output.retries.steadyTime = .zero
        output.connection.connectTimeout = .seconds(3600)
        output.longestQueue = MediaTime(value: .max, timescale: .max)
        output.largestQueue = .max
        try output.check()
        #expect(output.retries.delay(afterFailures: .max, random: 1) > .seconds(86_400 * 11 - 1))
        #expect(output.retries.delay(afterFailures: 1, random: 0) == .milliseconds(1))
    }

    @Test("a path that is empty or has a zero byte is refused", arguments: ["", "a\0.ts"])
    func paths(path: String) throws {
        for output in [try Output.file(path, container: .flv), .segments(SegmentFolder(path: path))] {
            let error = #expect(throws: PublishingError.self) { try output.check() }
            #expect(error?.code == .invalidValue)
        }
    }
}
