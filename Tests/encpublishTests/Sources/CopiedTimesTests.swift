// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import encpublish

/// When the pictures of a copy are shown, of clips that other programs made.
@Suite struct CopiedTimesTests {
    /// A clip of 45 pictures with a tone.
    struct Clip: CustomTestStringConvertible, Sendable {
        var codec: String
        var bPictures: Int
        var isPyramid = false
        /// Pictures at uneven distances.
        var isUneven = false

        var testDescription: String {
            "\(codec) \(bPictures) B\(isPyramid ? " pyramid" : "")\(isUneven ? " uneven" : "")"
        }

        static let all = ["h264", "hevc"].flatMap { codec in
            [
                Clip(codec: codec, bPictures: 0), Clip(codec: codec, bPictures: 1), Clip(codec: codec, bPictures: 3),
                Clip(codec: codec, bPictures: 3, isPyramid: true),
                Clip(codec: codec, bPictures: 2, isPyramid: true, isUneven: true),
            ]
        }

        var encoder: [String] {
            let pyramid = isPyramid ? "1" : "0"
            let common = "bframes=\(bPictures):b-adapt=0:keyint=20:open-gop=\(pyramid)"
            return codec == "h264"
                ? ["-c:v", "libx264", "-x264-params", common + ":b-pyramid=\(isPyramid ? "normal" : "none")"]
                : ["-c:v", "libx265", "-x265-params", common + ":b-pyramid=\(pyramid):log-level=none"]
        }

        /// Makes the clip in a container.
        func make(_ path: String, _ options: [String] = [], sound: Bool = true) async throws {
            let times = isUneven ? "setpts=PTS+mod(N*N\\,5)*0.004/TB" : "null"
            try await ExternalProgram.ffmpeg.run(
                ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x96:r=30:d=1.5,settb=1/1000,\(times)"]
                    + (sound ? ["-f", "lavfi", "-i", "sine=r=48000:d=1.5", "-c:a", "aac"] : [])
                    + encoder + ["-pix_fmt", "yuv420p", "-fps_mode", "passthrough"] + options + [path])
        }
    }

    /// Each clip in each container; libavformat 59 does not read HEVC in FLV.
    private static let copies = Clip.all.flatMap { clip in
        ["mkv", "mp4", "ts", "flv"].filter { $0 != "flv" || clip.codec == "h264" }.map { (clip: clip, source: $0) }
    }

    private static let program = ExternalProgram(PublishProgram.path)

    /// Presentation times in the order of the file, in seconds.
    private func times(_ path: String, stream: String = "v") async throws -> [Double] {
        let found = try await ExternalProgram("ffprobe").run([
            "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path,
        ])
        return found.text.split(separator: "\n").compactMap { line in
            line.split(separator: ",").first.flatMap { Double($0) }
        }
    }

    /// When each picture is shown, in the order of the file, and the last sound, in seconds after the first picture.
    private func distances(_ path: String) async throws -> (pictures: [Double], sound: Double) {
        let pictures = try await times(path)
        let first = pictures.min() ?? 0
        return (pictures.map { $0 - first }, try #require(try await times(path, stream: "a").last) - first)
    }

    @Test(
        "a copy shows each picture when its input does, beside the same sound, whatever the containers",
        .requiresProgram("ffmpeg", "ffprobe"), arguments: Sample.of(copies, labels: { ["\($0.clip)", $0.source] }))
    func sampledTimes(clip: Clip, source: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = folder.path("in.\(source)")
            try await clip.make(input)
            let outputs =
                ["a.mp4", "b.mp4", "c.mov", "d.mkv", "e.ts"] + (clip.codec == "h264" ? ["f.flv"] : [])
            let places = outputs.map { ($0 == "b.mp4" ? "mp4:" : "") + folder.path($0) }
            let found = try await Self.program.run([input, "--copy"] + places.flatMap { ["--to", $0] })
            #expect(!found.standardError.contains("warning"), "\(found.standardError)")
            let given = try await distances(input)
            #expect(given.pictures.count == 45)
            for output in outputs {
                let copied = try await distances(folder.path(output))
                let worst = zip(given.pictures, copied.pictures).map { abs($0 - $1) }.max() ?? 1
                #expect(copied.pictures.count == 45 && worst < 0.0021, "\(output): \(copied), not \(given)")
                #expect(abs(copied.sound - given.sound) < 0.0021, "\(output): \(copied), not \(given)")
                let decoded = try await ExternalProgram.ffmpeg.run([
                    "-v", "warning", "-xerror", "-i", folder.path(output), "-map", "0:v", "-fps_mode", "passthrough",
                    "-enc_time_base", "1:1000",
                    "-f", "rawvideo", "-y", "/dev/null",
                ])
                #expect(decoded.standardError.isEmpty, "\(output): \(decoded.standardError)")
            }
        }
    }

