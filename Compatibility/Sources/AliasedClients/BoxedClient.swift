// SPDX-License-Identifier: MIT

import CoreFoundation
import CoreMedia
import Foundation
import VideoToolbox

/// Boxes a context for each frame, makes numbers with C, asks which keys there are, writes start codes over lengths in
/// place, and has times of n/1000 s with durations of a thirtieth.
package final class BoxedClient {
    private final class Context {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private var session: VTCompressionSession?
    private let codec: CMVideoCodecType
    private var number = 0
    /// Annex B.
    package private(set) var stream = Data()
    /// Numbers of the frames that came out.
    package private(set) var numbers: [Int] = []
    /// Numbers of key frames.
    package private(set) var keyFrames: [Int] = []

    package init(_ codec: CMVideoCodecType, width: Int32, height: Int32, bitRate: Int32) {
        self.codec = codec
        VTCompressionSessionCreate(
            allocator: nil, width: width, height: height, codecType: codec, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil,
            outputCallback: { context, frame, status, _, sample in
                guard let context, let frame else { return }
                let box = Unmanaged<Context>.fromOpaque(frame).takeRetainedValue()
                guard status == noErr, let sample else { return }
                Unmanaged<BoxedClient>.fromOpaque(context).takeUnretainedValue().take(sample, box.number)
            }, refcon: Unmanaged.passUnretained(self).toOpaque(), compressionSessionOut: &session)
        guard let session else { return }
        var supported: CFDictionary?
        VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &supported)
        func set(_ key: CFString, _ value: CFTypeRef?) {
            guard let supported, CFDictionaryContainsKey(supported, Unmanaged.passUnretained(key).toOpaque()) else {
                return
            }
            VTSessionSetProperty(session, key: key, value: value)
        }
        var (rate, frames) = (bitRate, Int32(30))
        set(kVTCompressionPropertyKey_AverageBitRate, CFNumberCreate(kCFAllocatorDefault, .sInt32Type, &rate))
        set(kVTCompressionPropertyKey_ExpectedFrameRate, CFNumberCreate(kCFAllocatorDefault, .intType, &frames))
        set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
        set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
        set(kVTCompressionPropertyKey_H264EntropyMode, kVTH264EntropyMode_CABAC)
        set(
            kVTCompressionPropertyKey_ProfileLevel,
            codec == kCMVideoCodecType_HEVC ? kVTProfileLevel_HEVC_Main_AutoLevel : kVTProfileLevel_H264_Main_AutoLevel)
        VTCompressionSessionPrepareToEncodeFrames(session)
    }

    package func encode(_ buffer: CVPixelBuffer, forcesKeyFrame: Bool) -> Bool {
        guard let session else { return false }
        let box = Unmanaged.passRetained(Context(number))
        let status = VTCompressionSessionEncodeFrame(
            session, imageBuffer: buffer, presentationTimeStamp: CMTimeMake(value: Int64(number), timescale: 1000),
            duration: CMTimeMake(value: 1, timescale: 30),
            frameProperties: [kVTEncodeFrameOptionKey_ForceKeyFrame: forcesKeyFrame] as CFDictionary,
            sourceFrameRefcon: box.toOpaque(), infoFlagsOut: nil)
        number += 1
        if status != noErr { box.release() }
        return status == noErr
    }

    package func finish() {
        guard let session else { return }
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: CMTime.invalid)
        VTCompressionSessionInvalidate(session)
    }

    private func take(_ sample: CMSampleBuffer, _ number: Int) {
        numbers.append(number)
        let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
        let first = unsafeBitCast(CFArrayGetValueAtIndex(attachments, 0), to: CFDictionary.self)
        let key = Unmanaged.passUnretained(kCMSampleAttachmentKey_DependsOnOthers).toOpaque()
        if CFDictionaryGetValue(first, key) == UnsafeRawPointer(Unmanaged.passUnretained(kCFBooleanFalse).toOpaque()) {
            keyFrames.append(number)
            appendSets(of: sample)
        }
        guard let block = CMSampleBufferGetDataBuffer(sample) else { return }
        var (length, pointer) = (0, UnsafeMutablePointer<Int8>?.none)
        CMBlockBufferGetDataPointer(
            block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length, dataPointerOut: &pointer)
        guard let pointer else { return }
        var offset = 0
        let startCode: [UInt8] = [0, 0, 0, 1]
        while offset + 4 < length {
            var size: UInt32 = 0
            memcpy(&size, pointer + offset, 4)
            memcpy(pointer + offset, startCode, 4)
            offset += 4 + Int(CFSwapInt32BigToHost(size))
        }
        stream.append(Data(bytes: pointer, count: length))
    }

    private func appendSets(of sample: CMSampleBuffer) {
        guard let format = CMSampleBufferGetFormatDescription(sample) else { return }
        let get =
            codec == kCMVideoCodecType_HEVC
            ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
        var count = 0
        _ = get(format, 0, nil, nil, &count, nil)
        for index in 0..<count {
            var (pointer, size) = (UnsafePointer<UInt8>?.none, 0)
            guard get(format, index, &pointer, &size, nil, nil) == noErr, let pointer else { return }
            stream.append(contentsOf: [0, 0, 0, 1])
            stream.append(pointer, count: size)
        }
    }
}
