// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

/// Takes what a camera encoder gives out, on the session's thread.
package protocol CameraEncoderDelegate: AnyObject {
    func cameraEncoder(_ encoder: CameraEncoder, sps: Data, pps: Data)
    /// One NAL unit without its length.
    func cameraEncoder(_ encoder: CameraEncoder, unit: Data, isKey: Bool, time: CMTime)
    func cameraEncoder(_ encoder: CameraEncoder, failed status: OSStatus)
}

/// Encodes a camera's pictures to H.264 on a queue of its own.
///
/// A C callback gets the encoder as refcon, not retained, and reads attachments by pointer. Each NAL unit is given on
/// as if it were a frame.
package final class CameraEncoder: @unchecked Sendable {
    private let queue = DispatchQueue(label: "camera encoder")
    private var session: VTCompressionSession!
    private var frameRate: Int32
    private var hasParameterSets = false
    package weak var delegate: (any CameraEncoderDelegate)?

    package init(width: Int32, height: Int32, frameRate: Int32, bitRate: Int, peak: Int) {
        self.frameRate = frameRate
        queue.sync {
            let refcon = Unmanaged.passUnretained(self).toOpaque()
            let status = VTCompressionSessionCreate(
                allocator: kCFAllocatorDefault, width: width, height: height, codecType: kCMVideoCodecType_H264,
                encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
                outputCallback: tookFrame, refcon: refcon, compressionSessionOut: &session)
            guard status == noErr else { return }
            VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
            VTSessionSetProperty(
                session, key: kVTCompressionPropertyKey_ProfileLevel, value: kVTProfileLevel_H264_High_AutoLevel)
            VTSessionSetProperty(
                session, key: kVTCompressionPropertyKey_AllowFrameReordering, value: kCFBooleanFalse)
            set(bitRate: bitRate, peak: peak)
            VTCompressionSessionPrepareToEncodeFrames(session)
        }
    }

    /// Changes the rate between two frames; sets what has not changed again, as applications do.
    package func change(bitRate: Int, peak: Int) {
        queue.sync { set(bitRate: bitRate, peak: peak) }
    }

    private func set(bitRate: Int, peak: Int) {
        VTSessionSetProperty(
            session, key: kVTCompressionPropertyKey_MaxKeyFrameInterval, value: frameRate as CFTypeRef)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_ExpectedFrameRate, value: frameRate as CFTypeRef)
        VTSessionSetProperty(
            session, key: kVTCompressionPropertyKey_DataRateLimits, value: [peak / 8, 1] as CFArray)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_AverageBitRate, value: bitRate as CFTypeRef)
    }

    /// Encodes a picture later, on the queue.
    package func encode(_ pixelBuffer: CVPixelBuffer, milliseconds: Int64) {
        nonisolated(unsafe) let picture = pixelBuffer
        queue.async { [weak self] in
            guard let self, session != nil else { return }
            let status = VTCompressionSessionEncodeFrame(
                session, imageBuffer: picture,
                presentationTimeStamp: CMTimeMake(value: milliseconds, timescale: 1000),
                duration: CMTimeMake(value: 1, timescale: frameRate), frameProperties: nil, sourceFrameRefcon: nil,
                infoFlagsOut: nil)
            if status != noErr { delegate?.cameraEncoder(self, failed: status) }
        }
    }

    /// Ends the session; what was given before has come out.
    package func stop() {
        queue.sync {
            VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
            VTCompressionSessionInvalidate(session)
            session = nil
        }
    }

    fileprivate func take(_ sample: CMSampleBuffer) {
        let time = CMSampleBufferGetPresentationTimeStamp(sample)
        var isKey = false
        if let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true) {
            let pointer: UnsafeRawPointer = CFArrayGetValueAtIndex(attachments, 0)
            let first: CFDictionary = Unmanaged.fromOpaque(pointer).takeUnretainedValue()
            let key = Unmanaged.passUnretained(kCMSampleAttachmentKey_NotSync).toOpaque()
            isKey = !CFDictionaryContainsKey(first, key)
        }
        if isKey, !hasParameterSets, let format = CMSampleBufferGetFormatDescription(sample),
            let sps = parameterSet(format, 0), let pps = parameterSet(format, 1)
        {
            hasParameterSets = true
            delegate?.cameraEncoder(self, sps: sps, pps: pps)
        }
        guard let block = CMSampleBufferGetDataBuffer(sample) else { return }
        var (contiguous, total) = (0, 0)
        var bytes: UnsafeMutablePointer<Int8>!
        guard
            CMBlockBufferGetDataPointer(
                block, atOffset: 0, lengthAtOffsetOut: &contiguous, totalLengthOut: &total, dataPointerOut: &bytes)
                == noErr
        else { return }
        var offset = 0
        while offset < total - 4 {
            var length: UInt32 = 0
            memcpy(&length, bytes.advanced(by: offset), 4)
            length = CFSwapInt32BigToHost(length)
            let unit = Data(bytes: bytes.advanced(by: offset + 4), count: Int(length))
            delegate?.cameraEncoder(self, unit: unit, isKey: isKey, time: time)
            offset += 4 + Int(length)
        }
    }

    private func parameterSet(_ format: CMFormatDescription, _ index: Int) -> Data? {
        var bytes: UnsafePointer<UInt8>!
        var (size, count) = (0, 0)
        var lengthSize: Int32 = 0
        let status = CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
            format, parameterSetIndex: index, parameterSetPointerOut: &bytes, parameterSetSizeOut: &size,
            parameterSetCountOut: &count, nalUnitHeaderLengthOut: &lengthSize)
        return status == noErr ? Data(bytes: bytes, count: size) : nil
    }
}

private func tookFrame(
    outputCallbackRefCon: UnsafeMutableRawPointer?, sourceFrameRefCon: UnsafeMutableRawPointer?, status: OSStatus,
    infoFlags: VTEncodeInfoFlags, sampleBuffer: CMSampleBuffer?
) {
    guard let outputCallbackRefCon else { return }
    let encoder = Unmanaged<CameraEncoder>.fromOpaque(outputCallbackRefCon).takeUnretainedValue()
    guard status == noErr, let sampleBuffer, CMSampleBufferDataIsReady(sampleBuffer) else {
        encoder.delegate?.cameraEncoder(encoder, failed: status)
        return
    }
    encoder.take(sampleBuffer)
}
