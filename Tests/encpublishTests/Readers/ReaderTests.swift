// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import encpublish

/// What is written, read by the programs that people watch it with.
@Suite struct ReaderTests {
    /// A file of two seconds, 50 pictures of 160x96 and a tone.
    struct File: CustomTestStringConvertible, Sendable {
        var name: String
        var codec = "h264"
        /// What MediaInfo calls the container.
        var format: String
        /// What takes it apart in GStreamer; nil where nothing of it does.
        var demuxer: String?

        var testDescription: String { "\(codec) in \(name)" }

        static let all = [
            File(name: "a.mp4", format: "MPEG-4", demuxer: "qtdemux"),
            File(name: "mp4:plain.mp4", format: "MPEG-4", demuxer: "qtdemux"),
            File(name: "mov:a.mov", format: "MPEG-4", demuxer: "qtdemux"),
            File(name: "a.mkv", format: "Matroska", demuxer: "matroskademux"),
            File(name: "a.ts", format: "MPEG-TS", demuxer: "tsdemux"),
            File(name: "a.flv", format: "Flash Video", demuxer: "flvdemux"),
            File(name: "a.asf", format: "Windows Media"),
            File(name: "h.mp4", codec: "hevc", format: "MPEG-4", demuxer: "qtdemux"),
            File(name: "h.mkv", codec: "hevc", format: "Matroska", demuxer: "matroskademux"),
            File(name: "h.ts", codec: "hevc", format: "MPEG-TS", demuxer: "tsdemux"),
        ]
    }

    /// Makes a file; its path.
    private func make(_ file: File, in folder: TemporaryDirectory) async throws -> String {
        let parts = file.name.split(separator: ":")
        let path = folder.path(String(parts.last ?? ""))
        let place = parts.count > 1 ? "\(parts[0]):\(path)" : path
        try await ExternalProgram(PublishProgram.path).run([
            "test", "--duration", "2", "--size", "160x96", "--frame-rate", "25", "--codec", file.codec, "--preset",
            "ultrafast", "--set", "MaxKeyFrameInterval=25", "--to", place,
        ])
        return path
    }

    @Test(
        "MediaInfo tells container, codecs, size and length", .inTurn(), .requiresProgram(.mediaInfo),
        arguments: File.all)
    func mediaInfo(file: File) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await make(file, in: folder)
            let found = try await ExternalProgram.mediaInfo.run([
                "--Output=General;%Format%|\nVideo;%Format%|%Width%|%Height%|%Duration%|\nAudio;%Format%|%SamplingRate%|",
                path,
            ]).text
            let general = try await ExternalProgram.mediaInfo.run(["--Output=General;%Format%", path]).text
            let video = try await ExternalProgram.mediaInfo.run([
                "--Output=Video;%Format% %Width%x%Height% %Duration%", path,
            ]).text.split(separator: " ")
            let audio = try await ExternalProgram.mediaInfo.run(["--Output=Audio;%Format% %SamplingRate%", path]).text
            #expect(general.contains(file.format), "\(found)")
            #expect(video.first == (file.codec == "h264" ? "AVC" : "HEVC") && video.dropFirst().first == "160x96")
            let length = video.last.flatMap { Double($0.prefix { !$0.isNewline }) }
            #expect(length.map { abs($0 - 2000) <= 85 } == true, "\(video)")
            #expect(audio.hasPrefix("AAC") && audio.contains("48000"), "\(audio)")
        }
    }

    @Test(
        "GStreamer takes it apart and decodes all pictures and the sound", .inTurn(),
        .requiresProgram("gst-launch-1.0"),
        arguments: File.all.filter { $0.demuxer != nil })
    func gstreamer(file: File) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await make(file, in: folder)
            let codec = file.codec == "h264" ? "h264" : "h265"
            let pipeline = """
                filesrc location=\(path) ! \(file.demuxer ?? "") name=d
                d. ! queue ! \(codec)parse ! avdec_\(codec) ! filesink location=\(folder.path("pictures"))
                d. ! queue ! aacparse ! avdec_aac ! audioconvert ! audio/x-raw,format=S16LE,channels=1
                ! filesink location=\(folder.path("sound"))
                """
            try await ExternalProgram("timeout").run(
                ["20", "gst-launch-1.0", "-q"] + pipeline.split(whereSeparator: \.isWhitespace).map(String.init))
            // 4:2:0 of eight bits.
            #expect(try folder.read("pictures").count == 50 * 160 * 96 * 3 / 2)
            #expect((88_000...100_000).contains(try folder.read("sound").count / 2))
        }
    }

    @Test(
        "VLC plays the pictures and the sound to the end", .requiresProgram("cvlc", "setpriv"),
        arguments: Sample.of(File.all, least: 3, labels: { [$0.format] }))
    func sampledVLC(file: File) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await make(file, in: folder)
            try FileManager.default.createDirectory(atPath: folder.path("scenes"), withIntermediateDirectories: false)
            for open in [folder.path, folder.path("scenes")] { chmod(open, 0o777) }
            // VLC refuses to run for root.
            let user = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
            let home =
                ["env", "HOME=\(folder.path)", "cvlc", "-I", "dummy", "--play-and-exit", "--no-osd", "--no-spu"]
                + ["--no-drop-late-frames", "--no-skip-frames"]
            let outputs = [
                "--vout", "dummy", "--video-filter", "scene", "--scene-format", "png", "--scene-path",
                folder.path("scenes"), "--scene-ratio", "1", "--aout", "afile", "--audiofile-file",
                folder.path("heard.wav"), "--audiofile-format", "s16", path,
            ]
            try await ExternalProgram("timeout").run(
                ["-k", "2", "\(Int(3 * Patience.seconds))"] + user + home + outputs)
            let scenes = try FileManager.default.contentsOfDirectory(atPath: folder.path("scenes")).count
            // A player on a busy machine leaves out what it cannot show in time, and may not show the last ones.
            #expect(scenes >= 20, "\(scenes) pictures")
            // 48 kHz, two channels of 16 bits.
            #expect(try folder.read("heard.wav").count > 192_000 * 18 / 10)
        }
    }

    @Test(
        "ffplay plays ASF and FLV to the end", .inTurn(), .requiresProgram("ffplay"),
        arguments: File.all.filter { ["a.asf", "a.flv"].contains($0.name) })
    func ffplay(file: File) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await make(file, in: folder)
            let found = try await ExternalProgram("timeout").run([
                "-k", "2", "\(Int(3 * Patience.seconds))", "env", "SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy",
                "ffplay",
                "-v", "error", "-autoexit", path,
            ])
            #expect(!found.standardError.contains("rror"), "\(found.standardError)")
        }
    }
}
