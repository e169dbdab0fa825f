// SPDX-License-Identifier: MIT

import Testing

@testable import CommandOptions

@Suite struct ResourceUsageTests {
    @Test("both clocks run forward while work is done")
    func clocks() {
        let start = ResourceUsage.now()
        var sum: UInt64 = 1
        while (ResourceUsage.now() - start).cpuSeconds < 0.02 { sum = sum &* 31 &+ 7 }
        let used = ResourceUsage.now() - start
        #expect(used.wallSeconds > 0 && used.cpuSeconds >= 0.02 && sum != 1)
    }

    @Test(
        "peak memory is read from the kernel's line in KiB",
        arguments: [
            ("Name:\tx\nVmPeak:\t 9 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n", 1_263_616), ("VmHWM:\tmuch kB\n", nil),
            ("VmHWM:\t5 MB", nil), ("", nil),
        ] as [(String, Int?)])
    func peakMemory(status: String, bytes: Int?) {
        #expect(ResourceUsage.peakResidentBytes(status: status) == bytes)
    }

    @Test("this process has a peak of a megabyte or more")
    func ownPeak() throws {
        #expect(try #require(ResourceUsage.peakResidentBytes()) > 1 << 20)
    }
}
