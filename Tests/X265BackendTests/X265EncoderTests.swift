// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import ParameterSets
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265EncoderTests {
    static let forced: Set<Int> = [0, 37, 80, 81, 82, 119]

    @Test("forced key frames are IDR on exactly the frames asked", arguments: ["ultrafast", "medium", "slower"])
    func forcedKeyFrames(preset: String) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 130)
        let settings = clip.settings {
            $0.request.preset = preset
            // No other reason for a key frame.
            $0.request.nativeOptions = [NativeOption("scenecut", "0"), NativeOption("keyint", "-1")]
        }
        let run = try clip.encode(settings, forcing: Self.forced)
        #expect(Set(run.output.filter(\.isIDR).map(\.id)) == Self.forced)
        #expect(Set(run.output.map(\.id)) == Set(0..<130))
        #expect(run.output.count == 130)
        #expect(run.output.contains { $0.type == .b })
    }

    @Test("key frames are no further apart than asked", arguments: [1, 2, 7, 48])
    func intervals(interval: Int) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 100)
        let run = try clip.encode(
            clip.settings {
                $0.request.preset = "superfast"
                $0.live.asked.maxKeyFrameInterval = interval
            }, forcing: [33])
        let sync = run.output.filter(\.isIDR).map(\.id).sorted()
        #expect(sync.contains(33))
        #expect(zip(sync, sync.dropFirst() + [100]).allSatisfy { $1 - $0 <= interval })
    }

    @Test(
        "key frames have the headers before them where limits keep the library from repeating them",
        arguments: [[], [NativeOption("max-cll", "1000,400")], [NativeOption("aud")]])
    func repeatedHeaders(options: [NativeOption]) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 30)
        func units(_ change: @escaping (inout ResolvedSettings) -> Void) throws -> [(id: Int, headers: [[UInt8]])] {
            let settings = clip.settings {
                $0.request.preset = "superfast"
                $0.live.asked.maxKeyFrameInterval = 10
                $0.live.rate = .init(
                    .averageBitRate(300_000), buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 60_000))
                $0.request.nativeOptions = options
                change(&$0)
            }
            return try clip.encode(settings, forcing: [13]).output.map { ($0.id, $0.nalUnits.filter { !$0.isSlice }) }
        }
        let repeated = try units { _ in }
        let limited = try units { $0.live.asked.dataRateLimits = [DataRateLimit(bytes: 45_000, seconds: 1)] }
        #expect(limited.map(\.id).sorted() == Array(0..<30))
        #expect(limited.count { !$0.headers.isEmpty } >= 4)
        for ours in limited { #expect(repeated.first { $0.id == ours.id }?.headers == ours.headers, "\(ours.id)") }
    }

    @Test("a named profile is signalled even when every frame is a key frame", .requiresProgram(.ffprobe))
    func intraOnlyProfile() async throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 6)
        let settings = clip.settings {
            $0.live.asked.maxKeyFrameInterval = 1
            $0.request.profileLevel.profile = .hevcMain
        }
        let run = try clip.encode(settings)
        #expect(run.output.allSatisfy { $0.isIDR && $0.type == .i })
        #expect(try await probe(run.stream, "profile") == "Main")
    }

    @Test(
        "small and odd sizes encode and decode to the size shown", .requiresProgram(.ffprobe),
        arguments: [(18, 16), (18, 202), (30, 34), (62, 62), (66, 98), (130, 18)],
        ["ultrafast", "medium", "placebo"])
    func sizes(size: (width: Int, height: Int), preset: String) async throws {
        let clip = TestClip.scenes(width: size.width, height: size.height, count: 4)
        let run = try clip.encode(clip.settings { $0.request.preset = preset })
        #expect(run.output.count == 4)
        #expect(try await probe(run.stream, "width,height,nb_read_frames") == "\(size.width),\(size.height),4")
    }

    @Test(
        "pictures below the smallest libx265 codes are padded and cropped in the SPS", .requiresProgram(.ffprobe),
        arguments: [(2, 2), (1, 15), (14, 16), (16, 6), (16, 16), (8, 300)], ["ultrafast", "medium"])
    func tinySizes(size: (width: Int, height: Int), preset: String) async throws {
        let coded = (width: max(size.width, 18), height: max(size.height, 16))
        let clip = TestClip.scenes(width: coded.width, height: coded.height, count: 3)
        let settings = clip.settings {
            $0.picture = PictureFormat(
                width: size.width, height: size.height, codedWidth: coded.width, codedHeight: coded.height)
            $0.request.preset = preset
            $0.live.asked.maxKeyFrameInterval = 2
        }
        let run = try clip.encode(settings)
        let shown = "\((size.width + 1) / 2 * 2),\((size.height + 1) / 2 * 2)"
        #expect(try await probe(run.stream, "width,height,nb_read_frames") == shown + ",3")
    }

    @Test(
        "a decoder has the pictures that libx265 predicts from, by their hashes in the stream",
        .requiresProgram(.ffmpeg), arguments: [(18, 16), (32, 18), (64, 64), (64, 130), (128, 64)],
        ["ultrafast", "medium"])
    func reconstruction(size: (width: Int, height: Int), preset: String) async throws {
        let clip = TestClip.scenes(width: size.width, height: size.height, count: 20)
        let run = try clip.encode(
            clip.settings {
                $0.request.preset = preset
                $0.request.nativeOptions = [NativeOption("hash", "1")]
            })
        let complaints = try await withTemporaryDirectory { folder in
            let file = try folder.write(run.stream, to: "out.hevc")
            return try await ExternalProgram.ffmpeg.run(
                ["-v", "error", "-err_detect", "crccheck", "-i", file, "-f", "null", "-"]
            ).standardError
        }
        #expect(complaints.isEmpty)
    }

    @Test("one frame foretold does not make a still picture of the stream", arguments: [1, 5])
    func oneSourceFrame(count: Int) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: count)
        let run = try clip.encode(clip.settings { $0.request.sourceFrameCount = 1 })
        let sps = try #require(run.output.first?.nalUnits.first { $0.unitType == .sps })
        #expect(try HEVCSPS(nalUnit: sps).profile.profileIdc == 1)
    }

    @Test("parameter sets are known before the first picture", arguments: [64, 8], [PixelFormat.i420, .i010, .i012])
    func parameterSets(side: Int, format: PixelFormat) throws {
        let clip = TestClip.scenes(width: max(side, 18), height: max(side, 16), format: format, count: 3)
        let run = try clip.encode(
            clip.settings {
                $0.picture = PictureFormat(
                    width: side, height: side, codedWidth: clip.width, codedHeight: clip.height, pixelFormat: format)
            })
        let first = try #require(run.output.first).nalUnits
        let told = try #require(try run.encoder.parameterSets)
        #expect(told.map(\.unitType) == [.vps, .sps, .pps])
        #expect(told == Array(first.prefix(3)))
    }

    @Test("an SPS that ends early is an error, at every length")
    func truncatedSPS() throws {
        let clip = TestClip.scenes(width: 18, height: 16, count: 1)
        let units = try #require(try clip.encode(clip.settings()).output.first).nalUnits
        let sps = try #require(units.first { $0.unitType == .sps })
        #expect(try X265CropRewriter.widened(sps, right: 2, bottom: 4) != sps)
        for count in 0..<18 {
            #expect(throws: EncoderError.self) {
                try X265CropRewriter.widened(Array(sps.prefix(count)), right: 2, bottom: 4)
            }
        }
    }

    @Test("crop, color, shape and level are in the stream", .requiresProgram(.ffprobe))
    func signalling() async throws {
        let clip = TestClip.scenes(width: 96, height: 64, count: 3)
        let settings = clip.settings {
            $0.picture = PictureFormat(width: 90, height: 51, codedWidth: 96, codedHeight: 64)
            $0.request.color = .bt2100PQ
            $0.request.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 7, verticalSpacing: 5)
            $0.plan.level = 41
        }
        let run = try clip.encode(settings)
        let fields = "width,height,sample_aspect_ratio,level,color_range,color_space,color_transfer,color_primaries"
        #expect(try await probe(run.stream, fields) == "90,52,7:5,123,tv,bt2020nc,smpte2084,bt2020")
    }

    @Test(
        "ten and twelve bits keep the samples' depth", .requiresProgram(.ffprobe), arguments: [PixelFormat.i010, .i012])
    func depths(format: PixelFormat) async throws {
        let clip = TestClip.scenes(width: 64, height: 64, format: format, count: 4)
        let run = try clip.encode(clip.settings())
        #expect(try await probe(run.stream, "pix_fmt") == "yuv420p\(format.bitDepth)le")
    }

    @Test("quantizers stay within the bounds at every depth", arguments: [PixelFormat.i420, .i010], [1.0, 51.0])
    func quantizerBounds(format: PixelFormat, factor: Double) throws {
        let clip = TestClip.scenes(width: 64, height: 64, format: format, count: 10)
        let settings = clip.settings {
            $0.live.rate = .init(.constantRateFactor(factor))
            $0.live.asked.minAllowedFrameQP = 20
            $0.live.asked.maxAllowedFrameQP = 30
            $0.request.nativeOptions = [NativeOption("aq-mode", "0"), NativeOption("no-cutree")]
        }
        for picture in try clip.encode(settings).output {
            let quantizer = try #require(picture.averageQP)
            #expect((20...30).contains(quantizer))
        }
    }

    @Test("B pictures that nothing refers to say so")
    func references() throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 40)
        let run = try clip.encode(clip.settings())
        #expect(run.output.contains { $0.type == .b && !$0.isReference })
        #expect(run.output.contains { $0.type == .b && $0.isReference })
        #expect(run.output.filter { $0.type != .b }.allSatisfy { $0.isReference })
    }

    struct LiveRow: Sendable {
        let isPossible: Bool
        let change: @Sendable (inout LiveParameters) -> Void

        init(_ isPossible: Bool, _ change: @escaping @Sendable (inout LiveParameters) -> Void) {
            self.isPossible = isPossible
            self.change = change
        }
    }

    @Test(
        "live changes need another encoder, but for key frames closer by, which the session forces",
        arguments: [
            LiveRow(true) { _ in }, LiveRow(false) { $0.rate = .init(.averageBitRate(100_000)) },
            LiveRow(false) { $0.asked.maxAllowedFrameQP = 40 }, LiveRow(false) { $0.pace = 50 },
            LiveRow(true) { $0.asked.maxKeyFrameInterval = 3 },
            LiveRow(true) { $0.asked.maxKeyFrameIntervalDuration = 1 },
            LiveRow(false) { $0.asked.maxKeyFrameInterval = 11 }, LiveRow(false) { $0.asked.maxKeyFrameInterval = nil },
        ])
    func updates(row: LiveRow) throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 1)
        let settings = clip.settings {
            $0.live.rate = .init(
                .averageBitRate(300_000), buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 300_000))
            $0.live.asked.maxKeyFrameInterval = 10
        }
        let encoder = try X265Backend().openFirst(settings, logger: Logger(label: "test"))
        var live = settings.live
        row.change(&live)
        #expect(try encoder.update(live) == (row.isPossible ? .fromNextPicture : .withAnotherEncoder))
        // And back, from whatever is in force.
        #expect(try encoder.update(settings.live) == .fromNextPicture)
    }

    @Test("limits that key frames close by may break are listed for the interval in force")
    func liveInterval() throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 1)
        let settings = clip.settings {
            $0.live.rate = .init(.automatic, buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 300_000))
        }
        let encoder = try X265Backend().openFirst(settings, logger: Logger(label: "test"))
        var live = settings.live
        for (interval, isListed) in [(nil, false), (2, true), (20, false)] as [(Int?, Bool)] {
            live.asked.maxKeyFrameInterval = interval
            #expect(try encoder.update(live) == .fromNextPicture)
            #expect(encoder.adjustments.contains { $0.setting == .dataRateLimits } == isListed)
        }
    }

    @Test("a buffer smaller than a picture's share lowers the peak, and libx265 leaves both alone")
    func smallBuffer() throws {
        let clip = TestClip.scenes(width: 66, height: 64, count: 1)
        let tiny = clip.settings {
            $0.live.rate = .init(
                .averageBitRate(200_000), buffer: BufferModel(peakBitsPerSecond: 300_000, bits: 1000))
        }
        let encoder = try X265Backend().openFirst(tiny, logger: Logger(label: "test"))
        #expect(encoder.adjustments.map(\.setting) == [.dataRateLimits, .averageBitRate])
        #expect(encoder.adjustments.prefix(2).map(\.used) == ["25000 bit/s", "25000 bit/s"])
    }

    @Test("an update above the level is refused, and the session goes on as it was", arguments: [0, 3])
    func refusedUpdate(place: Int) async throws {
        let clip = TestClip.scenes(width: 64, height: 64, count: 6)
        var configuration = SessionConfiguration(codec: .hevc, width: 64, height: 64)
        configuration.profileLevel = ProfileLevel(profile: .hevcMain, level: 20)
        configuration.live.averageBitRate = 300_000
        let session = try CompressionSession(configuration, encoder: X265Backend())
        for index in 0..<6 {
            if index == place {
                let error = await #expect(throws: EncoderError.self) {
                    try await session.update { $0.averageBitRate = 50_000_000 }
                }
                #expect(error?.reason.contains("50000000 bit/s") == true)
                #expect(session.effective.live.rate.control == .averageBitRate(300_000))
            }
            try await session.encode(try clip.pixelBuffer(index), at: MediaTime(value: Int64(index), timescale: 25))
        }
        try await session.finish()
        var syncs: [Bool] = []
        for try await frame in session.encodedFrames { syncs.append(try #require(frame.accessUnit).isSync) }
        #expect(syncs.sorted { $0 && !$1 } == [true, false, false, false, false, false])
    }

    @Test("a level without limits bounds the bit rate, and says so")
    func levelBoundsTheRate() throws {
        let clip = TestClip.scenes(width: 66, height: 64, count: 1)
        let encoder = try X265Backend().openFirst(
            clip.settings { $0.plan.level = 30 }, logger: Logger(label: "test"))
        #expect(encoder.adjustments.map(\.setting) == [.dataRateLimits])
        #expect(encoder.adjustments.first?.requested == "no limit")
        #expect(encoder.adjustments.first?.used == "6000000 bit/s from a buffer of 6000000 bits")
    }

    @Test("the first encoders of a process may open at the same time")
    func concurrentOpening() async {
        await #expect(processExitsWith: .success) {
            let clip = TestClip.scenes(width: 96, height: 64, count: 6)
            let streams = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 { group.addTask { try clip.encode(clip.settings()).stream } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(streams.count == 1)
        }
    }

    @Test("nothing is written to stderr, whatever happens")
    func silence() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for row in X265RefusalTests.rows {
                var settings = ResolvedSettings(codec: .hevc, width: 640, height: 360)
                row.change(&settings)
                _ = try? X265Backend().openFirst(settings, logger: Logger(label: "test"))
            }
            for row in X265ParametersTests.rows {
                let clip = TestClip.scenes(width: 64, height: 48, count: 3)
                _ = try clip.encode(clip.settings(row.change))
            }
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "")
    }

    /// What ffprobe prints for fields of the stream, in ffprobe's order.
    private func probe(_ stream: [UInt8], _ fields: String) async throws -> String {
        try await withTemporaryDirectory { folder in
            let file = try folder.write(stream, to: "out.hevc")
            let arguments = [
                "-v", "error", "-count_frames", "-show_entries", "stream=\(fields)", "-of", "csv=p=0", file,
            ]
            return String(try await ExternalProgram.ffprobe.run(arguments).text.prefix { $0 != "\n" })
        }
    }
}
