// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import encbench

/// Inputs that other programs take, and names that other programs give.
@Suite struct OddInputTests {
    /// Runs a bash script in a folder, with the program as `$tool`.
    private func bash(_ script: String, in folder: TemporaryDirectory) async throws -> ExternalProgram.Output {
        try await ExternalProgram("bash").run([
            "-c", "cd \"$0\" && tool=$1\n" + script, folder.path, CommandLineTool.encbench.name,
        ])
    }

    @Test("names of any bytes are opened, and shown without what a terminal acts on")
    func names() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 2), to: "in.y4m")
            let script = #"""
                name=$'a\xff\xfe\e[31m\u00e9'; mkdir "$name"; mv in.y4m "$name/$name.y4m"; cd "$name"
                "$tool" compare "$name.y4m" --encoder x264 --qp 30 --preset ultrafast --json "$name.json" 2>&1
                "$tool" encode "$name.y4m" -o "$name.mkv" --preset ultrafast 2>&1
                "$tool" inspect "$name.mkv" --no-fields; "$tool" measure "$name.y4m" "$name.mkv"
                "$tool" plan "$name.y4m" --encoder x264 --qp 30 --preset ultrafast --out "$PWD/$name" 2> /dev/null
                "$tool" run-point --index 0 1 --out "$name"; "$tool" merge "$name"
                "$tool" compare "$name" 2>&1; "$tool" encode "no-$name" -o x.mkv 2>&1; "$tool" compare "--$name" 2>&1
                ls | wc -l
                """#
            let output = try await bash(script, in: folder)
            #expect(output.text.hasSuffix("\n4\n"), "\(output.text)\n\(output.standardError)")
            #expect(output.text.contains(#"a\xFF\xFE\x1B[31mé.y4m: 64x64 i420"#))
            #expect(output.text.contains(#"no-a\xFF\xFE\x1B[31mé: cannot open for reading: No such file"#))
            #expect(!output.standardOutput.contains { $0 < 0x20 && $0 != 0x0A })
        }
    }

    @Test(
        "samples that are not 4:2:0 are converted alike from Y4M and from other containers",
        .requiresProgram(.ffmpeg), arguments: ["yuv422p", "yuv444p", "yuv411p"])
    func chroma(format: String) async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let script = """
                ffmpeg -v error -i in.y4m -pix_fmt \(format) -strict -1 a.y4m && ffmpeg -v error -i a.y4m -c:v rawvideo a.nut
                for input in a.y4m a.nut; do
                    "$tool" compare $input --encoder x264 --qp 30 --preset ultrafast --csv - | cut -d, -f 2-
                    "$tool" compare $input --encoder x264 --qp 30 --preset ultrafast | grep converted
                done
                """
            let lines = try await bash(script, in: folder).text.split(whereSeparator: \.isNewline)
            try #require(lines.count == 8, "\(lines)")
            #expect(lines.prefix(4) == lines.suffix(4))
            #expect(lines[3].contains("converted from \(format) to 4:2:0"))
        }
    }

    @Test(
        "what an encode does not carry over is told: sound, HDR metadata, chroma that lies elsewhere",
        .requiresProgram(.ffmpeg))
    func omissions() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let script = """
                display='G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)'
                sed 's/C420jpeg/C420mpeg2/' in.y4m > left.y4m
                ffmpeg -v error -i left.y4m -f lavfi -t 0.1 -i sine -c:v ffv1 -c:a pcm_s16le sound.mkv
                ffmpeg -v error -i left.y4m -pix_fmt yuv420p10le -c:v libx265 \\
                    -x265-params "log-level=none:master-display=$display:max-cll=1000,400" hdr.mkv
                sed 's/C420jpeg/C420paldv/' in.y4m > paldv.y4m
                for input in sound.mkv hdr.mkv paldv.y4m in.y4m; do
                    echo "$input"; "$tool" encode $input -o o.mkv --preset ultrafast 2>&1 | grep 'carried over\\|samples lie'
                    "$tool" compare $input --encoder x264 --qp 30 --preset ultrafast 2>&1 | grep 'carried over\\|samples lie'
                done; true
                """
            let lines = try await bash(script, in: folder).text.split(separator: "\n").map(String.init)
            let warnings = [
                "beside the video, nothing is carried over: audio",
                "its HDR metadata, mastering display and light levels, are not",
                "its chroma samples lie top left, which the stream does not say",
            ]
            try #require(lines.count == 7, "\(lines)")
            for (index, warning) in warnings.enumerated() {
                #expect(lines[2 * index + 1].contains(warning), "\(lines)")
            }
            #expect(lines[6] == "in.y4m")
        }
    }

    @Test("times that start before 0 or do not increase lose no picture", .requiresProgram(.ffmpeg, .ffprobe))
    func times() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 40), to: "in.y4m")
            // A clock of 33 bits at 90 kHz starts again after 95443.7 s.
            let script = """
                ffmpeg -v error -i in.y4m -c:v libx264 -preset ultrafast -output_ts_offset 95442 roll.ts
                ffmpeg -v error -i in.y4m -c:v libx264 -preset ultrafast -bf 0 -vf \
                'settb=1/1000,setpts=if(eq(N\\,7)\\,280\\,40*N)' -vsync passthrough -enc_time_base 1/1000 roll.flv
                """
            _ = try await bash(script, in: folder)
            var flv = try folder.read("roll.flv")
            let tags = videoTags(flv)
            // The tenth picture gets the time of the ninth.
            flv.replaceSubrange(tags[10] + 4..<tags[10] + 7, with: Array(flv[tags[9] + 4..<tags[9] + 7]))
            try folder.write(flv, to: "equal.flv")
            for (input, note) in [
                ("roll.ts", "they are timed from 0 on"), ("equal.flv", "times of pictures do not increase"),
            ] {
                for output in ["o.mkv", "o.ts", "o.mp4", "o.flv"] {
                    let result = try await CommandLineTool.encbench.run([
                        "encode", folder.path(input), "-o", folder.path(output), "--preset", "ultrafast",
                    ])
                    #expect(result.standardError.contains(note), "\(result.standardError)")
                    let counted = try await ExternalProgram.ffprobe.run([
                        "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0",
                        folder.path(output),
                    ])
                    #expect(counted.text.hasPrefix("40"), "\(input) to \(output): \(counted.text)")
                }
            }
        }
    }

    /// Where the tags of an FLV file's video start: type, size, time, stream, data, size of the tag.
    private func videoTags(_ bytes: [UInt8]) -> [Int] {
        var (tags, place): ([Int], Int) = ([], 13)
        while place + 11 < bytes.count {
            if bytes[place] == 9 { tags.append(place) }
            place += 15 + bytes[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return tags
    }

    @Test("a bare stream from a file with times declares the rate of the pictures", .requiresProgram(.ffmpeg, .ffprobe))
    func declaredRate() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 12), to: "in.y4m")
            let script = """
                ffmpeg -v error -i in.y4m -r 30000/1001 -c:v ffv1 in.mkv
                for output in o.264 o.hevc; do
                    "$tool" encode in.mkv -o $output --preset ultrafast 2> /dev/null
                    ffprobe -v error -show_entries stream=r_frame_rate -of csv=p=0 $output
                done
                """
            let rates = try await bash(script, in: folder).text.split(separator: "\n").compactMap { text -> Double? in
                let terms = text.split(separator: "/").compactMap { Double($0) }
                return terms.count == 2 ? terms[0] / terms[1] : nil
            }
            #expect(rates.count == 2 && rates.allSatisfy { abs($0 - 30000 / 1001) < 0.05 }, "\(rates)")
        }
    }

    @Test("a stream with lengths is inspected like the same stream with start codes", arguments: ["x264", "x265"])
    func lengths(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 5), to: "in.y4m")
            let extensions = ["x264": "264", "x265": "hevc"]
            let script = """
                for framing in annexb length-prefixed; do
                    "$tool" encode in.y4m -o o.\(extensions[encoder] ?? "") --framing $framing --preset ultrafast 2> /dev/null
                    mv o.* $framing; "$tool" inspect $framing --json | sed 's/.*"length"//'
                done
                head -c -5 length-prefixed > cut; "$tool" inspect cut 2>&1 > /dev/null
                """
            let lines = try await bash(script + "; true", in: folder).text.split(separator: "\n")
            let units = (lines.count - 1) / 2
            try #require(lines.count % 2 == 1 && units > 8, "\(lines)")
            #expect(lines[..<units] == lines[units..<2 * units])
            #expect(lines.last?.contains("no whole NAL unit follows") == true, "\(lines.last ?? "")")
        }
    }

    @Test("the frames that JSON calls sync or partial sync are those that MP4 marks", .requiresProgram(.ffprobe))
    func openGOP() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 30), to: "in.y4m")
            let script = """
                "$tool" encode in.y4m -o o.mp4 --encoder x265 --preset ultrafast --open-gop --max-key-frame-interval 10 \
                --json o.json 2> /dev/null
                ffprobe -v error -show_entries packet=flags -of csv=p=0 o.mp4
                """
            let marked = try await bash(script, in: folder).text.split(separator: "\n").map { $0.hasPrefix("K") }
            let report = try JSONDecoder().decode(EncodeReport.self, from: Data(try folder.read("o.json")))
            #expect(report.accessUnits.map { $0.sync || $0.partialSync == true } == marked)
            #expect(report.accessUnits.contains { $0.partialSync == true && !$0.sync })
        }
    }

    @Test(
        "errors name the option that the user gave",
        arguments: [
            (["--data-rate-limit", "1/1"], "error: --data-rate-limit 1/1.0, expected"),
            (["--preset", "no"], "error: --preset no, expected one of"),
            (["--set", "Quality=7"], "error: --quality 7.0, expected"),
            (["--native", "no=1"], "error: --native: native option \"no\" is unknown"),
        ])
    func optionNames(options: [String], message: String) async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 1), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["encode", input, "-o", folder.path("o.264")] + options)
            }
            #expect(error?.standardError.contains(message) == true, "\(error?.standardError ?? "")")
        }
    }
}
