// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

/// Encodes HEVC Main 10 with HLG, and makes a session of another size whenever the bit rate crosses a step.
package final class LadderEncoder: @unchecked Sendable {
    /// The height for a bit rate: the first step that it reaches.
    package static let steps: [(height: Int32, bitRate: Int)] = [(360, 1_000_000), (240, 500_000), (180, 0)]

    private let queue = DispatchQueue(label: "ladder encoder")
    private let width: Int32
    private let height: Int32
    private var session: VTCompressionSession? {
        didSet { if let oldValue { VTCompressionSessionInvalidate(oldValue) } }
    }
    private var sessionHeight: Int32 = 0
    private var bitRate: Int
    private var setBitRate = 0
    private var format: CMFormatDescription?
    /// Frames, on the encoder's queue.
    package var output: (CMSampleBuffer) -> Void = { _ in }
    /// Formats, as they change.
    package var formatChanged: (CMFormatDescription) -> Void = { _ in }
    package private(set) var failures: [OSStatus] = []

    package init(width: Int32, height: Int32, bitRate: Int) {
        (self.width, self.height, self.bitRate) = (width, height, bitRate)
    }

    package func change(bitRate: Int) { queue.sync { self.bitRate = bitRate } }

    /// Encodes a picture of the full size, whatever the session's is.
    package func encode(_ picture: CVImageBuffer, at time: CMTime) {
        nonisolated(unsafe) let picture = picture
        queue.sync {
            let step = Self.steps.first { bitRate >= $0.bitRate }?.height ?? height
            if step != sessionHeight {
                session = makeSession(min(step, height))
                sessionHeight = step
                setBitRate = 0
            }
            followBitRate()
            guard let session else { return }
            let status = VTCompressionSessionEncodeFrame(
                session, imageBuffer: picture, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
                infoFlagsOut: nil
            ) { [weak self] status, _, sample in
                guard let self else { return }
                nonisolated(unsafe) let sample = sample
                queue.async { self.take(status, sample) }
            }
            if status != noErr { failures.append(status) }
        }
    }

    /// Ends without completing, and waits for what was given to the queue.
    package func stop() {
        queue.sync { session = nil }
        queue.sync {}
    }

    private func take(_ status: OSStatus, _ sample: CMSampleBuffer?) {
        guard let sample, status == noErr else {
            failures.append(status)
            return
        }
        if !CMFormatDescriptionEqual(sample.formatDescription, otherFormatDescription: format) {
            format = sample.formatDescription
            if let format { formatChanged(format) }
        }
        output(sample)
    }

    /// Average and limit one after the other: one change for the encoder.
    private func followBitRate() {
        guard setBitRate != bitRate, let session else { return }
        setBitRate = bitRate
        set(kVTCompressionPropertyKey_AverageBitRate, bitRate as CFNumber, session)
        set(kVTCompressionPropertyKey_DataRateLimits, [Double(bitRate) * 1.2 / 8, 1.0] as CFArray, session)
    }

    private func set(_ key: CFString, _ value: AnyObject?, _ session: VTCompressionSession) {
        let status = VTSessionSetProperty(session, key: key, value: value)
        if status != noErr { failures.append(status) }
    }

    private func makeSession(_ height: Int32) -> VTCompressionSession? {
        var session: VTCompressionSession?
        let attributes: [NSString: AnyObject] = [
            kCVPixelBufferPixelFormatTypeKey: NSNumber(value: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange),
            kCVPixelBufferWidthKey: NSNumber(value: width), kCVPixelBufferHeightKey: NSNumber(value: self.height),
        ]
        let status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: (width * height / self.height + 1) / 2 * 2, height: height,
            codecType: kCMVideoCodecType_HEVC, encoderSpecification: nil,
            imageBufferAttributes: attributes as CFDictionary, compressedDataAllocator: nil, outputCallback: nil,
            refcon: nil, compressionSessionOut: &session)
        guard status == noErr, let session else {
            failures.append(status)
            return nil
        }
        let keys: [(CFString, AnyObject?)] = [
            (kVTCompressionPropertyKey_RealTime, kCFBooleanTrue),
            (kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_HEVC_Main10_AutoLevel),
            (kVTCompressionPropertyKey_ExpectedFrameRate, 30.0 as CFNumber),
            (kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration, 2 as CFNumber),
            (kVTCompressionPropertyKey_AllowFrameReordering, false as NSObject),
            (kVTCompressionPropertyKey_PixelTransferProperties, ["ScalingMode": "Trim"] as NSObject),
            (kVTCompressionPropertyKey_HDRMetadataInsertionMode, kVTHDRMetadataInsertionMode_Auto),
            (kVTCompressionPropertyKey_ColorPrimaries, kCVImageBufferColorPrimaries_ITU_R_2020),
            (kVTCompressionPropertyKey_TransferFunction, kCVImageBufferTransferFunction_ITU_R_2100_HLG),
            (kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_2020),
        ]
        for (key, value) in keys { set(key, value, session) }
        let prepared = VTCompressionSessionPrepareToEncodeFrames(session)
        if prepared != noErr { failures.append(prepared) }
        return prepared == noErr ? session : nil
    }
}
