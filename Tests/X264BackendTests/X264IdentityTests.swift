// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import TestSupport
import Testing
@testable import X264Backend

/// Settings, and the arguments that say the same to the x264 program.
struct IdentityRow: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let change: @Sendable (inout ResolvedSettings) -> Void

    init(_ arguments: String, _ change: @escaping @Sendable (inout ResolvedSettings) -> Void) {
        self.arguments = arguments.split(separator: " ").map(String.init)
        self.change = change
    }

    var testDescription: String { arguments.joined(separator: " ") }

    static let presets = X264Family.presets.dropLast().map { preset in
        IdentityRow("--threads 1 --preset \(preset)") { $0.request.preset = preset }
    }

    static let modes = [
        IdentityRow("--threads 1") { _ in },
        IdentityRow("--threads 2") { $0.request.threadCount = 2 },
        IdentityRow("--threads 1 --crf 17.5") { $0.live.rate = .init(.constantRateFactor(17.5)) },
        IdentityRow("--threads 1 --qp 30 --preset fast") {
            $0.live.rate = .init(.constantQuantizer(30))
            $0.request.preset = "fast"
        },
        IdentityRow("--threads 1 --qp 0 --preset fast") {
            $0.live.rate = .init(.quality(1))
            $0.request.preset = "fast"
        },
        IdentityRow("--threads 1 --bitrate 400") { $0.live.rate = .init(.averageBitRate(400_000)) },
        IdentityRow("--threads 1 --bitrate 400 --vbv-maxrate 600 --vbv-bufsize 1000") {
            $0.live.rate = .init(
                .averageBitRate(400_000), buffer: BufferModel(peakBitsPerSecond: 600_000, bits: 1_000_000))
        },
        IdentityRow("--threads 1 --bitrate 300 --vbv-maxrate 300 --vbv-bufsize 150 --vbv-init 0.5 --preset veryfast") {
            $0.live.rate = .init(
                .averageBitRate(300_000),
                buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 150_000))
            $0.position.bufferFullness = 0.5
            $0.request.preset = "veryfast"
        },
        IdentityRow(
            "--threads 1 --bitrate 900 --vbv-maxrate 900 --vbv-bufsize 135 --vbv-init 0.4 --filler --preset veryfast"
        ) {
            $0.live.rate = .init(
                .constantBitRate(900_000), buffer: BufferModel(peakBitsPerSecond: 900_000, bits: 135_000))
            // Out of band they are not counted.
            $0.request.parameterSets = .everySyncFrame
            $0.position.bufferFullness = 0.4
            $0.request.preset = "veryfast"
        },
        IdentityRow("--threads 1 --bitrate 400 --vbv-maxrate 800 --vbv-bufsize 2000") {
            $0.live.rate = .init(
                .variableBitRate(400_000), buffer: BufferModel(peakBitsPerSecond: 800_000, bits: 2_000_000))
        },
        IdentityRow("--threads 1 --crf 20 --vbv-maxrate 500 --vbv-bufsize 500") {
            $0.live.rate = .init(
                .constantRateFactor(20), buffer: BufferModel(peakBitsPerSecond: 500_000, bits: 500_000))
        },
        IdentityRow("--threads 1 --qpmin 20 --qpmax 30 --crf 12") {
            $0.live.rate = .init(.constantRateFactor(12))
            $0.live.asked.minAllowedFrameQP = 20
            $0.live.asked.maxAllowedFrameQP = 30
        },
        IdentityRow("--threads 1 --keyint 10") { $0.live.asked.maxKeyFrameInterval = 10 },
        IdentityRow("--threads 1 --keyint 1") { $0.live.asked.maxKeyFrameInterval = 1 },
        IdentityRow("--threads 1 --keyint 10 --open-gop") {
            $0.live.asked.maxKeyFrameInterval = 10
            $0.request.allowOpenGOP = true
        },
        IdentityRow("--threads 1 --bframes 0") { $0.plan.allowFrameReordering = false },
        IdentityRow("--threads 1 --no-cabac") { $0.request.h264EntropyMode = .cavlc },
        IdentityRow("--threads 1 --preset ultrafast --cabac") {
            $0.request.h264EntropyMode = .cabac
            $0.request.preset = "ultrafast"
        },
        IdentityRow("--threads 1 --profile baseline") { $0.request.profileLevel.profile = .h264ConstrainedBaseline },
        IdentityRow("--threads 1 --profile main") { $0.request.profileLevel.profile = .h264Main },
        IdentityRow("--threads 1 --tune film") { $0.request.tune = "film" },
        IdentityRow("--threads 1 --tune psnr,zerolatency") { $0.request.tune = "psnr,zerolatency" },
        IdentityRow("--threads 2 --tune zerolatency") {
            $0.request.tune = "zerolatency"
            $0.request.threadCount = 2
        },
        // Table A-1, times 1.25 for High.
        IdentityRow("--threads 1 --level 1.2 --preset slow --vbv-maxrate 480 --vbv-bufsize 1250") {
            $0.plan.level = 12
            $0.request.preset = "slow"
        },
        IdentityRow("--threads 1 --no-deblock --me umh --aq-mode 2") {
            $0.request.nativeOptions = [
                NativeOption("no-deblock"), NativeOption("me", "umh"), NativeOption("aq-mode", "2"),
            ]
        },
    ]

    static let deep = [
        IdentityRow("--threads 1 --output-depth 10") { _ in },
        IdentityRow("--threads 1 --output-depth 10 --qp 39") { $0.live.rate = .init(.constantQuantizer(27)) },
        IdentityRow("--threads 1 --output-depth 10 --crf 12 --qpmin 32 --qpmax 42") {
            $0.live.rate = .init(.constantRateFactor(12))
            $0.live.asked.minAllowedFrameQP = 20
            $0.live.asked.maxAllowedFrameQP = 30
        },
        IdentityRow("--threads 1 --output-depth 10 --qp 0") { $0.live.rate = .init(.quality(1)) },
        IdentityRow("--threads 1 --output-depth 10 --bitrate 400 --vbv-maxrate 400 --vbv-bufsize 400") {
            $0.live.rate = .init(
                .averageBitRate(400_000), buffer: BufferModel(peakBitsPerSecond: 400_000, bits: 400_000))
        },
    ]
}

