// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import Logging
import ParameterSets
import TestSupport
import Testing

@testable import X264Backend

@Suite struct X264EncoderTests {
    private static let clip = TestClip.textures(count: 40)
    private static let settings = clip.settings

    @Test("every frame comes out once, the first as an IDR behind its parameter sets, without the library's version")
    func complete() throws {
        let output = try Self.clip.encode(Self.settings)
        #expect(output.map(\.id).sorted() == Array(0..<40))
        let first = try #require(output.first)
        #expect(first.unitTypes == [.sps, .pps, .idrSlice])
        #expect(first.type == .i && first.isIDR && first.isReference && !first.isRecoveryPoint)
        #expect(output.contains { $0.type == .b })
        #expect(output.allSatisfy { $0.isReference == ($0.slices[0].unitHeader?.refIdc != 0) })
        #expect(output.contains { !$0.isReference })
    }

    @Test("the library's version is told from other SEI by its UUID, whatever its size")
    func version() {
        let uuid: [UInt8] = [
            0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
        ]
        let rows: [([UInt8], Bool)] = [
            // Header, payload type 5, size (255 more for each FF), UUID.
            ([0x06, 0x05, 0x14] + uuid, true), ([0x06, 0x05, 0xFF, 0xFF, 0x14] + uuid, true),
            ([0x06, 0x06, 0x14] + uuid, false), ([0x06, 0x05, 0x14, 0x00] + uuid, false),
            ([0x06, 0x05, 0x14] + uuid.dropLast(), false), ([0x06, 0x05], false), ([0x06], false), ([], false),
        ]
        for (unit, isVersion) in rows {
            #expect(unit.withUnsafeBytes { X264Encoder.isVersion($0) } == isVersion, "\(unit)")
        }
    }

    @Test("parameter sets are known before the first picture", arguments: [8, 10], [1, 4])
    func parameterSets(bitDepth: Int, threads: Int) throws {
        let clip = TestClip.textures(format: bitDepth > 8 ? .i010 : .i420, count: 12)
        let driver = try EncoderDriver(clip, clip.settings.with { $0.request.threadCount = threads })
        let told = try #require(try driver.encoder.parameterSets)
        #expect(told.map { $0.unitHeader?.type } == [.sps, .pps])
        try driver.encode(12)
        try driver.flush()
        #expect(Array(try #require(driver.output.first).nalUnits.prefix(2)) == told)
    }

    @Test("units come without start code and are NAL units", arguments: [1, 4])
    func units(slices: Int) throws {
        let output = try Self.clip.encode(
            Self.settings.with { $0.request.nativeOptions = [NativeOption("slices", "\(slices)")] })
        #expect(output.allSatisfy { $0.slices.count == slices })
        let written: [H264NALUnitType?] = [.slice, .idrSlice, .sei, .sps, .pps]
        #expect(output.flatMap(\.unitTypes).allSatisfy { written.contains($0) })
    }

    @Test("forced key frames are IDR pictures on exactly the asked frames", arguments: [false, true])
    func forced(openGOP: Bool) throws {
        let output = try Self.clip.encode(
            Self.settings.with {
                $0.request.nativeOptions = [NativeOption("scenecut", "0")]
                $0.request.allowOpenGOP = openGOP
            }, forcing: [3, 4, 17, 39])
        #expect(output.filter(\.isIDR).map(\.id) == [0, 3, 4, 17, 39])
        #expect(output.filter(\.isIDR).allSatisfy { $0.unitTypes.starts(with: [.sps, .pps]) })
    }

    @Test("key frames of an open GOP are recovery points, not IDR pictures")
    func openGOP() throws {
        let output = try Self.clip.encode(
            Self.settings.with {
                $0.request.nativeOptions = [NativeOption("scenecut", "0")]
                $0.request.allowOpenGOP = true
                $0.live.asked.maxKeyFrameInterval = 10
            })
        let points = output.filter(\.isRecoveryPoint)
        #expect(points.map(\.id) == [10, 20, 30])
        #expect(points.allSatisfy { !$0.isIDR && $0.type == .i })
    }

