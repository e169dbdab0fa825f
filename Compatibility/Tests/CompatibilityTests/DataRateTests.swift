// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import Testing
import VideoToolbox

/// DataRateLimits with one window and with two.
@Suite struct DataRateTests {
    /// Times in seconds and bytes of 150 frames, with an average above what the limits leave.
    private static func sizes(
        _ codec: CMVideoCodecType, _ limits: [NSNumber], isRealTime: Bool
    ) throws -> [(time: Double, bytes: Int)] {
        var created: VTCompressionSession?
        VTCompressionSessionCreate(
            allocator: nil, width: 640, height: 360, codecType: codec, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
            compressionSessionOut: &created)
        let session = try #require(created)
        let keys: [CFString: Any] = [
            kVTCompressionPropertyKey_AverageBitRate: 1_500_000, kVTCompressionPropertyKey_DataRateLimits: limits,
            kVTCompressionPropertyKey_ExpectedFrameRate: 30, kVTCompressionPropertyKey_MaxKeyFrameInterval: 40,
            kVTCompressionPropertyKey_RealTime: isRealTime, kVTCompressionPropertyKey_AllowFrameReordering: false,
        ]
        #expect(VTSessionSetProperties(session, propertyDictionary: keys as CFDictionary) == noErr)
        let frames = Collected<(time: Double, bytes: Int)>()
        for index in 0..<150 {
            let picture = try #require(
                TestPictures.make(
                    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 640, height: 360, index: index))
            let status = VTCompressionSessionEncodeFrame(
                session, imageBuffer: picture, presentationTimeStamp: CMTime(value: Int64(index), timescale: 30),
                duration: .invalid, frameProperties: nil, infoFlagsOut: nil
            ) { _, _, sample in
                guard let sample else { return }
                frames.append((sample.presentationTimeStamp.seconds, sample.totalSampleSize))
            }
            #expect(status == noErr)
        }
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        VTCompressionSessionInvalidate(session)
        return frames.elements
    }

    @Test(
        "no window of either length has more bytes than its limit",
        arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC], [true, false])
    func windows(codec: CMVideoCodecType, isRealTime: Bool) throws {
        let frames = try Self.sizes(codec, [100_000, 1, 260_000, 3], isRealTime: isRealTime)
        #expect(frames.count == 150)
        #expect(DataRate.most(frames, within: 1) <= 100_000)
        #expect(DataRate.most(frames, within: 3) <= 260_000)
        // The limits bite, and are not simply a rate of zero.
        #expect(DataRate.most(frames, within: 3) > 100_000)
    }
}
