// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import StreamClient
import Testing
import VideoToolbox

/// Sample buffers into an AsyncStream, with a decoder's half present.
@Suite struct StreamClientTests {
    @Test(
        "120 frames of 720p in a smaller stream; a live rate without a key frame",
        arguments: [
            kVTProfileLevel_H264_Baseline_3_1 as String, kVTProfileLevel_H264_High_AutoLevel as String,
            kVTProfileLevel_HEVC_Main_AutoLevel as String,
        ])
    func stream(profileLevel: String) async throws {
        let encoder = StreamEncoder()
        encoder.settings.profileLevel = profileLevel
        encoder.settings.bitRate = 1_200_000
        for index in 0..<120 {
            if index == 75 { encoder.settings.bitRate = 500_000 }
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 1280, height: 720, index: index)
            let time = CMTime(value: Int64(index + 1) * 20, timescale: 600)
            try encoder.append(
                makeSample(try #require(picture), at: time, duration: CMTime(value: 20, timescale: 600)))
        }
        encoder.stop()
        var samples: [CMSampleBuffer] = []
        for await sample in encoder.output { samples.append(sample) }
        #expect(samples.map(\.presentationTimeStamp) == (1...120).map { CMTime(value: $0 * 20, timescale: 600) })
        #expect(samples.allSatisfy { $0.duration == CMTime(value: 20, timescale: 600) })
        let keys = samples.indices.filter { samples[$0].sampleAttachments[0][.notSync] == nil }
        let isHEVC = profileLevel.contains("HEVC")
        // x265 changes rates at a key frame, after which the interval counts anew.
        #expect(keys == (isHEVC ? [0, 60, 75] : [0, 60]))
        let sizes = samples.map(\.totalSampleSize)
        #expect(DataRate.average(sizes[90...], frameRate: 30) < 700_000)
        // One object while nothing changes.
        #expect(isHEVC || Set(samples.compactMap { $0.formatDescription.map(ObjectIdentifier.init) }).count == 1)
        let format = try #require(samples[0].formatDescription)
        let atoms = CMFormatDescriptionGetExtension(
            format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        #expect((atoms as? NSDictionary)?[isHEVC ? "hvcC" : "avcC"] is Data)

        var stream = ElementaryStream(isHEVC ? .hevc : .h264)
        for (index, sample) in samples.enumerated() {
            if keys.contains(index) {
                for set in sample.formatDescription?.parameterSets ?? [] { stream.append(unit: Data(set)) }
            }
            stream.append(sample: try #require(try sample.dataBuffer?.dataBytes()))
        }
        guard let decoded = try decode(stream, frames: 120) else { return }
        #expect(decoded.pictures.allSatisfy { $0.width == 640 && $0.height == 360 })
    }

    @Test("a compressed sample finds no decoder, by its status")
    func noDecoder() throws {
        let encoder = StreamEncoder()
        var format: CMFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCMVideoCodecType_H264, width: 64, height: 64, extensions: nil,
            formatDescriptionOut: &format)
        var sample: CMSampleBuffer?
        CMSampleBufferCreate(
            allocator: nil, dataBuffer: nil, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: format, sampleCount: 0, sampleTimingEntryCount: 0, sampleTimingArray: nil,
            sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &sample)
        let compressed = try #require(sample)
        #expect(throws: StreamEncoderError(status: kVTCouldNotFindVideoDecoderErr)) { try encoder.append(compressed) }
    }
}
