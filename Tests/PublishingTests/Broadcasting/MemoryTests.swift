// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

/// Memory stays flat, however long a broadcast lasts: for some minutes of media time, in thorough runs for an hour.
@Suite(.requiresNginx, .requiresProgram(.ffmpeg), .serialized) struct MemoryTests {
    /// Bytes that are allocated after each eighth of a run, as the program counts them.
    private func allocated(
        seconds: Int, in folder: TemporaryDirectory, outputs: [String], meanwhile: (PeerProgram) async throws -> Void
    ) async throws -> [Int] {
        _ = try await TestStream.make(seconds: 10, in: folder)
        let program = try PeerProgram(
            .publishProbe,
            ["memory", folder.path(TestStream.videoName), folder.path(TestStream.audioName), "\(seconds)"] + outputs,
            log: folder.path("memory.log"))
        func rows() -> [[Int]] {
            program.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        }
        let isOver = try await eventually(within: Double(seconds)) {
            try await meanwhile(program)
            return rows().count { $0.count == 2 } == 8
        }
        program.end()
        try #require(isOver, "\(program.output.suffix(300))")
        let bytes = rows().map { $0[1] }
        print("allocated over \(seconds) s of media: \(bytes)")
        return bytes
    }

    /// Expects that the second half of a run allocates no more than the first, but for what indexes need.
    ///
    /// Each of the outputs keeps up to 64 KiB that are not written yet, in memory that doubles where it has to grow,
    /// and its queue the room of the most packets that ever waited: when that shows depends on the threads.
    private func check(_ bytes: [Int], seconds: Int, outputs: Int, perHour growth: Int) {
        let allowed = growth * seconds / 3600 + 100_000 + outputs * 262_144
        let grown = (bytes[4...].max() ?? 0) - (bytes[1..<4].max() ?? 0)
        #expect(
            grown <= allowed, "\(grown) bytes more in the second half of \(seconds) s, expected \(allowed): \(bytes)")
    }

    private func measure(seconds: Int) async throws {
        try await withTemporaryDirectory { folder in
            // No container with an index grows.
            let outputs = ["a.ts", "a.flv", "a.h264", "a.aac", "hls/"].map { folder.path($0) }
            let bytes = try await allocated(seconds: seconds, in: folder, outputs: outputs) { _ in }
            check(bytes, seconds: seconds, outputs: outputs.count, perHour: 0)
        }
    }

    private func measureIndexes(seconds: Int) async throws {
        try await withTemporaryDirectory { folder in
            let outputs = ["a.mp4", "a.mkv"].map { folder.path($0) }
            let bytes = try await allocated(seconds: seconds, in: folder, outputs: outputs) { _ in }
            // One entry of each track's index for each of two fragments or clusters in a second.
            check(bytes, seconds: seconds, outputs: outputs.count, perHour: 2_000_000)
        }
    }

    private func measureServer(seconds: Int) async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            var isStopped = false
            let outputs = [server.address(), folder.path("a.ts")]
            let bytes = try await allocated(seconds: seconds, in: folder, outputs: outputs) { _ in
                // Each time that is looked, the server stops or goes on.
                isStopped.toggle()
                server.process.signal(isStopped ? SIGSTOP : SIGCONT)
            }
            server.process.signal(SIGCONT)
            // Two seconds of the stream may wait, or a connection be open, at one moment and not at another.
            check(bytes, seconds: seconds, outputs: outputs.count, perHour: 1_000_000)
            server.process.end()
        }
    }

    @Test("files and folders of five minutes") func files() async throws { try await measure(seconds: 300) }
    @Test("files with an index, of five minutes") func indexes() async throws {
        try await measureIndexes(seconds: 300)
    }
    @Test("a server that stops and goes, for five minutes", .inTurn()) func server() async throws {
        try await measureServer(seconds: 300)
    }
    @Test("files and folders of an hour", .thorough()) func thoroughFiles() async throws {
        try await measure(seconds: 3600)
    }
    @Test("files with an index, of an hour", .thorough()) func thoroughIndexes() async throws {
        try await measureIndexes(seconds: 3600)
    }
    @Test("a server that stops and goes, for an hour", .thorough()) func thoroughServer() async throws {
        try await measureServer(seconds: 3600)
    }
}
