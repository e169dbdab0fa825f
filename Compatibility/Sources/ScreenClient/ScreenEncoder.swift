// SPDX-License-Identifier: MIT

import CoreMedia
import CoreVideo
import Foundation
import VideoToolbox

/// Encodes a screen's BGRA pictures to H.264 Main, with numbers made by CFNumberCreate and limits in bytes of bits.
package final class ScreenEncoder: @unchecked Sendable {
    /// A frame with its parameter sets, behind start codes.
    package struct Frame: Sendable {
        package let isKey: Bool
        package let time: CMTime
        package let width: Int32
        package let height: Int32
        package let annexB: Data
        package let sampleSize: Int
    }

    private var session: VTCompressionSession?
    package var output: (Frame) -> Void = { _ in }

    package init?(width: Int32, height: Int32, bitsPerSecond: Int32, frameRate: Int32) {
        let attributes: [NSString: Any] = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: width,
            kCVPixelBufferHeightKey: height, kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
        ]
        let status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: width, height: height, codecType: kCMVideoCodecType_H264,
            encoderSpecification: nil, imageBufferAttributes: attributes as CFDictionary,
            compressedDataAllocator: nil,
            outputCallback: { refcon, _, status, _, sample in
                guard status == noErr, let sample, let refcon else { return }
                Unmanaged<ScreenEncoder>.fromOpaque(refcon).takeUnretainedValue().take(sample)
            }, refcon: Unmanaged.passUnretained(self).toOpaque(), compressionSessionOut: &session)
        guard status == noErr, let session else { return nil }
        var (rate, fps, interval) = (bitsPerSecond, frameRate, frameRate * 2)
        let numbers = [
            CFNumberCreate(kCFAllocatorDefault, .sInt32Type, &rate), CFNumberCreate(nil, .intType, &fps),
            CFNumberCreate(nil, .sInt32Type, &interval),
        ]
        let statuses = [
            VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue),
            VTSessionSetProperty(
                session, key: kVTCompressionPropertyKey_ProfileLevel, value: kVTProfileLevel_H264_Main_AutoLevel),
            VTSessionSetProperty(session, key: kVTCompressionPropertyKey_AverageBitRate, value: numbers[0]),
            VTSessionSetProperty(session, key: kVTCompressionPropertyKey_ExpectedFrameRate, value: numbers[1]),
            VTSessionSetProperty(session, key: kVTCompressionPropertyKey_MaxKeyFrameInterval, value: numbers[2]),
            VTSessionSetProperty(
                session, key: kVTCompressionPropertyKey_DataRateLimits,
                value: [NSNumber(value: bitsPerSecond / 8 * 2), NSNumber(value: 1)] as CFArray),
        ]
        guard statuses.allSatisfy({ $0 == noErr }) else { return nil }
    }

    /// Encodes a picture; an invalid duration, as capture gives none.
    package func encode(_ picture: CVPixelBuffer, at time: CMTime) -> OSStatus {
        guard let session else { return kVTInvalidSessionErr }
        return VTCompressionSessionEncodeFrame(
            session, imageBuffer: picture, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
            sourceFrameRefcon: nil, infoFlagsOut: nil)
    }

    package func finish() {
        guard let session else { return }
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        VTCompressionSessionInvalidate(session)
        self.session = nil
    }

    private func take(_ sample: CMSampleBuffer) {
        guard let block = CMSampleBufferGetDataBuffer(sample), let format = CMSampleBufferGetFormatDescription(sample)
        else { return }
        let isKey = sample.sampleAttachments.first?[.notSync] == nil
        var annexB = Data()
        if isKey { for set in format.parameterSets { annexB += [0, 0, 0, 1] + set } }
        let length = CMBlockBufferGetDataLength(block)
        var bytes = [UInt8](repeating: 0, count: length)
        guard CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: length, destination: &bytes) == noErr else {
            return
        }
        var offset = 0
        while offset + 4 <= length {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            annexB += [0, 0, 0, 1] + bytes[(offset + 4)..<(offset + 4 + size)]
            offset += 4 + size
        }
        let size = CMVideoFormatDescriptionGetDimensions(format)
        output(
            Frame(
                isKey: isKey, time: CMSampleBufferGetPresentationTimeStamp(sample), width: size.width,
                height: size.height, annexB: annexB, sampleSize: length))
    }
}
