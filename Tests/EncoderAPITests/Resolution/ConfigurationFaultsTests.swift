// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

/// A configuration that is wrong in more than one place.
@Suite struct ConfigurationFaultsTests {
    private var backend: FakeBackend {
        // Refuses options by their names, one at a time as libraries do.
        FakeBackend(
            refusal: { settings in
                settings.request.nativeOptions.first { $0.name.hasPrefix("no-such") }.map { option in
                    EncoderError(.unsupported, reason: "no option \(option.name)", setting: .nativeOptions)
                }
            }, hasNativeOptions: true)
    }

    private func faults(_ change: (inout SessionConfiguration) -> Void) -> [EncoderError] {
        FakeStream.configuration(change).faults(with: backend.encoder, of: backend)
    }

    @Test("a configuration that a session takes has no fault")
    func none() {
        #expect(faults { _ in }.isEmpty)
        #expect(
            faults { configuration in
                configuration.live.averageBitRate = 500_000
                configuration.profileLevel = ProfileLevel(profile: .h264High)
            }.isEmpty)
    }

    @Test("every fault is named, each once, with its setting")
    func all() {
        let faults = faults { configuration in
            configuration.width = 0
            configuration.height = 1 << 20
            configuration.live.averageBitRate = 1
            configuration.live.dataRateLimits = [DataRateLimit(bytes: -1, seconds: 0)]
            configuration.live.maxKeyFrameInterval = -5
            configuration.profileLevel = ProfileLevel(profile: .h264Baseline, level: 77)
            configuration.h264EntropyMode = .cabac
            configuration.allowFrameReordering = true
            configuration.preset = "sluggish"
            configuration.tune = "film"
            configuration.pipelineCapacity = 0
            configuration.nativeOptions = [
                .init("no-such-thing"), .init("fine", "1"), .init("no-such-thing-either", "2"),
            ]
        }
        let settings = faults.compactMap(\.setting)
        #expect(settings.count == faults.count)
        #expect(
            settings.filter { $0 == .nativeOptions }.count == 2
                && Set(settings) == [
                    .width, .height, .averageBitRate, .dataRateLimits, .maxKeyFrameInterval, .profileLevel,
                    .h264EntropyMode, .allowFrameReordering, .preset, .tune, .pipelineCapacity, .nativeOptions,
                ])
    }

    @Test("the first fault is the one that a session is refused with, whatever is wrong", arguments: 0..<5)
    func first(index: Int) {
        let changes: [(inout SessionConfiguration) -> Void] = [
            { $0.live.quality = 2 },
            { ($0.bitRateCeiling, $0.live.averageBitRate) = (5000, 6000) },
            { ($0.profileLevel, $0.width) = (ProfileLevel(level: 10), 1920) }, { $0.pixelFormat = .i012 },
            { ($0.live.quality, $0.preset) = (-1, "?") },
        ]
        let configuration = FakeStream.configuration(changes[index])
        let error = #expect(throws: EncoderError.self) { try CompressionSession(configuration, encoder: backend) }
        #expect(configuration.faults(with: backend.encoder, of: backend).first == error)
    }

    // MARK: - Giving way

    @Test("what conflicts gives way by the rules, and is reported")
    func concessions() throws {
        let rows: [(String, (inout SessionConfiguration) -> Void, (SessionConfiguration) -> Bool, Setting)] = [
            (
                "no reordering for Baseline",
                { ($0.profileLevel.profile, $0.allowFrameReordering) = (.h264Baseline, true) },
                { $0.profileLevel.profile == .h264Baseline && $0.allowFrameReordering != true }, .allowFrameReordering
            ),
            (
                "CAVLC for Baseline", { ($0.profileLevel.profile, $0.h264EntropyMode) = (.h264Baseline, .cabac) },
                { $0.profileLevel.profile == .h264Baseline && $0.h264EntropyMode == nil }, .h264EntropyMode
            ),
            (
                "a profile for deeper pictures", { ($0.profileLevel.profile, $0.pixelFormat) = (.h264High, .i010) },
                { $0.profileLevel.profile == nil && $0.pixelFormat == .i010 }, .profileLevel
            ),
            (
                "a level for the size",
                { ($0.profileLevel, $0.width, $0.height) = (.init(profile: .h264High, level: 10), 1920, 1080) },
                { $0.profileLevel == ProfileLevel(profile: .h264High) }, .profileLevel
            ),
            (
                "a level for the frame rate",
                { ($0.profileLevel, $0.live.expectedFrameRate) = (.init(profile: .h264High, level: 10), 60) },
                { $0.profileLevel == ProfileLevel(profile: .h264High) && $0.live.expectedFrameRate == 60 },
                .profileLevel
            ),
            (
                "a level for the bit rate",
                { ($0.profileLevel, $0.live.averageBitRate) = (.init(profile: .h264High, level: 10), 10_000_000) },
                { $0.profileLevel == ProfileLevel(profile: .h264High) && $0.live.averageBitRate == 10_000_000 },
                .profileLevel
            ),
            (
                "a ceiling to a named level",
                { ($0.profileLevel.level, $0.bitRateCeiling) = (10, 10_000_000) },
                { $0.profileLevel.level == 10 && $0.bitRateCeiling == nil }, .bitRateCeiling
            ),
            (
                "limits to a constant quantizer",
                { ($0.live.constantQuantizer, $0.live.dataRateLimits) = (30, [.init(bytes: 100_000, seconds: 1)]) },
                { $0.live.constantQuantizer == 30 && $0.live.dataRateLimits.isEmpty }, .dataRateLimits
            ),
            (
                "an average to the ceiling", { ($0.bitRateCeiling, $0.live.averageBitRate) = (100_000, 200_000) },
                { $0.live.averageBitRate == 100_000 }, .averageBitRate
            ),
            (
                "bounds that cross",
                { ($0.live.minAllowedFrameQP, $0.live.maxAllowedFrameQP) = (40, 30) },
                { $0.live.minAllowedFrameQP == nil && $0.live.maxAllowedFrameQP == 30 }, .minAllowedFrameQP
            ),
            ("what the encoder does not have", { $0.tune = "film" }, { $0.tune == nil }, .tune),
            (
                "an option that is not there", { $0.nativeOptions = [.init("fine"), .init("no-such")] },
                { $0.nativeOptions == [.init("fine")] }, .nativeOptions
            ),
        ]
        var backend = backend
        backend.hasAllSettings = true
        backend.directPixelFormats = [.i420, .i010]
        for (name, change, isRight, setting) in rows {
            let configuration = FakeStream.configuration(change)
            #expect(throws: EncoderError.self, "\(name)") { try CompressionSession(configuration, encoder: backend) }
            let (legal, adjustments) = try configuration.conceding(to: backend.encoder, of: backend)
            #expect(isRight(legal), "\(name): \(legal)")
            #expect(adjustments.map(\.setting) == [setting], "\(name): \(adjustments)")
            #expect(adjustments.allSatisfy { $0.requested != $0.used && !$0.reason.isEmpty })
            _ = try CompressionSession(legal, encoder: backend)
        }
    }

    @Test(
        "an entropy mode gives way to HEVC, and a profile to an encoder of fewer bits", arguments: VideoCodec.allCases)
    func otherEncoders(codec: VideoCodec) throws {
        var capabilities = backend.encoder.capabilities
        capabilities.bitDepths = [8]
        let encoder = EncoderDescription(
            id: "other", displayName: "other", libraryVersion: "1", codec: codec, capabilities: capabilities)
        let configuration = FakeStream.configuration {
            $0.codec = codec
            if codec == .hevc { $0.h264EntropyMode = .cavlc } else { $0.profileLevel.profile = .h264High10 }
        }
        let (legal, adjustments) = try configuration.conceding(to: encoder, of: backend)
        #expect(legal.h264EntropyMode == nil && legal.profileLevel == .automatic)
        #expect(adjustments.map(\.setting) == [codec == .hevc ? .h264EntropyMode : .profileLevel])
        #expect(adjustments.map(\.requested) == [codec == .hevc ? "cavlc" : "h264-high10-auto"])
    }

    @Test("what conflicts with nothing stays, and what is legal with nothing is refused")
    func nothingElse() throws {
        let plain = FakeStream.configuration { $0.live.averageBitRate = 100_000 }
        let (same, adjustments) = try plain.conceding(to: backend.encoder, of: backend)
        #expect(same == plain && adjustments.isEmpty)
        let changes: [(inout SessionConfiguration) -> Void] = [
            { $0.codec = .hevc }, { $0.live.averageBitRate = 1 }, { $0.width = 0 }, { $0.pixelFormat = .i012 },
        ]
        for change in changes {
            let configuration = FakeStream.configuration(change)
            #expect(throws: EncoderError.self) { try configuration.conceding(to: backend.encoder, of: backend) }
        }
    }

    // MARK: - Values in force

    @Test("the value of a setting in force is what was decided or asked, or what its adjustment says")
    func inForce() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { configuration in
                configuration.live.averageBitRate = 1_000_500
                configuration.live.dataRateLimits = [DataRateLimit(bytes: 50_000, seconds: 1)]
                configuration.profileLevel = ProfileLevel(profile: .h264Baseline)
            }, encoder: FakeBackend(hasAllSettings: true))
        try await session.encode(FakeStream.picture(), at: .zero, duration: MediaTime(value: 1, timescale: 25))
        try await session.finish()
        #expect(session.value(of: .expectedFrameRate) == "25")
        #expect(session.value(of: .allowFrameReordering) == "false")
        #expect(session.value(of: .profileLevel) == "h264-baseline-auto")
        #expect(session.value(of: .pipelineCapacity) == "16")
        #expect(session.value(of: .maxKeyFrameInterval) == nil && session.value(of: Setting(rawValue: "?")) == nil)
        #expect(session.adjustments.contains { $0.setting == .averageBitRate })
        let average = try #require(session.effective.inForce.live.averageBitRate)
        #expect(average < 400_000 && session.value(of: .averageBitRate) == "\(average)")
        #expect(session.value(of: Setting(rawValue: "Width")) == nil)
        // Each text is one that the setting takes.
        for row in SettingRow.all where row.effect != .frame {
            var copy = session.configuration
            if let text = session.value(of: row.setting) { try row.set(text, in: &copy) }
        }
    }

    @Test("a value that the library decides is told as the setting takes it")
    func decidedByLibrary() async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.live.averageBitRate = 400_500 }, encoder: FakeBackend(updatesLive: false))
        try await session.prepare()
        #expect(session.adjustments.contains { $0.setting == .averageBitRate && $0.used == "400000 bit/s" })
        #expect(session.value(of: .averageBitRate) == "400000")
        session.invalidate()
    }

    // MARK: - VideoToolbox's names

    @Test(
        "profile and level are read from VideoToolbox's constants",
        arguments: [
            ("H264_Baseline_1_3", ProfileLevel(profile: .h264Baseline, level: 13)),
            ("H264_Baseline_AutoLevel", ProfileLevel(profile: .h264Baseline)),
            ("H264_ConstrainedBaseline_AutoLevel", ProfileLevel(profile: .h264ConstrainedBaseline)),
            ("H264_Main_3_0", ProfileLevel(profile: .h264Main, level: 30)),
            ("H264_Main_AutoLevel", ProfileLevel(profile: .h264Main)),
            ("H264_High_4_1", ProfileLevel(profile: .h264High, level: 41)),
            ("kVTProfileLevel_H264_High_4_1", ProfileLevel(profile: .h264High, level: 41)),
            ("H264_High_5_2", ProfileLevel(profile: .h264High, level: 52)),
            ("H264_High_AutoLevel", ProfileLevel(profile: .h264High)),
            ("H264_ConstrainedHigh_AutoLevel", ProfileLevel(profile: .h264ConstrainedHigh)),
            ("HEVC_Main_AutoLevel", ProfileLevel(profile: .hevcMain)),
            ("HEVC_Main10_AutoLevel", ProfileLevel(profile: .hevcMain10)),
        ])
    func videoToolbox(name: String, expected: ProfileLevel) {
        #expect(ProfileLevel(videoToolbox: name) == expected)
    }

    @Test(
        "other texts are no profile",
        arguments: [
            "", "H264", "H264_", "H264_High", "H264_High_", "H264_High_4", "H264_High_4_1_", "H264_High_4_x",
            "H264_High_4_10", "H264_High_+4_+1", "kVTProfileLevel_", "kVTProfileLevel_kVTProfileLevel_H264_High_4_1",
            "H264_High_-4_1", "H264_Extended_5_0", "H264_Extended_AutoLevel", "HEVC_Main42210_AutoLevel",
            "HEVC_Monochrome_AutoLevel", "MP4V_Simple_L0", "h264_High_4_1", "H264_HighX_4_1",
        ])
    func unknown(name: String) { #expect(ProfileLevel(videoToolbox: name) == nil) }
}
