// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import EncoderAPI
    import MediaFiles
    import OpenH264Backend
    import SoftVA
    import Synchronization
    import TestSupport
    import Testing
    import VAAPIBackend

    /// Sessions with openh264 and with a device, in a target of their own: a device comes before all other encoders.
    @Suite(.serialized, .requiresLibAV) struct OtherEncoderTests {
        /// What callbacks told.
        private final class Output: @unchecked Sendable {
            // Unchecked: written by callbacks, one at a time, and read after CompleteFrames.
            var samples: [CMSampleBuffer] = []
            var frames: [Int] = []
            var statuses: Set<OSStatus> = []
        }

        @Test("openh264 encodes what a class of iOS gives it", .requiresOpenH264)
        func openH264() throws {
            VTRegisterEncoderBackend(OpenH264Backend())
            try encode(kCMVideoCodecType_H264, isHardware: false, id: "openh264.h264")
        }

        @Test(
            "so does a device, which is found by asking for hardware",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
        func device(codec: CMVideoCodecType) throws {
            try #require(softva_set_personality("strict") == 0)
            softva_reset()
            let display = try #require(softva_display_open())
            VTRegisterEncoderBackend(VAAPIBackend(devices: [.display(display, name: "soft")]))
            try encode(codec, isHardware: true, id: nil)
            // The encoder goes on the session's thread.
            for _ in 0..<1000 where softva_count(SOFTVA_OBJECTS) > 0 { usleep(5000) }
            softva_display_close(display)
            for kind in [SOFTVA_VIOLATIONS, SOFTVA_MISUSES, SOFTVA_LEAKS] { #expect(softva_count(kind) == 0) }
            softva_set_personality(nil)
            VTRegisterEncoderBackend(VAAPIBackend(devices: []))
        }

        @Test("no device is an answer of its own, and software may be asked for")
        func noDevice() {
            VTRegisterEncoderBackend(VAAPIBackend(devices: []))
            VTRegisterEncoderBackend(OpenH264Backend())
            let required = kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder
            var made: VTCompressionSession?
            let status = create(kCMVideoCodecType_H264, [required: kCFBooleanTrue as Any], Output(), &made)
            #expect(status == kVTCouldNotFindVideoEncoderErr && made == nil)
        }

        private func create(
            _ codec: CMVideoCodecType, _ specification: [CFString: Any], _ output: Output,
            _ made: inout VTCompressionSession?
        ) -> OSStatus {
            VTCompressionSessionCreate(
                allocator: nil, width: 176, height: 144, codecType: codec,
                encoderSpecification: specification as CFDictionary, imageBufferAttributes: nil,
                compressedDataAllocator: nil,
                outputCallback: { refCon, frame, status, _, sample in
                    guard let refCon else { return }
                    let output = Unmanaged<Output>.fromOpaque(refCon).takeUnretainedValue()
                    output.frames.append(Int(bitPattern: frame))
                    output.statuses.insert(status)
                    if let sample { output.samples.append(sample) }
                }, refcon: Unmanaged.passUnretained(output).toOpaque(), compressionSessionOut: &made)
        }

        /// Encodes thirty frames in real time with a forced key frame and a rate that changes on the way.
        private func encode(_ codec: CMVideoCodecType, isHardware: Bool, id: String?) throws {
            let output = Output()
            let specification: [CFString: Any] =
                id.map { [kVTVideoEncoderSpecification_EncoderID: $0] }
                ?? [kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: true]
            var made: VTCompressionSession?
            #expect(create(codec, specification, output, &made) == noErr)
            let session = try #require(made)
            let settings: [CFString: Any] = [
                kVTCompressionPropertyKey_RealTime: true, kVTCompressionPropertyKey_AverageBitRate: 300_000,
                kVTCompressionPropertyKey_ExpectedFrameRate: 30, kVTCompressionPropertyKey_MaxKeyFrameInterval: 300,
            ]
            #expect(VTSessionSetProperties(session, propertyDictionary: settings as CFDictionary) == noErr)
            for number in 0..<30 {
                if number == 20 {
                    let status = VTSessionSetProperty(
                        session, key: kVTCompressionPropertyKey_AverageBitRate, value: 150_000 as NSNumber)
                    #expect(status == noErr)
                }
                let properties = [kVTEncodeFrameOptionKey_ForceKeyFrame: number == 10] as CFDictionary
                let status = VTCompressionSessionEncodeFrame(
                    session, imageBuffer: try picture(number),
                    presentationTimeStamp: CMTime(value: Int64(number), timescale: 30), duration: .invalid,
                    frameProperties: properties, sourceFrameRefcon: UnsafeMutableRawPointer(bitPattern: number + 1),
                    infoFlagsOut: nil)
                #expect(status == noErr)
            }
            #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == noErr)
            #expect(output.frames == Array(1...30) && output.statuses == [noErr])
            #expect(
                copy(kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder, session) as? Bool == isHardware)
            if let id { #expect(copy(kVTCompressionPropertyKey_EncoderID, session) as? String == id) }
            VTCompressionSessionInvalidate(session)
            let sync = output.samples.indices.filter { index in
                output.samples[index].sampleAttachments[0][.notSync] as? Bool != true
            }
            #expect(sync == [0, 10])
            for (number, sample) in output.samples.enumerated() {
                #expect(sample.presentationTimeStamp == CMTime(value: Int64(number), timescale: 30))
            }
            #expect(try decodedCount(output.samples, codec == kCMVideoCodecType_H264 ? .h264 : .hevc) == 30)
        }

        private func copy(_ key: CFString, _ session: VTCompressionSession) -> CFTypeRef? {
            var value: CFTypeRef?
            withUnsafeMutablePointer(to: &value) {
                _ = VTSessionCopyProperty(session, key: key, allocator: nil, valueOut: UnsafeMutableRawPointer($0))
            }
            return value
        }

        private func picture(_ number: Int) throws -> CVPixelBuffer {
            var made: CVPixelBuffer?
            CVPixelBufferCreate(nil, 176, 144, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &made)
            let buffer = try #require(made)
            for plane in 0..<2 {
                let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
                let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
                for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
                    for column in 0..<176 {
                        let value = plane == 0 ? 32 + (row * 3 + column + 5 * number) % 160 : 120
                        base.storeBytes(of: UInt8(value), toByteOffset: row * stride + column, as: UInt8.self)
                    }
                }
            }
            return buffer
        }

        /// Pictures that libavcodec decodes, none of them damaged.
        private func decodedCount(_ samples: [CMSampleBuffer], _ codec: VideoCodec) throws -> Int {
            let decoder = try StreamDecoder(codec: codec)
            var pictures: [DecodedPicture] = []
            for (index, sample) in samples.enumerated() {
                var unit: [UInt8] = []
                if sample.sampleAttachments[0][.notSync] as? Bool != true {
                    for set in sample.formatDescription?.parameterSets ?? [] { unit += [0, 0, 0, 1] + set }
                }
                var rest = (sample.dataBuffer?.withContiguousStorage { [UInt8]($0) } ?? [])[...]
                var slices = 0
                while rest.count > 4 {
                    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                    let header = rest.dropFirst(4).first ?? 0
                    // Tables 7-1: slices of H.264 are of type 1 or 5, those of HEVC below 32.
                    slices += (codec == .h264 ? [1, 5].contains(header & 31) : header >> 1 & 63 < 32) ? 1 : 0
                    unit += [0, 0, 0, 1] + rest.dropFirst(4).prefix(length)
                    rest = rest.dropFirst(4 + length)
                }
                // Clients take a frame in real time for one NAL unit.
                #expect(slices == 1)
                pictures += try decoder.decode(unit, presentationTime: MediaTime(value: Int64(index), timescale: 30))
            }
            pictures += try decoder.finish()
            #expect(pictures.allSatisfy { !$0.isDamaged })
            return pictures.count
        }
    }
#endif
