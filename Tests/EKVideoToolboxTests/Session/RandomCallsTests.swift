// SPDX-License-Identifier: MIT

#if os(Linux)
    import TestSupport
    import Testing
    // The program is built with the tests that name it.
    import random_videotoolbox

    /// Sessions do what their model says, in a process of their own, whose registered encoders no other test meets.
    @Suite struct RandomCallsTests {
        private func run(_ count: Int, _ more: String...) async throws {
            let seed = SeededGenerator().seed >> 24
            do {
                let output = try await ExternalProgram.randomVideoToolbox.run(["\(count)", "\(seed)"] + more)
                #expect(output.text.hasSuffix("\(count) sequences, 0 failed\n"))
            } catch {
                Issue.record("\(error)")
            }
        }

        @Test("a session does what its model says, whatever calls come from one thread or four")
        func sampledPretended() async throws { try await run(Sample.of(Array(0..<2_000), least: 500).count) }

        @Test("a session of x264 does, too")
        func sampledX264() async throws { try await run(Sample.of(Array(0..<200), least: 40).count, "x264") }
    }

    extension ExternalProgram {
        fileprivate static let randomVideoToolbox: ExternalProgram = {
            let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let path = folder.prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
            return ExternalProgram((path.isEmpty ? "." : path) + "/random-videotoolbox")
        }()
    }
#endif
