// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

extension CMSampleBuffer: @retroactive @unchecked Sendable {}

/// Sets all keys by one dictionary, gets frames by handlers into a stream, and has a decoder's half beside it.
package final class StreamClient {
    package struct Settings {
        package var width: Int32 = 320
        package var height: Int32 = 240
        package var bitRate = 500_000
        package var profileLevel = kVTProfileLevel_H264_Baseline_3_1 as String
        package init() {}

        fileprivate var codec: CMVideoCodecType {
            profileLevel.contains("HEVC") ? kCMVideoCodecType_HEVC : kCMVideoCodecType_H264
        }

        fileprivate var properties: [AnyHashable: AnyObject] {
            [
                kVTCompressionPropertyKey_RealTime: kCFBooleanTrue,
                kVTCompressionPropertyKey_ProfileLevel: profileLevel as NSObject,
                kVTCompressionPropertyKey_AverageBitRate: bitRate as NSObject,
                kVTCompressionPropertyKey_ExpectedFrameRate: 30.0 as NSObject,
                kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: 2.0 as NSObject,
                kVTCompressionPropertyKey_AllowFrameReordering: !profileLevel.contains("Baseline") as NSObject,
                kVTCompressionPropertyKey_PixelTransferProperties: ["ScalingMode": "Trim"] as NSObject,
            ]
        }
    }

    package let samples: AsyncStream<CMSampleBuffer>
    private let continuation: AsyncStream<CMSampleBuffer>.Continuation
    private var session: VTCompressionSession?
    private var decoder: VTDecompressionSession?
    /// The status that a decoder is refused with.
    package private(set) var decoderStatus = noErr

    /// nil where any status is not 0.
    package init?(_ settings: Settings) {
        (samples, continuation) = AsyncStream.makeStream()
        let attributes: [NSString: AnyObject] = [
            kCVPixelBufferPixelFormatTypeKey: kCMMediaType_Video as NSNumber,
            kCVPixelBufferIOSurfacePropertiesKey: NSDictionary(), kCVPixelBufferMetalCompatibilityKey: kCFBooleanTrue,
        ]
        var session: VTCompressionSession?
        guard
            VTCompressionSessionCreate(
                allocator: kCFAllocatorDefault, width: settings.width, height: settings.height,
                codecType: settings.codec, encoderSpecification: nil,
                imageBufferAttributes: attributes as CFDictionary, compressedDataAllocator: nil, outputCallback: nil,
                refcon: nil, compressionSessionOut: &session) == noErr, let session,
            VTSessionSetProperties(session, propertyDictionary: settings.properties as CFDictionary) == noErr,
            VTCompressionSessionPrepareToEncodeFrames(session) == noErr
        else { return nil }
        self.session = session
    }

    package func append(_ buffer: CVImageBuffer, at time: CMTime) -> OSStatus {
        guard let session else { return kVTInvalidSessionErr }
        var flags: VTEncodeInfoFlags = []
        return VTCompressionSessionEncodeFrame(
            session, imageBuffer: buffer, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
            infoFlagsOut: &flags
        ) { [continuation] status, _, sample in
            guard let sample, status == noErr else { return }
            continuation.yield(sample)
        }
    }

    package func decode(_ sample: CMSampleBuffer) {
        guard let format = sample.formatDescription else { return }
        decoderStatus = VTDecompressionSessionCreate(
            allocator: nil, formatDescription: format, decoderSpecification: nil, imageBufferAttributes: nil,
            outputCallback: nil, decompressionSessionOut: &decoder)
    }

    package func stop() {
        if let session { VTCompressionSessionInvalidate(session) }
        session = nil
        continuation.finish()
    }
}
