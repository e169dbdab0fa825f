// SPDX-License-Identifier: MIT

import Foundation
import VideoToolbox

/// Takes each NAL unit of a callback as one frame, passes itself as unretained context, and reads attachments by their
/// addresses.
package final class CallbackClient {
    private var session: VTCompressionSession?
    private var frameCount: Int64 = 0
    /// Annex B, parameter sets before each key frame.
    package private(set) var stream = Data()
    /// NAL units of samples.
    package private(set) var frames = 0
    /// Places of key frames.
    package private(set) var keyFrames: [Int] = []

    package init(width: Int32, height: Int32, bitRate: Int) {
        let status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: width, height: height, codecType: kCMVideoCodecType_H264,
            encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
            outputCallback: received, refcon: Unmanaged.passUnretained(self).toOpaque(), compressionSessionOut: &session
        )
        guard status == noErr, let session else { return }
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
        VTSessionSetProperty(
            session, key: kVTCompressionPropertyKey_ProfileLevel, value: kVTProfileLevel_H264_High_AutoLevel)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_MaxKeyFrameInterval, value: 30 as CFTypeRef)
        setBitRate(bitRate)
        VTCompressionSessionPrepareToEncodeFrames(session)
    }

    package func setBitRate(_ bitRate: Int) {
        guard let session else { return }
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_AverageBitRate, value: bitRate as CFTypeRef)
        let limits = [bitRate * 2 / 8, 1] as CFArray
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_DataRateLimits, value: limits)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_MaxKeyFrameInterval, value: 30 as CFTypeRef)
    }

    package func encode(_ buffer: CVPixelBuffer) -> Bool {
        guard let session else { return false }
        var flags = VTEncodeInfoFlags()
        let time = CMTimeMake(value: frameCount, timescale: 30)
        frameCount += 1
        return VTCompressionSessionEncodeFrame(
            session, imageBuffer: buffer, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
            sourceFrameRefcon: nil, infoFlagsOut: &flags) == noErr
    }

    package func finish() {
        guard let session else { return }
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        VTCompressionSessionInvalidate(session)
        self.session = nil
    }

    fileprivate func take(_ sample: CMSampleBuffer) {
        guard CMSampleBufferDataIsReady(sample),
            let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)
        else { return }
        let first = unsafeBitCast(CFArrayGetValueAtIndex(attachments, 0), to: CFDictionary.self)
        let notSync = Unmanaged.passUnretained(kCMSampleAttachmentKey_NotSync).toOpaque()
        if !CFDictionaryContainsKey(first, notSync), let format = CMSampleBufferGetFormatDescription(sample) {
            keyFrames.append(frames)
            for index in 0...1 {
                var (size, count) = (0, 0)
                var pointer: UnsafePointer<UInt8>?
                guard
                    CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                        format, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
                        parameterSetCountOut: &count, nalUnitHeaderLengthOut: nil) == noErr, let pointer
                else { return }
                append(Data(bytes: pointer, count: size))
            }
        }
        guard let block = CMSampleBufferGetDataBuffer(sample) else { return }
        var (length, offset) = (0, 0)
        var pointer: UnsafeMutablePointer<Int8>?
        CMBlockBufferGetDataPointer(
            block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length, dataPointerOut: &pointer)
        guard let pointer else { return }
        while offset < length - 4 {
            var size: UInt32 = 0
            memcpy(&size, pointer + offset, 4)
            size = CFSwapInt32BigToHost(size)
            append(Data(bytes: pointer + offset + 4, count: Int(size)))
            frames += 1
            offset += 4 + Int(size)
        }
    }

    private func append(_ unit: Data) {
        stream.append(contentsOf: [0, 0, 0, 1])
        stream.append(unit)
    }
}

private func received(
    context: UnsafeMutableRawPointer?, frame: UnsafeMutableRawPointer?, status: OSStatus, flags: VTEncodeInfoFlags,
    sample: CMSampleBuffer?
) {
    guard status == noErr, let sample, let context else { return }
    Unmanaged<CallbackClient>.fromOpaque(context).takeUnretainedValue().take(sample)
}
