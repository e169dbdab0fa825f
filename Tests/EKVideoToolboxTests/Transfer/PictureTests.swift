// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import EncoderAPI
    import Foundation
    import MediaFiles
    import ParameterSets
    import PictureTransfer
    import TestSupport
    import Testing

    extension Trait where Self == ConditionTrait {
        /// Skips the test, saying so, where libyuv is not installed.
        static var requiresLibYUV: Self {
            .enabled(if: PixelTransferSession().missingLibrary == nil, "SKIPPED, needs libyuv")
        }
    }

    /// Formats, sizes and colors of frames.
    @Suite struct PictureTests {
        @Test("the format of the first frame is the session's, and full range is signalled", .requiresLibAV)
        func fullRange() throws {
            for (format, isFull) in [
                (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, false),
                (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, true), (kCVPixelFormatType_420YpCbCr8Planar, false),
                (kCVPixelFormatType_420YpCbCr8PlanarFullRange, true),
            ] {
                for prepares in [false, true] {
                    let encoding = try Encoding()
                    if prepares { VTCompressionSessionPrepareToEncodeFrames(encoding.session) }
                    for number in 0..<4 {
                        #expect(encoding.encode(try frame(number, format: format), at: time(number)) == noErr)
                    }
                    #expect(encoding.complete() == noErr)
                    let description = try #require(encoding.output.samples[0].formatDescription)
                    let sps = try H264SPS(nalUnit: [UInt8](description.parameterSets[0]))
                    #expect((sps.vui?.videoSignalType?.videoFullRangeFlag ?? false) == isFull)
                    #expect(encoding.output.samples.count == 4)
                    #expect(try decode(encoding.output.samples).count == 4)
                }
            }
        }

        @Test("colors attached to buffers are signalled, and keys count over them")
        func colors() throws {
            for isSet in [false, true] {
                let encoding = try Encoding()
                if isSet { encoding.set(kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_601_4) }
                let buffer = try frame(0)
                CVBufferSetAttachment(
                    buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
                CVBufferSetAttachment(
                    buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
                encoding.encode(buffer, at: time(0))
                // Buffers that say nothing change nothing.
                for number in 1..<5 { encoding.encode(try frame(number), at: time(number)) }
                #expect(encoding.complete() == noErr)
                let description = try #require(encoding.output.samples[0].formatDescription)
                let color = try H264SPS(nalUnit: [UInt8](description.parameterSets[0])).vui?.videoSignalType?.color
                #expect(color?.matrix == (isSet ? 6 : 1) && color?.primaries == 1)
                #expect(description.extensions[.colorPrimaries] as? String == "ITU_R_709_2")
                #expect(encoding.output.samples.filter(\.isSync).count == 1)
            }
        }

        @Test("frames of other sizes and formats are transferred, none is lost", .requiresLibAV, .requiresLibYUV)
        func transfers() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            let sizes = [(176, 144), (352, 288), (100, 60), (176, 144)]
            let formats = [
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
                kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8Planar,
            ]
            var number = 0
            for (width, height) in sizes {
                for format in formats {
                    #expect(
                        encoding.encode(try frame(number, width, height, format: format), at: time(number)) == noErr)
                    number += 1
                }
            }
            #expect(encoding.complete() == noErr)
            let pictures = try decode(encoding.output.samples)
            #expect(pictures.count == number)
            #expect(pictures.allSatisfy { $0.picture.width == 176 && $0.picture.height == 144 })
        }

        @Test("BGRA alone is encoded with the matrix of BT.709, which is signalled", .requiresLibAV, .requiresLibYUV)
        func bgra() throws {
            let encoding = try Encoding()
            for number in 0..<5 {
                #expect(
                    encoding.encode(try frame(number, format: kCVPixelFormatType_32BGRA), at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            let description = try #require(encoding.output.samples[0].formatDescription)
            let color = try H264SPS(nalUnit: [UInt8](description.parameterSets[0])).vui?.videoSignalType?.color
            #expect(color?.matrix == 1)
            #expect(try decode(encoding.output.samples).count == 5)
        }

        @Test("ten bits become HEVC Main 10, with HLG as it is attached", .requiresLibAV)
        func tenBits() throws {
            let encoding = try Encoding(kCMVideoCodecType_HEVC)
            encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_HEVC_Main10_AutoLevel)
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_ColorPrimaries, kCVImageBufferColorPrimaries_ITU_R_2020)
            encoding.set(kVTCompressionPropertyKey_TransferFunction, kCVImageBufferTransferFunction_ITU_R_2100_HLG)
            encoding.set(kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_2020)
            for number in 0..<10 {
                let buffer = try frame(number, format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
                #expect(encoding.encode(buffer, at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            let samples = encoding.output.samples
            let sps = try HEVCSPS(nalUnit: [UInt8](samples[0].formatDescription?.parameterSets[1] ?? Data()))
            #expect(sps.bitDepthLuma == 10 && sps.vui?.videoSignalType?.color?.transfer == 18)
            #expect(try decode(samples, .hevc).count == 10)
        }

        @Test("a session that cannot take a format says so, and goes on")
        func refusals() throws {
            let encoding = try Encoding()
            #expect(encoding.encode(try frame(0), at: time(0)) == noErr)
            let other = try frame(1, 64, 64, format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
            #expect(encoding.encode(other, at: time(1)) == kVTPixelTransferNotSupportedErr)
            #expect(encoding.encode(try frame(2), at: time(2)) == noErr)
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.all.count == 2)
        }

        @Test("the session's pool makes buffers that it takes as they are, the same pool each time")
        func pool() throws {
            let attributes = [kCVPixelBufferPixelFormatTypeKey: [0x7669_6465, kCVPixelFormatType_420YpCbCr8Planar]]
            let encoding = try Encoding(attributes: attributes as CFDictionary)
            let pool = try #require(VTCompressionSessionGetPixelBufferPool(encoding.session))
            #expect(VTCompressionSessionGetPixelBufferPool(encoding.session) == pool)
            var made: CVPixelBuffer?
            #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess)
            let buffer = try #require(made)
            #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8Planar)
            #expect(encoding.encode(buffer, at: time(0)) == noErr)
            #expect(VTCompressionSessionGetPixelBufferPool(encoding.session) == pool)
        }

        @Test("a transfer session fills a buffer, an aperture is cut out, a turn changes sides", .requiresLibYUV)
        func transferSession() throws {
            var made: VTPixelTransferSession?
            VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &made)
            let session = try #require(made)
            let (from, to) = (try frame(3, 128, 64, format: kCVPixelFormatType_32BGRA), try frame(0, 64, 64))
            #expect(VTPixelTransferSessionTransferImage(session, from: from, to: to) == noErr)
            #expect(
                VTSessionSetProperty(
                    session, key: kVTPixelTransferPropertyKey_ScalingMode, value: kVTScalingMode_Letterbox)
                    == noErr)
            #expect(VTPixelTransferSessionTransferImage(session, from: from, to: to) == noErr)
            let base = try #require(CVPixelBufferGetBaseAddressOfPlane(to, 0))
            #expect(base.load(as: UInt8.self) == 16)
            #expect(
                VTSessionSetProperty(session, key: kVTPixelTransferPropertyKey_ScalingMode, value: 1 as CFTypeRef)
                    == kVTParameterErr)
            #expect(VTPixelTransferSessionTransferImage(session, from: to, to: from) == kVTPixelTransferNotSupportedErr)
            VTPixelTransferSessionInvalidate(session)
            #expect(VTPixelTransferSessionTransferImage(session, from: from, to: to) == kVTInvalidSessionErr)
            var turns: VTPixelRotationSession?
            VTPixelRotationSessionCreate(nil, &turns)
            let rotation = try #require(turns)
            VTSessionSetProperty(rotation, key: kVTPixelRotationPropertyKey_Rotation, value: kVTRotation_CW90)
            let turned = try frame(0, 64, 128)
            #expect(VTPixelRotationSessionRotateImage(rotation, from, turned) == noErr)
            #expect(VTPixelRotationSessionRotateImage(rotation, from, to) == kVTImageRotationNotSupportedErr)
        }
    }
#endif
