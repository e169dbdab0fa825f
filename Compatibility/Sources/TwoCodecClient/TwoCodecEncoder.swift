// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

/// Encodes to H.264 or HEVC, as an enumeration says.
///
/// Asks first which keys the encoder has, and writes start codes over the lengths in the block buffer itself.
package final class TwoCodecEncoder: @unchecked Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case h264Main
        case h264Baseline
        case hevc

        var codec: CMVideoCodecType { self == .hevc ? kCMVideoCodecType_HEVC : kCMVideoCodecType_H264 }

        var profile: CFString {
            switch self {
            case .h264Main: kVTProfileLevel_H264_Main_AutoLevel
            case .h264Baseline: kVTProfileLevel_H264_Baseline_AutoLevel
            case .hevc: kVTProfileLevel_HEVC_Main_AutoLevel
            }
        }
    }

    /// A frame whose NAL units have start codes.
    package struct Frame: Sendable {
        package let isKey: Bool
        package let time: CMTime
        package let decodeTime: CMTime
        package let annexB: Data
        /// The parameter sets behind start codes, with key frames.
        package let header: Data
    }

    package let kind: Kind
    private var session: VTCompressionSession!
    private var supported: CFDictionary?
    package private(set) var unsupported: [String] = []
    package private(set) var failures: [OSStatus] = []
    /// Frames, on the session's thread; with the sample, whose block has start codes by then.
    package var output: (Frame, CMSampleBuffer) -> Void = { _, _ in }

    package init?(_ kind: Kind, width: Int32, height: Int32, frameRate: Int, bitRate: Int, isRealTime: Bool = true) {
        self.kind = kind
        let status = VTCompressionSessionCreate(
            allocator: nil, width: width, height: height, codecType: kind.codec, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: took,
            refcon: Unmanaged.passUnretained(self).toOpaque(), compressionSessionOut: &session)
        guard status == noErr else { return nil }
        guard VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &supported) == noErr
        else { return nil }
        set(kVTCompressionPropertyKey_RealTime, isRealTime ? kCFBooleanTrue : kCFBooleanFalse)
        set(kVTCompressionPropertyKey_MaxKeyFrameInterval, number(frameRate * 2))
        set(kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration, number(2))
        set(kVTCompressionPropertyKey_ExpectedFrameRate, number(frameRate))
        set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
        set(kVTCompressionPropertyKey_ProfileLevel, kind.profile)
        if kind != .hevc {
            let mode = kind == .h264Main ? kVTH264EntropyMode_CABAC : kVTH264EntropyMode_CAVLC
            set(kVTCompressionPropertyKey_H264EntropyMode, mode)
        }
        set(kVTCompressionPropertyKey_MaxFrameDelayCount, number(1))
        change(bitRate: bitRate)
        // No encoder has the key: it must be seen before it is set.
        set("AKeyThatNobodyHas" as CFString, kCFBooleanTrue)
        guard VTCompressionSessionPrepareToEncodeFrames(session) == noErr else { return nil }
    }

    /// Changes the rate between two frames, and sets what stays as it is again.
    package func change(bitRate: Int) {
        set(kVTCompressionPropertyKey_ProfileLevel, kind.profile)
        set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
        set(kVTCompressionPropertyKey_AverageBitRate, number(bitRate))
        set(kVTCompressionPropertyKey_DataRateLimits, [number(bitRate / 8 * 3 / 2), number(1)] as CFArray)
    }

    private func number(_ value: Int) -> CFNumber {
        var value = Int32(value)
        return CFNumberCreate(kCFAllocatorDefault, .sInt32Type, &value)
    }

    /// Sets a key that the encoder says it has.
    private func set(_ key: CFString, _ value: CFTypeRef?) {
        guard let supported, CFDictionaryContainsKey(supported, Unmanaged.passUnretained(key).toOpaque()) else {
            unsupported.append(String(cString: CFStringGetCStringPtr(key, CFStringBuiltInEncodings.UTF8.rawValue)))
            return
        }
        let status = VTSessionSetProperty(session, key: key, value: value)
        if status != noErr { failures.append(status) }
    }

    package func encode(_ picture: CVPixelBuffer, at time: CMTime, forcesKeyFrame: Bool = false) -> OSStatus {
        let options = [
            kVTEncodeFrameOptionKey_ForceKeyFrame: (forcesKeyFrame ? kCFBooleanTrue : kCFBooleanFalse) as Any
        ]
        return VTCompressionSessionEncodeFrame(
            session, imageBuffer: picture, presentationTimeStamp: time, duration: .invalid,
            frameProperties: options as CFDictionary, sourceFrameRefcon: nil, infoFlagsOut: nil)
    }

    package func stop() {
        VTCompressionSessionInvalidate(session)
        session = nil
    }

    /// Waits for all frames and ends.
    package func finish() {
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .positiveInfinity)
        stop()
    }

    fileprivate func take(_ sample: CMSampleBuffer) {
        guard let block = CMSampleBufferGetDataBuffer(sample), let format = CMSampleBufferGetFormatDescription(sample)
        else { return }
        let isKey = isSync(sample)
        var bytes: UnsafeMutablePointer<Int8>?
        var total = 0
        CMBlockBufferGetDataPointer(
            block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &total, dataPointerOut: &bytes)
        guard let bytes else { return }
        var offset = 0
        while offset + 4 < total {
            var length: UInt32 = 0
            memcpy(&length, bytes + offset, 4)
            length = CFSwapInt32BigToHost(length)
            memcpy(bytes + offset, [0, 0, 0, 1] as [UInt8], 4)
            offset += 4 + Int(length)
        }
        let frame = Frame(
            isKey: isKey, time: CMSampleBufferGetPresentationTimeStamp(sample),
            decodeTime: CMSampleBufferGetDecodeTimeStamp(sample), annexB: Data(bytes: bytes, count: total),
            header: isKey ? header(format) : Data())
        output(frame, sample)
    }

    private func isSync(_ sample: CMSampleBuffer) -> Bool {
        guard let list = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) else { return false }
        let attachments = unsafeBitCast(CFArrayGetValueAtIndex(list, 0), to: CFDictionary.self)
        let key = Unmanaged.passUnretained(kCMSampleAttachmentKey_DependsOnOthers).toOpaque()
        guard let value = CFDictionaryGetValue(attachments, key) else { return true }
        return unsafeBitCast(value, to: CFBoolean.self) === kCFBooleanFalse
    }

    private func header(_ format: CMFormatDescription) -> Data {
        var data = Data()
        for index in 0..<(kind == .hevc ? 3 : 2) {
            var set: UnsafePointer<UInt8>?
            var size = 0
            let status =
                kind == .hevc
                ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
                    format, parameterSetIndex: index, parameterSetPointerOut: &set, parameterSetSizeOut: &size,
                    parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
                : CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                    format, parameterSetIndex: index, parameterSetPointerOut: &set, parameterSetSizeOut: &size,
                    parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
            guard status == noErr, let set else { return Data() }
            data += [0, 0, 0, 1] + Data(bytes: set, count: size)
        }
        return data
    }
}

private func took(
    refcon: UnsafeMutableRawPointer?, frame: UnsafeMutableRawPointer?, status: OSStatus, flags: VTEncodeInfoFlags,
    sample: CMSampleBuffer?
) {
    guard status == noErr, let sample, let refcon else { return }
    Unmanaged<TwoCodecEncoder>.fromOpaque(refcon).takeUnretainedValue().take(sample)
}
