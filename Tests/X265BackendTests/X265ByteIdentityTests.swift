// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import TestSupport
import Testing

@testable import X265Backend

/// The same settings must give the slices that the `x265` program writes.
@Suite(.requiresProgram(.x265)) struct X265ByteIdentityTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let options: String
        let change: @Sendable (inout ResolvedSettings) -> Void
        var testDescription: String { options }

        init(_ options: String, _ change: @escaping @Sendable (inout ResolvedSettings) -> Void) {
            self.options = options
            self.change = change
        }
    }

    static let rows = [
        Row("") { _ in },
        Row("--preset ultrafast") { $0.request.preset = "ultrafast" },
        Row("--preset superfast --crf 20.5") {
            $0.request.preset = "superfast"
            $0.live.rate = .init(.constantRateFactor(20.5))
        },
        Row("--preset slow --crf 30") {
            $0.request.preset = "slow"
            $0.live.rate = .init(.constantRateFactor(30))
        },
        Row("--preset veryfast --tune psnr --qp 30") {
            $0.request.preset = "veryfast"
            $0.request.tune = "psnr"
            $0.live.rate = .init(.constantQuantizer(30))
        },
        Row("--preset ultrafast --bitrate 300 --vbv-maxrate 400 --vbv-bufsize 500 --vbv-init 0.9") {
            $0.request.preset = "ultrafast"
            $0.live.rate = .init(
                .averageBitRate(300_000), buffer: BufferModel(peakBitsPerSecond: 400_000, bits: 500_000))
        },
        Row("--preset fast --bitrate 250 --vbv-maxrate 250 --vbv-bufsize 125 --vbv-init 0.5") {
            $0.request.preset = "fast"
            $0.live.rate = .init(
                .averageBitRate(250_000),
                buffer: BufferModel(peakBitsPerSecond: 250_000, bits: 125_000))
            $0.position.bufferFullness = 0.5
        },
        // Start codes take 32 bits of the rate for each picture.
        Row("--preset superfast --bitrate 899 --vbv-maxrate 899 --vbv-bufsize 135 --vbv-init 0.4 --strict-cbr") {
            $0.request.preset = "superfast"
            $0.live.rate = .init(
                .constantBitRate(900_000), buffer: BufferModel(peakBitsPerSecond: 900_000, bits: 135_000))
            // Out of band they are not counted.
            $0.request.parameterSets = .everySyncFrame
            $0.position.bufferFullness = 0.4
        },
        Row("--crf 24 --vbv-maxrate 200 --vbv-bufsize 200") {
            $0.live.rate = .init(
                .constantRateFactor(24), buffer: BufferModel(peakBitsPerSecond: 200_000, bits: 200_000))
        },
        Row("--preset superfast --lossless") {
            $0.request.preset = "superfast"
            $0.live.rate = .init(.quality(1))
        },
        Row("--preset faster --keyint 10 --bframes 0 --qpmin 25 --qpmax 32") {
            $0.request.preset = "faster"
            $0.live.asked.maxKeyFrameInterval = 10
            $0.plan.allowFrameReordering = false
            $0.live.asked.minAllowedFrameQP = 25
            $0.live.asked.maxAllowedFrameQP = 32
        },
        Row("--keyint 1 --preset ultrafast") {
            $0.live.asked.maxKeyFrameInterval = 1
            $0.request.preset = "ultrafast"
        },
        Row("--preset ultrafast --level-idc 3.1 --crf 26 --sar 4:3 --colorprim bt709 --range limited") {
            $0.request.preset = "ultrafast"
            $0.plan.level = 31
            $0.live.rate = .init(.constantRateFactor(26))
            $0.request.color = .bt709
            $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        },
        Row("--preset ultrafast --aq-mode 2 --no-sao --ref 3") {
            $0.request.preset = "ultrafast"
            $0.request.nativeOptions = [NativeOption("aq-mode", "2"), NativeOption("no-sao"), NativeOption("ref", "3")]
        },
    ]

    @Test("slices are those of the program", .inTurn(), arguments: rows)
    func slicesMatch(row: Row) async throws {
        try await expectSameSlices(TestClip.scenes(), row)
    }

    @Test("slices are those of the program at 10 and 12 bits", arguments: [PixelFormat.i010, .i012])
    func deepSlicesMatch(format: PixelFormat) async throws {
        let clip = TestClip.scenes(width: 96, height: 64, format: format, count: 12)
        let row = Row("--preset veryfast --crf 25 --output-depth \(format.bitDepth)") {
            $0.request.preset = "veryfast"
            $0.live.rate = .init(.constantRateFactor(25))
        }
        try await expectSameSlices(clip, row)
    }

    @Test(
        "slices of a real clip are those of the program", .requiresMedia("clips/carphone_qcif_120f.y4m"),
        arguments: [rows[0], rows[5]])
    func realSlicesMatch(row: Row) async throws {
        let clip = try TestClip(y4m: try TestMedia.bytes("clips/carphone_qcif_120f.y4m"), frameLimit: 60)
        try await expectSameSlices(clip, row)
    }

    @Test(
        "slices with data-rate limits are those of the program where it writes headers at the start alone",
        arguments: [
            Row("--preset veryfast --bitrate 50 --vbv-maxrate 50 --vbv-bufsize 16 --vbv-init 0.9 --keyint 8") {
                $0.request.preset = "veryfast"
                $0.live.asked.maxKeyFrameInterval = 8
                $0.live.asked.dataRateLimits = [DataRateLimit(bytes: 3250, seconds: 0.2)]
                $0.live.rate = .init(
                    .averageBitRate(50_000), buffer: BufferModel(peakBitsPerSecond: 50_000, bits: 16_000))
            }
        ])
    func limitedSlicesMatch(row: Row) async throws {
        try await expectSameSlices(TestClip.scenes(), row, repeatsHeaders: false)
    }

    private func expectSameSlices(_ clip: TestClip, _ row: Row, repeatsHeaders: Bool = true) async throws {
        let settings = clip.settings {
            $0.request.sourceFrameCount = clip.frames.count  // the program knows the length of the file
            row.change(&$0)
        }
        let ours = try clip.encode(settings).slices
        let theirs = try await withTemporaryDirectory { folder in
            let input = try folder.write(clip.y4m, to: "in.y4m")
            let fixed =
                "--pools none --frame-threads 1 --no-open-gop --no-info --no-progress --log-level error"
                + (repeatsHeaders ? " --repeat-headers" : "")
            let arguments = (fixed + " " + row.options).split(separator: " ").map(String.init)
            try await ExternalProgram.x265.run(arguments + ["-o", folder.path("out.hevc"), input])
            let bytes = try folder.read("out.hevc")
            return AnnexB.nalUnitRanges(in: bytes).map { Array(bytes[$0]) }.filter(\.isSlice)
        }
        try #require(ours.count == theirs.count)
        #expect(ours.count == clip.frames.count)
        let different = ours.indices.first { ours[$0] != theirs[$0] }
        #expect(different == nil, "first different slice")
    }
}
