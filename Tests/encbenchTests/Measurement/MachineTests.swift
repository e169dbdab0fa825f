// SPDX-License-Identifier: MIT

import CommandOptions
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct MachineTests {
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
