// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
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
                "$tool" compare "$name.y4m" --rounds 0 --encoder x264 --qp 30 --preset ultrafast --json "$name.json" 2>&1
                "$tool" encode "$name.y4m" -o "$name.mkv" --preset ultrafast 2>&1
                "$tool" inspect "$name.mkv" --no-fields; "$tool" measure "$name.y4m" "$name.mkv"
                "$tool" plan "$name.y4m" --encoder x264 --qp 30 --preset ultrafast --out "$PWD/$name" 2> /dev/null
                "$tool" run-point --index 0 1 --out "$name"; "$tool" merge "$name"
                "$tool" compare "$name" --rounds 0 2>&1; "$tool" encode "no-$name" -o x.mkv 2>&1; "$tool" compare "--$name" --rounds 0 2>&1
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
                    "$tool" compare $input --rounds 0 --encoder x264 --qp 30 --preset ultrafast --csv - | cut -d, -f 2-
                    "$tool" compare $input --rounds 0 --encoder x264 --qp 30 --preset ultrafast | grep converted
                done
                """
            let lines = try await bash(script, in: folder).text.split(whereSeparator: \.isNewline)
            try #require(lines.count == 8, "\(lines)")
            #expect(lines.prefix(4) == lines.suffix(4))
            #expect(lines[3].contains("converted from \(format) to 4:2:0"))
        }
    }

    @Test(
        "where chroma lies and what HDR needs is in the stream as it was in the input",
        .requiresProgram(.ffmpeg, .ffprobe))
    func metadata() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let script = """
                display='G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)'
                for place in mpeg2 paldv; do sed "s/C420jpeg/C420$place/" in.y4m > $place.y4m; done
                ffmpeg -v error -i mpeg2.y4m -pix_fmt yuv420p10le -c:v libx265 \\
                    -x265-params "log-level=none:master-display=$display:max-cll=1000,400" hdr.mkv
                for input in mpeg2.y4m in.y4m paldv.y4m hdr.mkv; do
                    for output in o.264 o.hevc; do
                        echo "$input $output"
                        "$tool" encode $input -o $output --preset ultrafast 2>&1 | grep warning | grep -v ' VUI '
                        ffprobe -v error -show_frames -read_intervals %+#1 -show_entries frame=chroma_location:frame_side_data \\
                            -of default=nw=1 $output | grep -v 'side_data_type=H.26'
                    done
                done
                echo 'trace o.264'
                ffmpeg -i o.264 -c copy -bsf:v trace_headers -f null - 2>&1 \\
                    | grep -oE '(display_primaries|white_point|mastering_luminance|light_level).* = .*' | sed 's/  *[01]* = /=/'
                """
            let text = try await bash(script, in: folder).text
            let found = text.split(separator: "o.").dropFirst().map { part in
                part.split(separator: "\n").dropFirst().filter { !$0.hasSuffix(" ") }.map(String.init).sorted()
            }
            try #require(found.count == 9, "\(text)")
            let display = [
                "blue_x=7500/50000", "blue_y=3000/50000", "green_x=13250/50000", "green_y=34500/50000",
                "max_average=400",
                "max_content=1000", "max_luminance=10000000/10000", "min_luminance=1/10000", "red_x=34000/50000",
                "red_y=16000/50000", "side_data_type=Content light level metadata",
                "side_data_type=Mastering display metadata", "white_point_x=15635/50000", "white_point_y=16450/50000",
            ]
            for (index, place) in ["left", "center", "topleft"].enumerated() {
                #expect(found[2 * index] == ["chroma_location=\(place)"] && found[2 * index + 1] == found[2 * index])
            }
            #expect(found[7] == (display + ["chroma_location=left"]).sorted(), "\(text)")
            // ffprobe 5.1 does not tell these of H.264.
            let traced = [
                "display_primaries_x[0]=13250", "display_primaries_x[1]=7500", "display_primaries_x[2]=34000",
                "display_primaries_y[0]=34500", "display_primaries_y[1]=3000", "display_primaries_y[2]=16000",
                "light_level=1000", "light_level=400", "mastering_luminance=1", "mastering_luminance=10000000",
                "white_point_x=15635", "white_point_y=16450",
            ]
            #expect(found[8] == traced, "\(text)")
        }
    }

    @Test(
        "what an encode does not carry over is told: sound, and what the library has no option for",
        .requiresProgram(.ffmpeg))
    func omissions() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            let script = """
                ffmpeg -v error -i in.y4m -f lavfi -t 0.1 -i sine -c:v ffv1 -c:a pcm_s16le sound.mkv
                "$tool" encode sound.mkv -o o.mkv --preset ultrafast 2>&1 | grep 'carried over\\|samples lie'
                "$tool" compare sound.mkv --rounds 0 --encoder x264 --qp 30 --preset ultrafast 2>&1 | grep 'carried over\\|samples lie'
                "$tool" encode in.y4m -o o.mkv --encoder openh264 2>&1 | grep 'carried over\\|samples lie'; true
                """
            let lines = try await bash(script, in: folder).text.split(separator: "\n").map(String.init)
            try #require(lines.count == 2, "\(lines)")
            #expect(lines[0].contains("beside the video, nothing is carried over: audio"))
            #expect(lines[1].contains("its chroma samples lie center, which the stream does not say"))
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
