// SPDX-License-Identifier: MIT

import CoreMedia
import CoreVideo
import Foundation
import VideoToolbox

/// Encodes what is drawn into buffers of a pool that may hold only so many, and drops a picture where it has none left.
package final class PoolRecorder {
    private let pool: CVPixelBufferPool
    private let auxiliary: CFDictionary
    private let session: VTCompressionSession
    package private(set) var dropped = 0
    package private(set) var failures: [OSStatus] = []

    /// Makes a pool of pictures of a size and format, of which it makes `most`; the video has half of each side.
    package init?(width: Int, height: Int, format: OSType, most: Int) {
        let attributes: [CFString: Any] = [
            kCVPixelBufferPixelFormatTypeKey: format, kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
        ]
        var pool: CVPixelBufferPool?
        CVPixelBufferPoolCreate(
            nil, [kCVPixelBufferPoolMinimumBufferCountKey: 2] as CFDictionary, attributes as CFDictionary, &pool)
        var session: VTCompressionSession?
        VTCompressionSessionCreate(
            allocator: nil, width: Int32(width / 2), height: Int32(height / 2), codecType: kCMVideoCodecType_H264,
            encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil,
            refcon: nil, compressionSessionOut: &session)
        guard let pool, let session else { return nil }
        (self.pool, self.session) = (pool, session)
        auxiliary = [kCVPixelBufferPoolAllocationThresholdKey: most] as CFDictionary
        let keys: [CFString: Any] = [
            kVTCompressionPropertyKey_RealTime: true,
            kVTCompressionPropertyKey_ProfileLevel: kVTProfileLevel_H264_High_AutoLevel,
            kVTCompressionPropertyKey_Quality: 0.7,
            kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: 1,
            kVTCompressionPropertyKey_PixelTransferProperties: [
                kVTPixelTransferPropertyKey_ScalingMode: kVTScalingMode_Letterbox
            ],
        ]
        let status = VTSessionSetProperties(session, propertyDictionary: keys as CFDictionary)
        if status != noErr { failures.append(status) }
    }

    /// Has a picture drawn and encoded; counts it as dropped where the pool has no buffer.
    package func record(
        at time: CMTime, draw: (CVPixelBuffer) -> Void, output: @escaping @Sendable (Data, CMTime, [Data]) -> Void
    ) {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, auxiliary, &buffer)
        if status == kCVReturnWouldExceedAllocationThreshold {
            dropped += 1
            return
        }
        guard status == kCVReturnSuccess, let buffer else {
            failures.append(status)
            return
        }
        draw(buffer)
        let encoded = VTCompressionSessionEncodeFrame(
            session, imageBuffer: buffer, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
            infoFlagsOut: nil
        ) { status, _, sample in
            guard status == noErr, let sample, let data = try? sample.dataBuffer?.dataBytes() else { return }
            let isKey = sample.sampleAttachments[0][.notSync] == nil
            output(data, sample.presentationTimeStamp, isKey ? sample.formatDescription?.parameterSets ?? [] : [])
        }
        if encoded != noErr { failures.append(encoded) }
    }

    /// Waits for all frames.
    package func complete() {
        let status = VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .indefinite)
        if status != noErr { failures.append(status) }
    }
}
