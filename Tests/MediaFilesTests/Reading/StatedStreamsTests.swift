// SPDX-License-Identifier: MIT

import LibAV
import TestSupport
import Testing

@testable import MediaFiles

@Suite struct StatedStreamsTests {
    @Test(
        "a copy of MP4 begins without reading packets where the headers say all", .inTurn(),
        .requiresProgram(.ffmpeg),
        arguments: [
            ("H.264 and AAC", ["-c:v", "libx264", "-c:a", "aac"], true),
            ("HEVC and AAC", ["-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "aac"], true),
            ("no sound", ["-c:v", "libx264", "-an"], true),
            // Its packets may hold twice as much as the header says.
            ("AAC of 24 kHz", ["-c:v", "libx264", "-c:a", "aac", "-ar", "24000"], false),
            ("Opus", ["-c:v", "libx264", "-c:a", "libopus"], false),
            ("another codec", ["-c:v", "mpeg4", "-c:a", "aac"], false),
            ("two of sound", ["-map", "0", "-map", "1", "-map", "1", "-c:v", "libx264", "-c:a", "aac"], false),
        ])
    func reading(name: String, options: [String], isEnough: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("a.mp4")
            try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30", "-f", "lavfi", "-i",
                    "sine=r=48000", "-t", "12", "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-b:v", "1M", "-ac", "2",
                ] + options + [path])
            let file = try InputFile(path: path)
            // The headers are at the end of the file: whoever reads packets goes back.
            let demuxer = try LibAVDemuxer(file, streams: .videoAndSound)
            #expect((demuxer.byteOffset == file.size) == isEnough)
            #expect(try LibAVDemuxer(InputFile(path: path)).byteOffset != file.size)
        }
    }

    @Test(
        "AAC-LC of 1024 sample frames at 32 kHz and more is plain",
        arguments: [
            // audioObjectType, samplingFrequencyIndex, channelConfiguration, GASpecificConfig: 00010 0011 0010 000.
            ([0x11, 0x90], true), ([0x12, 0x10], true), ([0x12, 0x90], true),
            // Said not to be replicated, and said to be.
            ([0x11, 0x90, 0x56, 0xE5, 0x00], true), ([0x11, 0x90, 0x56, 0xE5, 0x80], false),
            // 24 kHz, 960 sample frames, channels in a program config element, type 5, rate in 24 bits, cut short.
            ([0x13, 0x10], false), ([0x11, 0x94], false), ([0x11, 0x80], false), ([0x29, 0x90], false),
            ([0x17, 0x80, 0x5D, 0xC0, 0x10], false), ([0x11], false), ([], false),
        ] as [([UInt8], Bool)])
    func plainAAC(header: [UInt8], isPlain: Bool) {
        #expect(StatedStreams.isPlainAAC(header) == isPlain)
    }
}
