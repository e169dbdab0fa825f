// SPDX-License-Identifier: MIT

import CommandOptions
import TestSupport
import Testing

@testable import EncoderBench

struct ChildProcessTests {
    @Test("a program's peak memory is told where it is above that of the one that starts it")
    func peakMemory() throws {
        let own = try #require(ResourceUsage.peakResidentBytes())
        let bytes = own + 100_000_000
        // dd has one buffer of that size, and fills it.
        let large = try ChildProcess.run(
            "dd", ["if=/dev/zero", "of=/dev/null", "bs=\(bytes)", "count=1", "status=none"], reading: false)
        #expect(large.status == 0)
        let peak = try #require(large.peakResidentBytes)
        #expect((bytes...bytes + 20_000_000).contains(peak))
        #expect(try ChildProcess.run("true", [], reading: false).peakResidentBytes == nil)
    }
}
