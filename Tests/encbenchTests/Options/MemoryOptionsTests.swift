// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct MemoryOptionsTests {
    @Test("bytes have the usual units, and what is out of range is refused by its range")
    func values() throws {
        #expect(try OptionParsing.memory("64Mi") == 64 << 20 && OptionParsing.memory("2G") == 2_000_000_000)
        for text in ["0", "-1", "67108863", "1000000000001", "9223372036854775807", "99999999999999999999Gi"] {
            let error = #expect(throws: OptionError.self) { try OptionParsing.memory(text) }
            #expect(
                error?.description == "'\(text)' is out of range, expected 67108864...1000000000000 bytes",
                "\(error?.description ?? "")")
        }
        for text in ["", "much", "1.5", "0x40000000", "1e9", " 1G", "1GiB", "nan", "inf", "１Gi"] {
            let error = #expect(throws: OptionError.self) { try OptionParsing.memory(text) }
            #expect(error?.description.hasSuffix("expected 67108864...1000000000000 bytes") == true)
        }
    }

    @Test("each command that encodes several at a time takes it, and names it where it refuses")
    func commands() throws {
        #expect(try CompareCommand.parse(["--memory", "1Gi"]).memory.budget.bytes == 1 << 30)
        #expect(try TargetCommand.parse(["--psnr", "40", "--memory", "1Gi"]).memory.budget.bytes == 1 << 30)
        #expect(try RateCommand.parse(["--memory", "1Gi"]).memory.budget.bytes == 1 << 30)
        #expect(try KeyFramesCommand.parse(["--memory", "1Gi"]).memory.budget.bytes == 1 << 30)
        let error = #expect(throws: (any Error).self) { try CompareCommand.parse(["--memory", "1k"]) }
        let message = error.map { CompareCommand.message(for: $0) } ?? ""
        #expect(message.contains("--memory") && message.contains("67108864...1000000000000"), "\(message)")
    }
}
