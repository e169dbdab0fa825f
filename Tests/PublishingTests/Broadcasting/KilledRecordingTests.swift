// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// What a process that is killed in the middle leaves.
@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct KilledRecordingTests {
    /// Files that are readable without an end, each written by the same process.
    private static let names = ["left.mp4", "left.mov", "left.mkv", "left.ts", "left.flv"]

    /// Records at twice the pace of the pictures' times, kills the process after a while, and reads what is left.
    private func recordAndKill(afterPictures count: Int, in folder: TemporaryDirectory) async throws {
        let log = folder.path("given-\(count).log")
        let program = try PeerProgram(
            .publishProbe,
            ["record", folder.path(TestStream.videoName), folder.path(TestStream.audioName), "2"]
                + Self.names.map { folder.path("\(count)-\($0)") }, log: log)
        func given() -> Int { program.output.split(separator: "\n").last.flatMap { Int($0) } ?? 0 }
        let isThere = await eventually(within: 30) { given() >= count }
        program.end()
        try #require(isThere, "\(program.output.suffix(500))")
        let pictures = given()
        for name in Self.names {
            let read = try await ReadPacket.all(folder.path("\(count)-\(name)"), options: ["-select_streams", "v"])
            #expect(
                read.count >= pictures - TestStream.groupLength - 2, "\(read.count) of \(pictures) left in \(name)")
        }
    }

    @Test("of a recording that is killed at any moment, all is left but a group of pictures and two")
    func sampledMoments() async throws {
        var generator = SeededGenerator()
        let moments = (0..<20).map { _ in Int.random(in: 20...120, using: &generator) }
        try await withTemporaryDirectory { folder in
            _ = try await TestStream.make(in: folder)
            for count in Set(Sample.of(moments, least: 3)) {
                try await recordAndKill(afterPictures: count, in: folder)
            }
        }
    }
}