    @Test(
        "a copy is refused where the container does not say when reordered pictures are shown, or has no times",
        .requiresProgram("ffmpeg"),
        arguments: [
            (2, ["-f", "asf"], "B pictures"), (2, ["-f", "avi", "-bsf:v", "h264_mp4toannexb"], "B pictures"),
            (2, ["-f", "h264"], "no times"), (0, ["-f", "h264"], "no times"), (0, ["-f", "asf"], nil),
            (0, ["-f", "avi"], nil),
        ] as [(Int, [String], String?)])
    func withoutTimes(bPictures: Int, options: [String], refusal: String?) async throws {
        try await withTemporaryDirectory { folder in
            let clip = Clip(codec: "h264", bPictures: bPictures)
            try await clip.make(folder.path("in"), options, sound: false)
            let run = { () async throws -> String in
                try await Self.program.run([folder.path("in"), "--copy", "--to", folder.path("out.mkv")]).standardError
            }
            guard let refusal else {
                _ = try await run()
                #expect(try await times(folder.path("out.mkv")).count == 45)
                return
            }
            let error = await #expect(throws: ExternalProgramError.self) { _ = try await run() }
            let text = "\(String(describing: error))"
            #expect(text.contains(refusal) && text.contains("leave out --copy"), "\(text)")
        }
    }

    @Test("sound that is heard long before the first picture is left out of a copy", arguments: ["mkv", "ts"])
    func earlySound(container: String) async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=1", "-itsoffset", "-1.5", "-f", "lavfi",
                "-i",
                "sine=r=48000:d=2.5", "-c:v", "libx264", "-c:a", "aac", "-copyts", "-avoid_negative_ts", "disabled",
                folder.path("in.mkv"),
            ])
            let first = try #require(try await times(folder.path("in.mkv"), stream: "a").first)
            #expect(first < -1.4)
            _ = try await Self.program.run([
                folder.path("in.mkv"), "--copy", "--to", folder.path("out." + container),
            ])
            let picture = try #require(try await times(folder.path("out." + container)).min())
            let sound = try #require(try await times(folder.path("out." + container), stream: "a").min())
            #expect(abs(sound - picture) < 0.1, "\(sound) \(picture)")
        }
    }

    @Test(
        "a sample of MP4 without a byte is left out of a copy, and all others keep their times",
        .requiresProgram("ffmpeg", "ffprobe"), arguments: ["ts", "mkv", "mp4"])
    func emptySample(container: String) async throws {
        try await withTemporaryDirectory { folder in
            let (input, output) = (folder.path("a.mp4"), folder.path("b.\(container)"))
            try await Clip(codec: "h264", bPictures: 0).make(input, sound: false)
            // Behind the name of the box: flags, one size for all, the number of samples, and the size of each.
            var bytes = try folder.read("a.mp4")
            let box = try #require(bytes.firstRange(of: Array("stsz".utf8))?.lowerBound)
            #expect(bytes[box + 12..<box + 16] == [0, 0, 0, 45])
            let last = box + 16 + 44 * 4
            bytes.replaceSubrange(last..<last + 4, with: [0, 0, 0, 0])
            try folder.write(bytes, to: "a.mp4")
            try await Self.program.run([input, "--copy", "--to", output])
            let shown = try await times(output)
            #expect(shown.count == 44)
            let first = try #require(shown.first)
            for (number, time) in shown.enumerated() { #expect(abs(time - first - Double(number) / 30) < 0.0011) }
        }
    }
}
