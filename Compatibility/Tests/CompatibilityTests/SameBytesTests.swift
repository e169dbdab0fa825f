// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import EncoderAPI
import Foundation
import Testing
import TwoCodecClient
import X264Backend
import X265Backend

/// What comes out of VideoToolbox's names is what EncoderAPI makes with the same settings.
@Suite struct SameBytesTests {
    private static let frames = 60

    /// The picture of a number, in memory that a CVPixelBuffer keeps.
    private static func picture(_ index: Int) throws -> CVPixelBuffer {
        try #require(
            TestPictures.make(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 640, height: 360, index: index))
    }

    private static func wrapped(_ buffer: CVPixelBuffer) throws -> PixelBuffer {
        let held = Held(object: buffer)
        let planes = (0..<2).map { plane in
            let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
            return PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(
                    start: CVPixelBufferGetBaseAddressOfPlane(buffer, plane),
                    count: stride * CVPixelBufferGetHeightOfPlane(buffer, plane)), bytesPerRow: stride)
        }
        return try PixelBuffer(wrapping: planes, format: .nv12, width: 640, height: 360) { _ = held }
    }

    private static func limit(_ bitRate: Int) -> [DataRateLimit] {
        [DataRateLimit(bytes: bitRate / 8 * 3 / 2, seconds: 1)]
    }

    /// The client's settings in EncoderAPI's words.
    private static func configuration(_ kind: TwoCodecEncoder.Kind) -> SessionConfiguration {
        var configuration = SessionConfiguration(
            codec: kind == .hevc ? .hevc : .h264, width: 640, height: 360, pixelFormat: .nv12)
        configuration.realTime = true
        configuration.allowFrameReordering = false
        configuration.live = LiveSettings(
            rateControl: .averageBitRate(900_000), dataRateLimits: limit(900_000), expectedFrameRate: FrameRate(30))
        configuration.live.maxKeyFrameInterval = 60
        configuration.live.maxKeyFrameIntervalDuration = 2
        configuration.maxFrameDelayCount = 1
        configuration.pipelineCapacity = 3
        switch kind {
        case .hevc: configuration.profileLevel = ProfileLevel(videoToolbox: "HEVC_Main_AutoLevel") ?? .automatic
        case .h264Main:
            configuration.profileLevel = ProfileLevel(videoToolbox: "H264_Main_AutoLevel") ?? .automatic
            configuration.h264EntropyMode = .cabac
        case .h264Baseline:
            configuration.profileLevel = ProfileLevel(videoToolbox: "H264_Baseline_AutoLevel") ?? .automatic
            configuration.h264EntropyMode = .cavlc
        }
        return configuration
    }

    @Test("bytes, also across a live change and a forced key frame", arguments: TwoCodecEncoder.Kind.allCases)
    func same(kind: TwoCodecEncoder.Kind) throws {
        let encoder = try #require(TwoCodecEncoder(kind, width: 640, height: 360, frameRate: 30, bitRate: 900_000))
        let here = Collected<Data>()
        encoder.output = { frame, _ in here.append(frame.annexB) }
        for index in 0..<Self.frames {
            if index == 30 { encoder.change(bitRate: 400_000) }
            let time = CMTime(value: Int64(index), timescale: 30)
            #expect(encoder.encode(try Self.picture(index), at: time, forcesKeyFrame: index == 20) == noErr)
        }
        encoder.finish()

        let backend: any ImmediateBackend = kind == .hevc ? X265Backend() : X264Backend()
        let session = try CompressionSession(Self.configuration(kind), encoder: backend)
        let there = Collected<Data>()
        try session.deliver { frame in
            if let unit = frame.accessUnit { there.append(Data(unit.data)) }
        }
        for index in 0..<Self.frames {
            if index == 30 {
                try session.synchronous.update {
                    $0.averageBitRate = 400_000
                    $0.dataRateLimits = Self.limit(400_000)
                }
            }
            try session.synchronous.encode(
                Self.wrapped(Self.picture(index)), at: MediaTime(value: Int64(index), timescale: 30),
                options: FrameOptions(forceKeyFrame: index == 20))
        }
        try session.synchronous.finish()

        var streams = [ElementaryStream(.h264), ElementaryStream(.h264)]
        for frame in here.elements { streams[0].append(annexB: frame) }
        for frame in there.elements { streams[1].append(sample: frame) }
        #expect(here.elements.count == Self.frames && there.elements.count == Self.frames)
        #expect(streams[0].data == streams[1].data)
    }
}
