// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderAPI
import MediaFiles
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct DecodedClipsTests {
    private func point(_ path: String, frames: Int? = nil) -> PointSpec {
        var point = Studies.study().points[0]
        point.path = path
        point.work.frameLimit = frames
        return point
    }

    private func expectEqual(_ copy: any VideoSource, _ original: any VideoSource, limit: Int = .max) throws {
        #expect(copy.info == original.info)
        for _ in 0..<limit {
            let (left, right) = (try copy.next(), try original.next())
            #expect(left?.presentationTime == right?.presentationTime && left?.duration == right?.duration)
            guard let left, let right else {
                #expect(left == nil && right == nil)
                return
            }
            let pair = try PicturePair(source: right.picture, decoded: left.picture)
            for plane in 0..<3 { #expect(pair.measure(MeanSquaredError(), plane: plane) == 0) }
        }
    }

    @Test("pictures and times are those of the file, to its end and for two readers at once")
    func equal() async throws {
        let path = try BundledClip.path(executable: CommandLineTool.encbench.name)
        let clips = DecodedClips()
        let clip = try #require(await clips.clip(of: point(path)))
        let second = try clip.open()
        _ = try second.next()
        try expectEqual(try clip.open(), try VideoInput.open(path: path))
        #expect(try second.next()?.presentationTime.seconds ?? 0 > 0)
    }

    @Test("of a clip that is used in part there is one picture more, which tells that it is cut")
    func limit() async throws {
        let path = try BundledClip.path(executable: CommandLineTool.encbench.name)
        let clip = try #require(await DecodedClips().clip(of: point(path, frames: 3)))
        let source = try clip.open()
        try expectEqual(source, try VideoInput.open(path: path), limit: 4)
        #expect(try source.next() == nil)
    }

    @Test("files without a codec, too long ones and those that cannot be opened are read themselves")
    func refusals() async throws {
        let bundled = try BundledClip.path(executable: CommandLineTool.encbench.name)
        #expect(await DecodedClips(byteLimit: 1_000_000).clip(of: point(bundled)) == nil)
        try await withTemporaryDirectory { folder in
            let plain = try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            #expect(await DecodedClips().clip(of: point(plain)) == nil)
            #expect(await DecodedClips().clip(of: point(folder.path("missing"))) == nil)
        }
    }
}
