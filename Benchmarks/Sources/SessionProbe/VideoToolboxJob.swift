// SPDX-License-Identifier: MIT

import EKCoreFoundation
import EKCoreMedia
import EKCoreVideo
import EKVideoToolbox
import EncoderAPI
import Glibc
import Logging

/// A back end's encoders with the preset and the one thread that no key of VideoToolbox asks for.
private struct OneThread: EncoderBackend {
    let backend: any EncoderBackend
    let preset: String?
    var identifier: String { backend.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try backend.listEncoders() }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        var settings = settings
        (settings.request.preset, settings.request.threadCount) = (preset, 1)
        return try backend.makeEncoder(encoder, settings: settings, logger: logger)
    }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        try backend.check(settings, for: encoder)
    }
}

/// A job through VTCompressionSession, whose buffers wrap the pictures of the clip.
struct VideoToolboxJob {
    private let job: Job
    private let clip: [CVPixelBuffer]

    init(_ job: Job) throws {
        self.job = job
        VTRegisterEncoderBackend(OneThread(backend: job.backend, preset: job.configuration.preset))
        clip = job.clip.map { picture in
            var addresses: [UnsafeMutableRawPointer?] = (0..<3).map { plane in
                UnsafeMutableRawPointer(mutating: picture.unsafeAddress(plane: plane))
            }
            var widths = [picture.width, picture.width / 2, picture.width / 2]
            var heights = [picture.height, picture.height / 2, picture.height / 2]
            var strides = (0..<3).map { picture.bytesPerRow(plane: $0) }
            var made: CVPixelBuffer?
            CVPixelBufferCreateWithPlanarBytes(
                nil, picture.width, picture.height, kCVPixelFormatType_420YpCbCr8Planar, nil, 0, 3, &addresses,
                &widths, &heights, &strides, nil, nil, nil, &made)
            guard let made else { exit(70) }
            return made
        }
    }

    func run() throws -> Int {
        // What classes of applications ask a sample for.
        let callback: VTCompressionOutputCallback = { _, frame, _, _, sample in
            guard let sample, let block = CMSampleBufferGetDataBuffer(sample) else { return }
            let list = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)
            let attachments = unsafeBitCast(CFArrayGetValueAtIndex(list, 0), to: CFDictionary.self)
            let notSync = Unmanaged.passUnretained(kCMSampleAttachmentKey_NotSync).toOpaque()
            let isSync = !CFDictionaryContainsKey(attachments, notSync)
            if isSync, CMSampleBufferGetFormatDescription(sample) == nil { exit(70) }
            var (length, bytes) = (0, UnsafeMutablePointer<Int8>?.none)
            CMBlockBufferGetDataPointer(
                block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length, dataPointerOut: &bytes)
            guard bytes != nil, CMSampleBufferGetPresentationTimeStamp(sample).isValid else { exit(70) }
            frame?.assumingMemoryBound(to: Int.self).pointee += length
        }
        var total = 0
        var made: VTCompressionSession?
        VTCompressionSessionCreate(
            allocator: nil, width: Int32(job.configuration.width), height: Int32(job.configuration.height),
            codecType: job.configuration.codec == .h264 ? kCMVideoCodecType_H264 : kCMVideoCodecType_HEVC,
            encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
            outputCallback: callback, refcon: nil, compressionSessionOut: &made)
        guard let session = made else { exit(70) }
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_ExpectedFrameRate, value: 30 as CFTypeRef)
        withUnsafeMutablePointer(to: &total) { total in
            for index in 0..<job.frames {
                VTCompressionSessionEncodeFrame(
                    session, imageBuffer: clip[index % clip.count],
                    presentationTimeStamp: CMTime(value: Int64(index), timescale: 30), duration: .invalid,
                    frameProperties: nil, sourceFrameRefcon: total, infoFlagsOut: nil)
            }
            VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        }
        VTCompressionSessionInvalidate(session)
        return total
    }
}
