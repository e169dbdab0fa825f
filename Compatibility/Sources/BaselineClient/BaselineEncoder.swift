// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

/// One frame as the encoder gives it out.
package struct BaselineFrame: Sendable {
    package let number: Int
    package let isKey: Bool
    package let time: CMTime
    package let duration: CMTime
    /// NAL units behind lengths of four bytes.
    package let sample: Data
}

/// What goes with a frame through the session, as a boxed refcon.
private final class Ticket {
    let number: Int

    init(_ number: Int) { self.number = number }
}

/// Encodes to H.264 Baseline with key frames on demand.
///
/// Times are those of a clock of milliseconds that does not say how long frames last: durations are 1/30. Each frame
/// has a box of its own as refcon, which the callback releases.
package final class BaselineEncoder: @unchecked Sendable {
    private var session: VTCompressionSession?
    /// Frames in the order in which they come, on the session's thread.
    package var output: (BaselineFrame) -> Void = { _ in }
    package private(set) var parameterSets: [Data] = []
    /// What keys were answered with that no encoder here has.
    package private(set) var refused: [String: OSStatus] = [:]
    /// Frames that were given and did not come yet.
    private let open = OpenFrames()
    private var next = 0

    package init?(width: Int32, height: Int32, bitRate: Double) {
        let refcon = Unmanaged.passUnretained(self).toOpaque()
        VTCompressionSessionCreate(
            allocator: nil, width: width, height: height, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: encoded, refcon: refcon,
            compressionSessionOut: &session)
        guard let session else { return nil }
        let keys: [(CFString, CFTypeRef?)] = [
            (kVTCompressionPropertyKey_RealTime, kCFBooleanTrue),
            (kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Baseline_AutoLevel),
            (kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse),
            (kVTCompressionPropertyKey_AverageBitRate, bitRate as CFNumber),
            (kVTCompressionPropertyKey_DataRateLimits, [bitRate / 8 * 1.5, 1.0] as CFArray),
            (kVTCompressionPropertyKey_ExpectedFrameRate, 30 as CFNumber),
            (kVTCompressionPropertyKey_MaxKeyFrameInterval, 300 as CFNumber),
            (kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration, 10.0 as CFNumber),
            (kVTCompressionPropertyKey_AspectRatio16x9, kCFBooleanTrue),
            (kVTCompressionPropertyKey_FieldCount, 2 as CFNumber),
        ]
        for (key, value) in keys {
            let status = VTSessionSetProperty(session, key: key, value: value)
            if status != noErr { refused[key as String] = status }
        }
        guard VTCompressionSessionPrepareToEncodeFrames(session) == noErr else { return nil }
    }

    /// Encodes a picture at a time of so many milliseconds; a key frame where it is asked for.
    @discardableResult
    package func encode(_ picture: CVImageBuffer, milliseconds: Int64, forcesKeyFrame: Bool = false) -> OSStatus {
        guard let session else { return kVTInvalidSessionErr }
        let refcon = Unmanaged.passRetained(Ticket(next)).toOpaque()
        next += 1
        open.add(1)
        let options =
            forcesKeyFrame ? [kVTEncodeFrameOptionKey_ForceKeyFrame: kCFBooleanTrue as Any] as CFDictionary : nil
        var flags = VTEncodeInfoFlags()
        let status = VTCompressionSessionEncodeFrame(
            session, imageBuffer: picture, presentationTimeStamp: CMTime(value: milliseconds, timescale: 1000),
            duration: CMTime(value: 1, timescale: 30), frameProperties: options, sourceFrameRefcon: refcon,
            infoFlagsOut: &flags)
        if status != noErr {
            Unmanaged<Ticket>.fromOpaque(refcon).release()
            open.add(-1)
        }
        return status
    }

    /// Ends the session without completing: real time holds nothing back.
    package func stop() {
        if let session { VTCompressionSessionInvalidate(session) }
        session = nil
    }

    /// Number of frames whose box no callback released.
    package var openFrames: Int { open.count }

    fileprivate func take(_ refcon: UnsafeMutableRawPointer?, _ status: OSStatus, _ sample: CMSampleBuffer?) {
        guard let refcon else { return }
        let ticket = Unmanaged<Ticket>.fromOpaque(refcon).takeRetainedValue()
        open.add(-1)
        guard status == noErr, let sample, let block = CMSampleBufferGetDataBuffer(sample) else { return }
        let isKey = !dependsOnOthers(sample)
        if isKey, let format = CMSampleBufferGetFormatDescription(sample) { parameterSets = sets(format) }
        var bytes: UnsafeMutablePointer<Int8>?
        var total = 0
        CMBlockBufferGetDataPointer(
            block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &total, dataPointerOut: &bytes)
        guard let bytes else { return }
        output(
            BaselineFrame(
                number: ticket.number, isKey: isKey, time: CMSampleBufferGetPresentationTimeStamp(sample),
                duration: CMSampleBufferGetDuration(sample), sample: Data(bytes: bytes, count: total)))
    }

    /// Compares the boolean by identity, as C code does.
    private func dependsOnOthers(_ sample: CMSampleBuffer) -> Bool {
        guard let list = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false),
            CFArrayGetCount(list) > 0, let pointer = CFArrayGetValueAtIndex(list, 0)
        else { return false }
        let attachments = Unmanaged<CFDictionary>.fromOpaque(pointer).takeUnretainedValue()
        let key = Unmanaged.passUnretained(kCMSampleAttachmentKey_DependsOnOthers).toOpaque()
        let value = CFDictionaryGetValue(attachments, key)
        return value.map { Unmanaged<CFBoolean>.fromOpaque($0).takeUnretainedValue() } !== kCFBooleanFalse
    }

    private func sets(_ format: CMFormatDescription) -> [Data] {
        var count = 0
        CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
            format, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
            parameterSetCountOut: &count, nalUnitHeaderLengthOut: nil)
        return (0..<count).compactMap { index in
            var bytes: UnsafePointer<UInt8>?
            var size = 0
            CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                format, parameterSetIndex: index, parameterSetPointerOut: &bytes, parameterSetSizeOut: &size,
                parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
            return bytes.map { Data(bytes: $0, count: size) }
        }
    }
}

/// A number that two threads change.
private final class OpenFrames: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    var count: Int { lock.withLock { number } }

    func add(_ change: Int) { lock.withLock { number += change } }
}

private func encoded(
    refcon: UnsafeMutableRawPointer?, frame: UnsafeMutableRawPointer?, status: OSStatus, flags: VTEncodeInfoFlags,
    sample: CMSampleBuffer?
) {
    guard let refcon else { return }
    Unmanaged<BaselineEncoder>.fromOpaque(refcon).takeUnretainedValue().take(frame, status, sample)
}
