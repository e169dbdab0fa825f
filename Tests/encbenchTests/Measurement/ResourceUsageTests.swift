// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import encbench

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

    @Test("the processor is named by the first model name")
    func processor() {
        let text = "processor\t: 0\nmodel name\t: Some CPU: 3\nmodel name\t: Other\n"
        #expect(Machine.processor(cpuinfo: text) == "Some CPU: 3")
        #expect(Machine.processor(cpuinfo: "flags: x") == nil)
        #expect(Machine.current().threads >= 1)
        #expect(Machine.threads(status: "Name:\tx\nCpus_allowed:\tff,00000003\nCpus_allowed_list:\t0-1\n") == 10)
        #expect(Machine.threads(status: "Name:\tx\n") == nil)
        #expect(Machine.jobs(threadsEach: nil) == 1 && Machine.jobs(threadsEach: 1000) == 1)
        #expect(Machine.jobs(threadsEach: 1) == Machine.current().threads)
    }

    @Test("threads are those that this process may run on, not all that the machine has")
    func affinity() async throws {
        let found = try await ExternalProgram("taskset").run([
            "-c", "0", CommandLineTool.encbench.name, "probe", "--json", "-",
        ])
        #expect(found.text.contains("\"threads\" : 1"), "\(found.text.suffix(400))")
    }
}
