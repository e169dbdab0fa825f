// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite struct LibAVReaderTests {
    /// What FFmpeg decodes, without conversions that this package does not do.
    private func reference(_ path: String, _ arguments: [String] = []) async throws -> Samples {
        let output = try await ExternalProgram.ffmpeg.run(
            ["-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0", "-vsync", "passthrough"] + arguments
                + ["-f", "rawvideo", "-"])
        return Samples(output.standardOutput)
    }

    /// Presentation times of the first video stream in its own ticks.
    private func referenceTimes(_ path: String) async throws -> [Int64] {
        let output = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp", "-of", "csv=p=0",
            path,
        ])
        return output.text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int64($0) }
    }

    @Test(
        "compressed video of any container has FFmpeg's samples and times", .inTurn(),
        .requiresMedia("clips", "containers"),
        .requiresProgram(.ffmpeg, .ffprobe),
        arguments: [
            "clips/webcam_cif_60f.mkv", "containers/androidx_h265_bframes.mp4",
            "containers/bento4_video-h264-001.mp4", "containers/fate_h264small.ts", "containers/fate_streamloop.flv",
            "containers/fate_hdr10tags-both.mkv", "containers/torchcodec_h264_10bits.mp4",
            "containers/fate_mov-3elist.mp4",
        ])
    func oracle(name: String) async throws {
        let path = try TestMedia.path(name)
        let (samples, times) = (try await reference(path), try await referenceTimes(path))
        let source = try VideoInput.open(path: path)
        let contents = SourceContents(source)
        #expect(contents.error == nil)
        #expect(source.info.conversions.allSatisfy { $0.contains("rotation") })
        #expect(contents.samples == samples)
        #expect(contents.times.map(\.value) == times)
        #expect(contents.times.allSatisfy { $0.timescale == source.info.timescale })
    }

    @Test("the source's properties come through", .requiresMedia("containers"))
    func properties() throws {
        let full = try VideoInput.open(path: try TestMedia.path("containers/torchcodec_bt709_full_range.mp4"))
        #expect(full.info.color == ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true))
        #expect(full.info.isLossy)
        #expect(full.info.frameCount == 30)
        #expect((full.info.bitRate ?? 0) > 100_000)
        let wide = try VideoInput.open(path: try TestMedia.path("containers/mp4parse_h264_white_frame_sar_16_9.mp4"))
        #expect(wide.info.pixelAspectRatio == PixelAspectRatio(horizontalSpacing: 16, verticalSpacing: 9))
        let turned = try VideoInput.open(path: try TestMedia.path("containers/mp4parse_video_rotation_90.mp4"))
        #expect(turned.info.conversions.count == 1)
    }

    @Test("lossless video is not called lossy", .requiresMedia("clips/webcam_cif_60f.mkv"))
    func lossless() throws {
        let source = try VideoInput.open(path: try TestMedia.path("clips/webcam_cif_60f.mkv"))
        #expect(!source.info.isLossy)
        #expect(source.info.bitRate == nil)
    }

    @Test("an elementary stream has times of its frame rate", .requiresProgram(.ffmpeg))
    func elementaryStream() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("stream.264")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30000/1001", "-frames:v", "20", "-pix_fmt",
                "yuv420p", "-c:v", "libx264", "-bf", "3", path,
            ])
            let source = try VideoInput.open(path: path)
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            #expect(contents.times == (0..<20).map { MediaTime(value: $0 * 1001, timescale: 30000) })
            #expect(contents.samples == (try await reference(path)))
        }
    }

    @Test(
        "other formats are converted to 4:2:0 of their depth, near to what FFmpeg makes of them",
        .requiresProgram(.ffmpeg),
        arguments: [
            ("yuv422p", PixelFormat.i420, "yuv420p"), ("gray", .i420, "yuv420p"),
            ("yuv444p10le", .i010, "yuv420p10le"), ("yuv422p12le", .i012, "yuv420p12le"),
            ("yuv444p16le", .i012, "yuv420p12le"), ("yuva420p", .i420, "yuv420p"),
        ])
    func conversions(format: String, expected: PixelFormat, target: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("clip.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=70x50:rate=25", "-frames:v", "3", "-pix_fmt", format,
                "-c:v", "ffv1", path,
            ])
            let source = try VideoInput.open(path: path)
            #expect(source.info.pixelFormat == expected)
            #expect(source.info.conversions.count == 1)
            #expect(source.info.conversions.first?.contains(format) == true)
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            let range = format == "gray" ? ["-vf", "scale=in_range=limited:out_range=limited"] : []
            let reference = try await reference(
                path, range + ["-sws_flags", "bicubic+accurate_rnd", "-pix_fmt", target])
            #expect(contents.samples.bytes.count == reference.bytes.count)
            #expect(
                meanDifference(contents.samples.bytes, reference.bytes, bytesPerSample: expected.bytesPerSample) < 0.5)
        }
    }

    @Test("RGB becomes BT.709 in limited range", .requiresProgram(.ffmpeg))
    func rgb() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("clip.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x64:rate=25", "-frames:v", "1", "-pix_fmt",
                "bgr0",
                "-c:v", "ffv1", path,
            ])
            let source = try VideoInput.open(path: path)
            #expect(source.info.color == .bt709)
            let samples = SourceContents(source).samples.bytes
            // BT.709 red: Y 63, Cb 102, Cr 240.
            let places = [0, 64 * 64, 64 * 64 * 5 / 4]
            let values = places.map { Int(samples[$0]) }
            #expect(zip(values, [63, 102, 240]).allSatisfy { abs($0 - $1) <= 1 }, "\(values)")
        }
    }

    private func meanDifference(_ left: [UInt8], _ right: [UInt8], bytesPerSample: Int) -> Double {
        func sample(_ bytes: [UInt8], _ index: Int) -> Int {
            bytesPerSample == 1 ? Int(bytes[index]) : Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8
        }
        let count = min(left.count, right.count) / bytesPerSample
        let sum = (0..<count).reduce(0) { $0 + abs(sample(left, $1) - sample(right, $1)) }
        return Double(sum) / Double(max(count, 1))
    }

    @Test("interlaced video is refused by name", .requiresMedia("containers/fate_interlaced_crop.mp4"))
    func interlaced() throws {
        let source = try VideoInput.open(path: try TestMedia.path("containers/fate_interlaced_crop.mp4"))
        let error = SourceContents(source).error
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("interlaced") == true)
    }

    @Test("a change of size ends the video with its place", .requiresMedia("streams/h264/vkcts_clip-c.h264"))
    func changingSize() throws {
        let source = try VideoInput.open(path: try TestMedia.path("streams/h264/vkcts_clip-c.h264"))
        let contents = SourceContents(source)
        #expect(contents.count == 15)
        #expect(contents.error?.code == .unsupported)
        #expect(contents.error?.reason.contains("176x144") == true)
        #expect(contents.error?.byteOffset != nil)
    }

    @Test(
        "a cut file gives pictures of the whole one, then an error with the offset",
        .requiresMedia(
            "clips/webcam_cif_60f.mkv", "containers/jcodec_seq_h264_4.mp4", "containers/fate_streamloop.flv"),
        arguments: [
            "clips/webcam_cif_60f.mkv", "containers/androidx_sample_simple.mp4", "containers/fate_streamloop.flv",
            "containers/jcodec_seq_h264_4.mp4",
        ])
    func truncated(name: String) async throws {
        let bytes = try TestMedia.bytes(name)
        let whole = SourceContents(try VideoInput.open(path: try TestMedia.path(name)))
        #expect(whole.error == nil)
        try await withTemporaryDirectory { folder in
            for tenth in 1...9 {
                let path = try folder.write(bytes[..<(bytes.count * tenth / 10 - 7)], to: "cut")
                do throws(MediaFileError) {
                    let contents = SourceContents(try VideoInput.open(path: path))
                    let place = Comment(
                        "cut after \(tenth) tenths, \(contents.count) pictures, \(String(describing: contents.error))")
                    #expect(contents.isPart(of: whole), place)
                    // The sound of a file may come after all of its pictures.
                    #expect(contents.error?.byteOffset != nil || contents.count == whole.count, place)
                } catch {
                    #expect([.corrupt, .unsupported, .truncated].contains(error.code))
                }
            }
        }
    }

    @Test("video comes through a pipe", .requiresMedia("clips/webcam_cif_60f.mkv"))
    func pipe() throws {
        let bytes = try TestMedia.bytes("clips/webcam_cif_60f.mkv")
        let whole = SourceContents(try VideoInput.open(path: try TestMedia.path("clips/webcam_cif_60f.mkv")))
        try withPipe(bytes, piece: 5000) { path in
            let contents = SourceContents(try VideoInput.open(path: path))
            #expect(contents.error == nil)
            #expect(contents.samples == whole.samples)
        }
        try withPipe(Array(bytes.dropLast(bytes.count / 3)), piece: 5000) { path in
            let contents = SourceContents(try VideoInput.open(path: path))
            #expect(contents.error?.code == .truncated)
            #expect(contents.isPart(of: whole))
        }
    }

    @Test("a play list cannot make the reader open other files", .requiresProgram(.ffmpeg))
    func playList() async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "2", folder.path("real.ts"),
            ])
            let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(folder.path("real.ts"))\n#EXT-X-ENDLIST\n"
            let path = try folder.write(Array(list.utf8), to: "list.m3u8")
            #expect(throws: MediaFileError.self) { try VideoInput.open(path: path) }
        }
    }

    @Test("text and noise are no video")
    func noVideo() async throws {
        var generator = SeededGenerator()
        let noise = generator.bytes(count: 50_000)
        try await withTemporaryDirectory { folder in
            for bytes in [Array("hello, world\n".utf8), noise, [0]] {
                let path = try folder.write(bytes, to: "file")
                let error = #expect(throws: MediaFileError.self) { try VideoInput.open(path: path) }
                #expect(error?.path == path)
            }
            let error = #expect(throws: MediaFileError.self) {
                try VideoInput.open(path: try folder.write([], to: "0"))
            }
            #expect(error?.code == .truncated)
        }
    }
}
