// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

extension CMSampleBuffer: @retroactive @unchecked Sendable {}

/// What goes wrong with a status.
package struct StreamEncoderError: Error, Equatable {
    package let status: OSStatus

    package init(status: OSStatus) { self.status = status }
}

/// One direction of a codec: sample buffers in, sample buffers out.
package protocol SampleConverting {
    func convert(_ sample: CMSampleBuffer, to output: AsyncStream<CMSampleBuffer>.Continuation) throws
    func invalidate()
}

extension VTCompressionSession: SampleConverting {
    package func convert(_ sample: CMSampleBuffer, to output: AsyncStream<CMSampleBuffer>.Continuation) throws {
        guard let picture = sample.imageBuffer else { return }
        var flags = VTEncodeInfoFlags()
        let status = VTCompressionSessionEncodeFrame(
            self, imageBuffer: picture, presentationTimeStamp: sample.presentationTimeStamp,
            duration: sample.duration, frameProperties: nil, infoFlagsOut: &flags
        ) { _, _, encoded in
            if let encoded { output.yield(encoded) }
        }
        if status != noErr { throw StreamEncoderError(status: status) }
    }

    package func invalidate() { VTCompressionSessionInvalidate(self) }
}

extension VTDecompressionSession: SampleConverting {
    package func convert(_ sample: CMSampleBuffer, to output: AsyncStream<CMSampleBuffer>.Continuation) throws {
        var flags = VTDecodeInfoFlags()
        let status = VTDecompressionSessionDecodeFrame(
            self, sampleBuffer: sample, flags: [._EnableAsynchronousDecompression], infoFlagsOut: &flags
        ) { _, _, picture, time, duration in
            guard let picture, let sample = try? makeSample(picture, at: time, duration: duration) else { return }
            output.yield(sample)
        }
        if status != noErr { throw StreamEncoderError(status: status) }
    }

    package func invalidate() { VTDecompressionSessionInvalidate(self) }
}

/// A sample buffer around a picture, as capture gives it.
package func makeSample(_ picture: CVImageBuffer, at time: CMTime, duration: CMTime) throws -> CMSampleBuffer {
    var format: CMFormatDescription?
    var status = CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: kCFAllocatorDefault, imageBuffer: picture, formatDescriptionOut: &format)
    guard status == noErr, let format else { throw StreamEncoderError(status: status) }
    var timing = CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    status = CMSampleBufferCreateForImageBuffer(
        allocator: kCFAllocatorDefault, imageBuffer: picture, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: format, sampleTiming: &timing, sampleBufferOut: &sample)
    guard status == noErr, let sample else { throw StreamEncoderError(status: status) }
    return sample
}

/// Encodes sample buffers into an AsyncStream.
///
/// It has a handler per frame, sets all keys in one dictionary and takes any status but 0 for fatal; a session is made
/// anew when the input's format or the settings change.
package final class StreamEncoder {
    package struct Settings: Equatable, Sendable {
        package var width: Int32 = 640
        package var height: Int32 = 360
        package var profileLevel = kVTProfileLevel_H264_Main_AutoLevel as String
        package var bitRate = 800_000
        package var keyFrameSeconds = 2
        package var allowsReordering: Bool?
        package var scalingMode = "Trim"

        package init() {}
    }

    package var settings = Settings() {
        didSet {
            var unchangedRate = settings
            unchangedRate.bitRate = oldValue.bitRate
            if unchangedRate != oldValue {
                isStale = true
            } else if let session = session as? VTCompressionSession {
                let key = kVTCompressionPropertyKey_AverageBitRate
                VTSessionSetProperty(session, key: key, value: NSNumber(value: settings.bitRate))
            }
        }
    }
    private var session: (any SampleConverting)? {
        didSet {
            oldValue?.invalidate()
            isStale = false
        }
    }
    private var isStale = true
    private var inputFormat: CMFormatDescription? {
        didSet { if inputFormat != oldValue { isStale = true } }
    }
    private let continuation: AsyncStream<CMSampleBuffer>.Continuation
    package let output: AsyncStream<CMSampleBuffer>

    package init() { (output, continuation) = AsyncStream.makeStream() }

    package func append(_ sample: CMSampleBuffer) throws {
        inputFormat = sample.formatDescription
        let isCompressed = [.h264, .hevc].contains(sample.formatDescription?.mediaSubType)
        if isStale { session = isCompressed ? try makeDecoder() : try makeEncoder() }
        try session?.convert(sample, to: continuation)
    }

    package func stop() {
        session = nil
        continuation.finish()
    }

    private func makeEncoder() throws -> VTCompressionSession {
        var session: VTCompressionSession?
        let isHEVC = settings.profileLevel.contains("HEVC")
        // The media's type where a pixel format belongs, as one application has it: it must be tolerated.
        let type = inputFormat?.mediaType.rawValue ?? 0
        let attributes: [NSString: AnyObject] = [kCVPixelBufferPixelFormatTypeKey: type as CFNumber]
        var status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: settings.width, height: settings.height,
            codecType: isHEVC ? kCMVideoCodecType_HEVC : kCMVideoCodecType_H264, encoderSpecification: nil,
            imageBufferAttributes: attributes as CFDictionary, compressedDataAllocator: nil, outputCallback: nil,
            refcon: nil, compressionSessionOut: &session)
        guard status == noErr, let session else { throw StreamEncoderError(status: status) }
        var keys: [AnyHashable: AnyObject] = [
            kVTCompressionPropertyKey_RealTime: kCFBooleanTrue,
            kVTCompressionPropertyKey_ProfileLevel: settings.profileLevel as NSObject,
            kVTCompressionPropertyKey_AverageBitRate: NSNumber(value: settings.bitRate),
            kVTCompressionPropertyKey_ExpectedFrameRate: NSNumber(value: 30.0),
            kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: NSNumber(value: settings.keyFrameSeconds),
            kVTCompressionPropertyKey_AllowFrameReordering: (settings.allowsReordering ?? true) as NSObject,
            kVTCompressionPropertyKey_PixelTransferProperties: ["ScalingMode": settings.scalingMode] as NSObject,
            kVTCompressionPropertyKey_DataRateLimits: [Double(settings.bitRate) / 8 * 1.5, 1.0] as NSArray,
        ]
        if settings.profileLevel.contains("H264"), !settings.profileLevel.contains("Baseline") {
            keys[kVTCompressionPropertyKey_H264EntropyMode] = kVTH264EntropyMode_CABAC
        }
        status = VTSessionSetProperties(session, propertyDictionary: keys as CFDictionary)
        guard status == noErr else { throw StreamEncoderError(status: status) }
        status = VTCompressionSessionPrepareToEncodeFrames(session)
        guard status == noErr else { throw StreamEncoderError(status: status) }
        return session
    }

    private func makeDecoder() throws -> VTDecompressionSession {
        guard let inputFormat else { throw StreamEncoderError(status: kVTParameterErr) }
        let attributes: [NSString: AnyObject] = [
            kCVPixelBufferIOSurfacePropertiesKey: NSDictionary(),
            kCVPixelBufferMetalCompatibilityKey: kCFBooleanTrue,
        ]
        var session: VTDecompressionSession?
        let status = VTDecompressionSessionCreate(
            allocator: kCFAllocatorDefault, formatDescription: inputFormat, decoderSpecification: nil,
            imageBufferAttributes: attributes as CFDictionary, outputCallback: nil, decompressionSessionOut: &session)
        guard let session, status == noErr else { throw StreamEncoderError(status: status) }
        return session
    }
}