    @Test("an interval of 1 makes every frame an IDR")
    func allKeyFrames() throws {
        #expect(try Self.clip.encode(Self.settings.with { $0.live.asked.maxKeyFrameInterval = 1 }).allSatisfy(\.isIDR))
    }

    @Test("interleaved chroma gives the same stream as planar")
    func nv12() throws {
        // A preset without macroblock-tree rate control, which is not repeatable at this width; see X264Backend.
        let settings = Self.settings.with { $0.request.preset = "superfast" }
        let planar = try Self.clip.encode(settings)
        let interleaved = try Self.clip.encode(settings.with { $0.picture.pixelFormat = .nv12 })
        #expect(planar == interleaved)
    }

    @Test("ten bits are coded as High 10")
    func deep() throws {
        let clip = TestClip.textures(format: .i010, count: 5)
        let first = try #require(try clip.encode(clip.settings).first)
        #expect(first.unitTypes == [.sps, .pps, .idrSlice])
        #expect(first.nalUnits[0][1] == 110)
    }

    @Test(
        "adjustments name the profile that the parameter sets do",
        arguments: [
            (Profile.h264High, "ultrafast", ["Constrained Baseline"]),
            (.h264ConstrainedHigh, "fast", ["High without B pictures"]), (.h264High, "fast", []),
            (.h264ConstrainedBaseline, "fast", []), (.h264Main, "fast", []),
        ])
    func profile(profile: Profile, preset: String, used: [String]) throws {
        let driver = try EncoderDriver(
            Self.clip,
            Self.settings.with {
                $0.request.profileLevel.profile = profile
                $0.request.preset = preset
            })
        #expect(driver.encoder.adjustments.map(\.used) == used)
    }

    @Test("a live change of the average moves the bits, with no key frame")
    func liveAverage() throws {
        func rate(_ bitsPerSecond: Int) -> LiveParameters.Rate {
            .init(
                .averageBitRate(bitsPerSecond),
                buffer: BufferModel(peakBitsPerSecond: bitsPerSecond, bits: bitsPerSecond))
        }
        let settings = Self.settings.with {
            $0.request.preset = "veryfast"
            $0.request.maxFrameDelayCount = 0
            $0.request.nativeOptions = [NativeOption("scenecut", "0")]
            $0.live.rate = rate(600_000)
        }
        let driver = try EncoderDriver(Self.clip, settings)
        try driver.encode(60)
        #expect(try driver.encoder.update(settings.with { $0.live.rate = rate(150_000) }.live) == .fromNextPicture)
        try driver.encode(60)
        #expect(try driver.encoder.update(settings.with { $0.live.rate = rate(600_000) }.live) == .fromNextPicture)
        try driver.encode(60)
        let bytes = [30..<60, 90..<120, 150..<180].map { driver.output[$0].reduce(0) { $0 + $1.sliceBytes } }
        #expect(bytes[1] * 2 < bytes[0])
        #expect(bytes[1] * 2 < bytes[2])
        #expect(driver.output.filter(\.isIDR).map(\.id) == [0])
    }

    @Test("what the library rounds is listed for the rate in force, not for an earlier one")
    func liveRounding() throws {
        func settings(_ bitsPerSecond: Int) -> ResolvedSettings {
            Self.settings.with {
                $0.live.rate = .init(
                    .averageBitRate(bitsPerSecond), buffer: BufferModel(peakBitsPerSecond: 2_000_000, bits: 2_000_000))
            }
        }
        let driver = try EncoderDriver(Self.clip, settings(2_000_700))
        var listed = [driver.encoder.adjustments.filter { $0.setting == .averageBitRate }.map(\.requested)]
        for rate in [2_000_000, 2_000_300] {
            #expect(try driver.encoder.update(settings(rate).live) == .fromNextPicture)
            listed.append(driver.encoder.adjustments.filter { $0.setting == .averageBitRate }.map(\.requested))
        }
        #expect(listed == [["2000700 bit/s"], [], ["2000300 bit/s"]])
    }

