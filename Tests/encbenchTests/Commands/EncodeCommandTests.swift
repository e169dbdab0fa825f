// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct EncodeCommandTests {
    @Test("a device is refused with encoders that have none")
    func deviceOfSoftware() {
        #expect(throws: (any Error).self) { try EncodeCommand.parse(["in", "-o", "out.h264", "--device", "x11"]) }
    }

    @Test("a Y4M file becomes a stream, and the JSON accounts for every byte of it")
    func encode() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 12), to: "in.y4m")
            let output = folder.path("out.hevc")
            try await CommandLineTool.encbench.run([
                "encode", input, "-o", output, "--preset", "ultrafast", "--crf", "30", "--force-key-frames", "5",
                "--json", folder.path("out.json"),
            ])
            let stream = try folder.read("out.hevc")
            let report = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("out.json")))
            #expect(report.frames == 12 && report.bytes == stream.count && report.error == nil)
            #expect(report.accessUnits.reduce(0) { $0 + $1.bytes } == stream.count)
            #expect(report.accessUnits.map(\.frame).sorted() == Array(0..<12))
            #expect(report.accessUnits.filter(\.sync).map(\.frame) == [0, 5])
            #expect(report.accessUnits.allSatisfy { $0.dts <= $0.pts && $0.ptsSeconds == Double($0.frame) / 25 })
            #expect(abs((report.bitsPerSecond ?? 0) - Double(stream.count) * 8 * 25 / 12) < 1e-6)
            #expect(report.askedBitsPerSecond == nil)
            #expect(Array(stream.prefix(5)) == [0, 0, 0, 1, 0x40])
        }
    }

    @Test(
        "the size in the JSON is the one that decoders show, of odd sides too", .requiresProgram(.ffprobe),
        arguments: ["x264", "x265"], ["33x17", "319x34"])
    func shownSize(encoder: String, size: String) async throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        let chroma = sides.map { ($0 + 1) / 2 }
        let samples = sides[0] * sides[1] + chroma[0] * chroma[1] * 2
        try await withTemporaryDirectory { folder in
            let input = try folder.write([UInt8](repeating: 90, count: samples), to: "in.yuv")
            let output = folder.path(encoder == "x264" ? "out.h264" : "out.h265")
            try await CommandLineTool.encbench.run([
                "encode", input, "-o", output, "--encoder", encoder, "--preset", "ultrafast", "--size", size,
                "--format", "i420", "--expected-frame-rate", "25", "--json", folder.path("out.json"),
            ])
            let report = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("out.json")))
            let probed = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", output,
            ])
            #expect(probed.text.split(separator: "\n").first ?? "" == "\(report.width),\(report.height)")
            #expect([report.width, report.height] == chroma.map { $0 * 2 })
            #expect(report.adjustments.contains { $0.contains("\(report.width) shown") })
        }
    }

    @Test(
        "a mean bit rate that a short clip passes is told with what came out, one that is kept is not",
        arguments: [("1k", true), ("50M", false)])
    func passedAverage(rate: String, isPassed: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 10), to: "in.y4m")
            for encoder in ["x264", "x265"] {
                let output = try await CommandLineTool.encbench.run([
                    "encode", input, "-o", folder.path("out.mp4"), "--encoder", encoder, "--preset", "ultrafast",
                    "--average-bit-rate", rate, "--json", folder.path("out.json"),
                ])
                let report = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("out.json")))
                #expect(report.askedBitsPerSecond == (isPassed ? 1000 : 50_000_000))
                let said = output.standardError.contains("warning: 1 000 bit/s were asked for: ")
                #expect(said == isPassed, "\(output.standardError)")
                #expect(output.standardError.contains(" times as many, in 0.40 s") == isPassed)
            }
        }
    }

    @Test("a pipe in and a pipe out give the same stream as files")
    func pipes() async throws {
        let video = CommandLineTool.y4m(frames: 8)
        let arguments = ["--preset", "ultrafast", "--threads", "1", "--codec", "hevc"]
        let piped = try await CommandLineTool.encbench.run(["encode", "-", "-o", "-"] + arguments, input: video)
        try await withTemporaryDirectory { folder in
            let input = try folder.write(video, to: "in.y4m")
            try await CommandLineTool.encbench.run(["encode", input, "-o", folder.path("out.h265")] + arguments)
            #expect(try folder.read("out.h265") == piped.standardOutput)
        }
    }

    @Test("raw video is read as it is described, and a length before each NAL unit replaces start codes")
    func rawVideo() async throws {
        let frame = [UInt8](repeating: 90, count: 80 * 64 * 3 / 2)
        let output = try await CommandLineTool.encbench.run(
            [
                "encode", "-", "-o", "-", "--encoder", "x265", "--size", "80x64", "--format", "i420", "--frames", "2",
                "--framing", "length-prefixed", "--expected-frame-rate", "25",
            ], input: frame + frame + frame)
        let length = output.standardOutput.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        #expect((10...100).contains(length) && output.standardOutput[4] == 0x40)
        #expect(output.standardError.hasPrefix("2 frames, \(output.standardOutput.count) bytes"))
    }

    @Test("an input that breaks off keeps what was encoded, names the offset, and fails")
    func truncated() async throws {
        try await withTemporaryDirectory { folder in
            let video = CommandLineTool.y4m(frames: 6)
            let input = try folder.write(video.dropLast(100), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["encode", input, "-o", folder.path("out.h264")])
            }
            #expect(error?.reason == "exited(1)")
            #expect(error?.standardError.contains("encbench: error: \(input): picture 5 ends after") == true)
            #expect(error?.standardError.contains("(byte offset \(video.count - 100))") == true)
            #expect(error?.standardError.hasPrefix("5 frames") == true)
            #expect(try folder.read("out.h264").count > 100)
        }
    }

    @Test(
        "a wrong command line ends with status 64 and says what is legal",
        arguments: [
            (["--average-bit-rate", "-5"], "expected 1000...1000000000 bit/s"),
            (["--crf", "20", "--qp", "20"], "--crf and --qp exclude each other"),
            (["--encoder", "x264"], "--encoder x264 encodes H.264, but the output's extension says HEVC"),
            (["--encoder", "nvenc"], "expected one of x264, x265, openh264, vaapi"),
            (["--format", "i420"], "give its --size too"), (["--frames", "0"], "expected a whole number in 1..."),
            (["--force-key-frames", "3,3"], "'3' is listed twice"), (["--nonsense"], "--nonsense"),
        ])
    func usage(arguments: [String], part: String) async {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["encode", "in.y4m", "-o", "out.hevc"] + arguments)
        }
        #expect(error?.reason == "exited(64)")
        #expect(error?.standardError.hasPrefix("encbench: error: ") == true)
        #expect(error?.standardError.contains(part) == true, "\(error?.standardError ?? "")")
    }

    @Test(
        "a native option that the library does not open with ends with status 64 and says why",
        arguments: [
            (
                ["--encoder", "x265", "--native", "scenecut=0", "--native", "radl=2", "--real-time"],
                "\"radl\" with \"2\" contradicts RealTime true"
            ),
            (
                ["--encoder", "x265", "--native", "rd=77"],
                "\"rd\" cannot have the value \"77\", expected a number in 1...6"
            ),
            (["--encoder", "x265", "--native", "master-display=x"], "expected G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)"),
            (
                ["--encoder", "x265", "--native", "frame-threads=4", "--max-frame-delay-count", "0"],
                "\"frame-threads\" with \"4\" contradicts MaxFrameDelayCount 0 frames"
            ),
            (
                ["--encoder", "x264", "--native", "threads=8", "--max-frame-delay-count", "0"],
                "\"threads\" with \"8\" contradicts MaxFrameDelayCount 0 frames"
            ),
        ])
    func refusedOption(arguments: [String], part: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 1), to: "in.y4m")
            let output = folder.path(arguments.contains("x264") ? "out.h264" : "out.hevc")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["encode", input, "-o", output] + arguments)
            }
            #expect(error?.reason == "exited(64)")
            #expect(error?.standardError.contains(part) == true, "\(error?.standardError ?? "")")
        }
    }

    @Test("settings that the encoder refuses leave no file behind")
    func refusedSetting() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 1), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    ["encode", input, "-o", folder.path("out.hevc"), "--native", "no-such-thing=1"])
            }
            #expect(error?.reason == "exited(64)")
            #expect(error?.standardError.contains("no-such-thing") == true)
            #expect(throws: (any Error).self) { try folder.read("out.hevc") }
            let same = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["encode", input, "-o", input, "--codec", "hevc"])
            }
            #expect(same?.standardError.contains("error") == true)
            #expect(try folder.read("in.y4m") == CommandLineTool.y4m(frames: 1))
        }
    }

    @Test("a picture with impossible samples is missing, and the command fails with the value")
    func impossibleSamples() async throws {
        try await withTemporaryDirectory { folder in
            let good = [UInt8](repeating: 1, count: 64 * 64 * 3)
            let input = try folder.write(good + good.map { $0 | 0x80 } + good, to: "in.yuv")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run([
                    "encode", input, "-o", folder.path("out.h264"), "--size", "64x64", "--format", "i010",
                    "--preset", "ultrafast", "--expected-frame-rate", "25",
                ])
            }
            #expect(error?.reason == "exited(1)")
            #expect(error?.standardError.hasPrefix("2 frames") == true)
            let message = "1 of 3 frames are missing, the first for a sample of 33153 in plane 0"
            #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
            #expect(try folder.read("out.h264").count > 100)
        }
    }

    @Test(
        "a picture with impossible samples takes nothing but itself out of a file, with B pictures too",
        .requiresProgram(.ffprobe), arguments: ["mp4", "mkv", "ts"], [VideoCodec.h264, .hevc])
    func impossibleSamplesInContainers(suffix: String, codec: VideoCodec) async throws {
        try await withTemporaryDirectory { folder in
            let bad = 25
            let video = (0..<60).flatMap { frame -> [UInt8] in
                let sample = frame == bad ? 0x80FF : UInt16(400 + 4 * frame)
                let bytes = [UInt8(sample & 0xFF), UInt8(sample >> 8)]
                return (0..<80 * 64 * 3 / 2).flatMap { _ in bytes }
            }
            let input = try folder.write(video, to: "in.yuv")
            let output = folder.path("out.\(suffix)")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run([
                    "encode", input, "-o", output, "--size", "80x64", "--format", "i010", "--codec", codec.rawValue,
                    "--preset", "medium", "--expected-frame-rate", "25",
                ])
            }
            #expect(error?.standardError.hasPrefix("59 frames") == true, "\(error?.standardError ?? "")")
            let probe = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", output,
            ])
            let times = probe.text.split(separator: "\n").compactMap {
                Double($0.split(separator: ",").first ?? "")
            }.sorted()
            let first = try #require(times.first)
            let expected = (0..<60).filter { $0 != bad }.map { Double($0) / 25 }
            #expect(times.count == 59 && zip(times, expected).allSatisfy { abs($0 - first - $1) < 0.002 })
        }
    }

    @Test("a full disk and a reader that goes away are told in words", arguments: ["/dev/full", "| head -c 10"])
    func badOutput(target: String) async {
        let isPipe = target.hasPrefix("|")
        let tool = CommandLineTool.encbench.name
        let output = isPipe ? "-" : target
        let script =
            "'\(tool)' encode - -o \(output) --codec hevc --preset ultrafast \(isPipe ? target : ""); "
            + "exit ${PIPESTATUS[0]}"
        let error = await #expect(throws: ExternalProgramError.self) {
            try await ExternalProgram("bash").run(["-c", script], input: CommandLineTool.y4m(frames: 400))
        }
        #expect(error?.reason == "exited(1)")
        let message = isPipe ? "Broken pipe" : "No space left on device"
        #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
    }

    @Test(
        "a signal finishes the file with what is encoded and ends with 128 and the signal's number",
        arguments: [("INT", 130, "out.hevc"), ("TERM", 143, "out.mp4"), ("HUP", 129, "out.mkv")])
    func interrupt(signal: String, status: Int, output: String) async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 30), to: "in.y4m")
            let tool = CommandLineTool.encbench.name
            // The pipe stays open, so that only the signal can end the program, which has read all and waits for more.
            let script =
                CommandLineTool.waiting + """
                    cd '\(folder.path)'; mkfifo pipe
                    '\(tool)' encode pipe -o \(output) --encoder x265 --preset ultrafast & tool=$!
                    exec 3> pipe; cat in.y4m >&3
                    await asleep $tool; kill -\(signal) $tool; wait $tool
                    """
            let error = await #expect(throws: ExternalProgramError.self) {
                try await ExternalProgram("bash").run(["-c", script])
            }
            #expect(error?.reason == "exited(\(status))", "\(error?.description ?? "")")
            #expect(error?.standardError.contains("30 frames") == true, "\(error?.standardError ?? "")")
            let packets = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0",
                folder.path(output),
            ])
            #expect(packets.text.split(whereSeparator: \.isNewline).first == "30")
        }
    }
}
