// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import FoundationEssentials
import Glibc
import MediaFiles
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// Clips are decoded before clocks start: by the process that starts those of the encodes.
@Suite struct SharedClipsTests {
    /// The first point of the bundled clip's first pictures.
    private func point(_ path: String, frames: Int = 3) async throws -> PointSpec {
        let options = try PlanCommand.parse([path, "--qp", "30", "--preset", "ultrafast", "--frames", "\(frames)"])
        return try #require(try await options.study(logger: .silent).points.first)
    }

    private var bundled: String { get throws { try BundledClip.path(executable: CommandLineTool.encbench.name) } }

    @Test("pictures and times that another process decoded are those of the file")
    func places() async throws {
        let point = try await point(try bundled, frames: 5)
        let clips = SharedClips()
        let place = try #require(try clips.sharing(of: point).place)
        // With the times that the file's own were rounded from.
        let (copy, original) = (try DecodedClip(at: place).open(), try point.open())
        for _ in 0..<5 {
            let (left, right) = (try #require(try copy.next()), try #require(try original.next()))
            #expect(left.presentationTime == right.presentationTime && left.duration == right.duration)
            let pair = try PicturePair(source: right.picture, decoded: left.picture)
            for plane in 0..<3 { #expect(pair.measure(MeanSquaredError(), plane: plane) == 0) }
        }
        // One more tells that there are more.
        #expect(try copy.next() != nil && copy.next() == nil)
        var fewer = point
        fewer.work.frameLimit = 2
        #expect(try clips.sharing(of: fewer).place == place)
        fewer.work.frameLimit = 6
        let longer = try #require(try clips.sharing(of: fewer).place)
        #expect(try DecodedClip(at: longer).count == 7)
    }

    @Test("a process that takes times decodes nothing: the file itself may be gone", arguments: ["timed", "delay"])
    func decodedBefore(kind: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(try WholeFile.read(try bundled), to: "in.mkv")
            let point = try await point(path)
            let clips = SharedClips()
            let words = try [JSONDocument.canonicalBytes(point), JSONDocument.canonicalBytes(clips.sharing(of: point))]
                .map { String(decoding: $0, as: UTF8.self) }
            try await ExternalProgram("rm").run([path])
            let output = try await CommandLineTool.encbench.run(["run-alone", kind, "{}"] + words)
            #expect(output.text.contains("\"frames\":3"), "\(output.text)")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["run-alone", kind, "{}", words[0]])
            }
            #expect(error?.standardError.contains("in.mkv") == true)
            // Kept until here, for the process to find.
            #expect(try clips.sharing(of: point).place != nil)
        }
    }

    @Test("where no other process decoded the clip, it is decoded before the clock starts: the file may be gone then")
    func clock() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(try WholeFile.read(try bundled), to: "in.mkv")
            let point = try await point(path)
            var readings = 0
            let result = try await TimedRun().result(of: point, in: RunContext(logger: .silent)) {
                readings += 1
                // Whoever has opened the file finds nothing more in it either.
                if readings == 1 { truncate(path, 0) }
                return ResourceUsage(wallSeconds: Double(readings), cpuSeconds: 100)
            } progress: {
            }
            #expect(readings == 2 && result?.frames == 3 && result?.wallSeconds == 1)
        }
    }

    @Test(
        "where there is no room for the decoded clip its encodes say so, and those of Y4M, which has no codec, do not")
    func noRoom() async throws {
        let point = try await point(try bundled)
        #expect(try SharedClips(byteLimit: 1000).sharing(of: point) == SharedClips.Sharing())
        let small = RunContext(clips: DecodedClips(knowing: nil, of: point), logger: .silent)
        #expect(try await TimedRun().result(of: point, in: small) {}?.isDecodedMeanwhile == true)
        #expect(try await TimedRun().result(of: point, in: RunContext(logger: .silent)) {}?.isDecodedMeanwhile == nil)
        try await withTemporaryDirectory { folder in
            let plain = try await self.point(try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m"))
            #expect(try SharedClips().sharing(of: plain) == SharedClips.Sharing())
            let context = RunContext(clips: DecodedClips(knowing: nil, of: plain), logger: .silent)
            #expect(try await TimedRun().result(of: plain, in: context) {}?.isDecodedMeanwhile == nil)
        }
    }

    @Test("an end that is asked for ends the decoding")
    func interruption() async throws {
        let event = OneShotEvent()
        event.signal()
        let point = try await point(try bundled)
        #expect(throws: Interrupted.self) { try SharedClips(interruption: event).sharing(of: point) }
    }
}