@Suite(.requiresProgram(.x264))
struct X264IdentityTests {
    private static let clip = TestClip.textures(width: 256)
    private static let deepClip = TestClip.textures(width: 256, format: .i010, count: 20)
    private static let broadcastClip = TestClip.textures(
        width: 256, frameRate: FrameRate(numerator: 30000, denominator: 1001), count: 30)

    @Test("coded slices are those of the x264 program", .inTurn(), arguments: IdentityRow.presets + IdentityRow.modes)
    func slices(row: IdentityRow) async throws {
        try await compare(row, Self.clip)
    }

    @Test("coded slices of ten bits are those of the x264 program", arguments: IdentityRow.deep)
    func deepSlices(row: IdentityRow) async throws {
        try await compare(row, Self.deepClip)
    }

    // Rate control divides by the frame rate as a Float, which 30000/1001 is not: only a constant frame rate, as the
    // program reads it from Y4M, gives the same average to the last bit. 30 is exact, so that timestamps do as well.
    @Test(
        "coded slices at a fractional frame rate are those of the x264 program",
        arguments: [
            IdentityRow("--threads 1") { _ in },
            IdentityRow("--threads 1 --bitrate 300") {
                $0.live.rate = .init(.averageBitRate(300_000))
                $0.request.nativeOptions = [NativeOption("force-cfr")]
            },
            IdentityRow("--threads 1 --bitrate 300 --vbv-maxrate 450 --vbv-bufsize 750") {
                $0.live.rate = .init(
                    .averageBitRate(300_000), buffer: BufferModel(peakBitsPerSecond: 450_000, bits: 750_000))
                $0.request.nativeOptions = [NativeOption("force-cfr")]
            },
        ])
    func fractionalRate(row: IdentityRow) async throws {
        try await compare(row, Self.broadcastClip)
    }

    @Test(
        "coded slices of a real clip are those of the x264 program",
        .requiresMedia("clips/carphone_qcif_120f.y4m"),
        arguments: [
            IdentityRow("--threads 1") { _ in },
            IdentityRow("--threads 1 --preset veryslow --crf 30") {
                $0.request.preset = "veryslow"
                $0.live.rate = .init(.constantRateFactor(30))
            },
            IdentityRow("--threads 1 --bitrate 150 --vbv-maxrate 225 --vbv-bufsize 375 --preset slow") {
                $0.live.rate = .init(
                    .averageBitRate(150_000), buffer: BufferModel(peakBitsPerSecond: 225_000, bits: 375_000))
                $0.request.preset = "slow"
                $0.request.nativeOptions = [NativeOption("force-cfr")]
            },
        ])
    func realClip(row: IdentityRow) async throws {
        let clip = try TestClip(y4m: TestMedia.bytes("clips/carphone_qcif_120f.y4m"), frameLimit: 120)
        try await compare(row, clip)
    }

    private static func limited(
        _ bitRate: Int, bits: Int, seconds: Double
    ) -> @Sendable (inout ResolvedSettings) -> Void {
        { settings in
            let bytes = (Int(Double(bitRate) * seconds) + bits) / 8
            settings.live.asked.dataRateLimits = [DataRateLimit(bytes: bytes, seconds: seconds)]
            settings.live.rate = .init(
                .averageBitRate(bitRate), buffer: BufferModel(peakBitsPerSecond: bitRate, bits: bits))
            settings.request.preset = "veryfast"
        }
    }

    @Test(
        "coded slices with data-rate limits are those of the program where it writes no note into the first picture",
        .requiresProgram(.ffmpeg),
        arguments: [
            IdentityRow(
                "--threads 1 --bitrate 50 --vbv-maxrate 50 --vbv-bufsize 8 --preset veryfast",
                limited(50_000, bits: 8000, seconds: 0.2)),
            IdentityRow(
                "--threads 1 --bitrate 300 --vbv-maxrate 300 --vbv-bufsize 60 --preset veryfast",
                limited(300_000, bits: 60_000, seconds: 0.5)),
        ])
    func limits(row: IdentityRow) async throws {
        try await compare(row, Self.clip, isContained: true)
    }

    private func compare(_ row: IdentityRow, _ clip: TestClip, isContained: Bool = false) async throws {
        let settings = clip.settings.with(row.change)
        let theirs = try await X264Program.slices(
            of: clip, row.arguments + X264Backend.programOptions(settings), isContained: isContained)
        let ours = try clip.encode(settings).flatMap(\.slices)
        #expect(ours.count == theirs.count)
        let difference = zip(ours, theirs).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(difference == nil, "first different slice")
    }
}