    @Test("a live change of the rate factor moves the bits; others are left to a new encoder")
    func liveFactor() throws {
        let settings = Self.settings.with {
            $0.request.maxFrameDelayCount = 0
            $0.live.rate = .init(.constantRateFactor(20))
        }
        let driver = try EncoderDriver(Self.clip, settings)
        try driver.encode(10)
        #expect(
            try driver.encoder.update(settings.with { $0.live.rate = .init(.constantRateFactor(40)) }.live)
                == .fromNextPicture)
        try driver.encode(10)
        let bytes = [5..<10, 15..<20].map { driver.output[$0].reduce(0) { $0 + $1.sliceBytes } }
        #expect(bytes[1] * 3 < bytes[0])
        #expect(
            try driver.encoder.update(settings.with { $0.live.asked.maxAllowedFrameQP = 30 }.live)
                == .withAnotherEncoder)
        #expect(
            try driver.encoder.update(settings.with { $0.live.rate = .init(.averageBitRate(100_000)) }.live)
                == .withAnotherEncoder)
    }

    @Test(
        "a live raise that the level in the stream does not allow is left to a new encoder",
        arguments: [(64, 64), (176, 144), (640, 360), (1280, 720)], [0.4, 0.6, 1, 3, 8, 20, 60])
    func raiseBeyondLevel(size: (width: Int, height: Int), megabits: Double) throws {
        func rate(_ megabits: Double) -> LiveParameters.Rate {
            let bits = Int(megabits * 1_000_000)
            return .init(.averageBitRate(bits), buffer: BufferModel(peakBitsPerSecond: bits, bits: bits))
        }
        var settings = ResolvedSettings(codec: .h264, width: size.width, height: size.height)
        settings.live.rate = rate(0.3)
        let encoder = try X264Backend().openFirst(settings, logger: .silent)
        let sps = try #require(try encoder.parameterSets?.first)
        // Table A-1: the largest bit rate and buffer of a level in kbit, five quarters of which High has (A.3.1).
        let table: [UInt8: (Int, Int)] = [
            10: (64, 175), 11: (192, 500), 12: (384, 1000), 13: (768, 2000), 20: (2000, 2000), 21: (4000, 4000),
            22: (4000, 4000), 30: (10000, 10000), 31: (14000, 14000),
        ]
        let most = try #require(table[sps[3]])
        settings.live.rate = rate(megabits)
        let isAllowed = megabits * 1000 <= Double(min(most.0, most.1)) * 1.25
        #expect(try encoder.update(settings.live) == (isAllowed ? .fromNextPicture : .withAnotherEncoder))
    }

    @Test("pictures of another format or too small are refused")
    func badPicture() throws {
        let encoder = try X264Backend().openFirst(Self.settings, logger: .silent)
        let small = TestClip.textures(width: 64, height: 64, count: 2)
        for buffer in [try Self.clip.pixelBuffer(0, format: .nv12), try small.pixelBuffer(0, format: .i420)] {
            let error = #expect(throws: EncoderError.self) {
                try encoder.encode(SourcePicture(id: 0, pixelBuffer: buffer, ticks: 0)) { _ in }
            }
            #expect(error?.code == .invalidPixelBuffer)
        }
    }

    @Test("the library's messages reach the logger at their level")
    func messages() throws {
        let log = RecordingLog()
        // An infinite group of pictures is what the library wants here.
        let settings = Self.settings.with { $0.request.nativeOptions = [NativeOption("rc-lookahead", "0")] }
        _ = try EncoderDriver(Self.clip, settings, logger: log.logger(level: .debug))
        #expect(log.texts(.warning).contains { $0.contains("lookaheadless mb-tree") })
        #expect(log.texts(.debug).contains { $0.hasPrefix("profile High") })
    }

    @Test("an encoder that does not open says what the library said")
    func refusedByLibrary() throws {
        let log = RecordingLog()
        let parameters = try X264Parameters(Self.settings)
        parameters.raw.i_width = 0
        let error = #expect(throws: EncoderError.self) {
            _ = try X264Handle(opening: parameters, logger: log.logger(level: .error))
        }
        #expect(error?.code == .backendFailure)
        #expect(error?.reason.contains("invalid width") == true, "\(error?.reason ?? "")")
        // Said once, by the error.
        #expect(log.texts(.error).isEmpty)
    }
}
