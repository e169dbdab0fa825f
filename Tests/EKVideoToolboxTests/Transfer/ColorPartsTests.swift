// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Foundation
    import ParameterSets
    import Testing

    /// Buffers that name some of primaries, transfer function and matrix, and not the others.
    @Suite struct ColorPartsTests {
        private static let rgb = [
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_24RGB,
        ]

        /// Attaches names; nil leaves a part out.
        private func attach(_ primaries: CFString?, _ transfer: CFString?, _ matrix: CFString?, to buffer: CVBuffer) {
            let parts = [
                (kCVImageBufferColorPrimariesKey, primaries), (kCVImageBufferTransferFunctionKey, transfer),
                (kCVImageBufferYCbCrMatrixKey, matrix),
            ]
            for (key, name) in parts {
                if let name { CVBufferSetAttachment(buffer, key, name, .shouldPropagate) }
            }
        }

        private func attached(_ key: CFString, _ buffer: CVBuffer) -> String? {
            (CVBufferCopyAttachment(buffer, key, nil) as? NSString).map { "\($0)" }
        }

        /// A buffer of one red, whose luma tells the matrix: 63 by BT.709, 81 by BT.601.
        private func red(_ width: Int = 64, _ height: Int = 64) throws -> CVPixelBuffer {
            let buffer = try frame(0, width, height, format: kCVPixelFormatType_32BGRA)
            let base = try #require(CVPixelBufferGetBaseAddress(buffer))
            for row in 0..<height {
                for column in 0..<width {
                    let place = row * CVPixelBufferGetBytesPerRow(buffer) + column * 4
                    base.storeBytes(of: UInt32(0xFFFF_0000), toByteOffset: place, as: UInt32.self)
                }
            }
            return buffer
        }

        private func luma(_ buffer: CVPixelBuffer) -> UInt8? {
            CVPixelBufferGetBaseAddressOfPlane(buffer, 0)?.load(as: UInt8.self)
        }

        private func transferSession(_ properties: [(CFString, CFString)] = []) throws -> VTPixelTransferSession {
            var made: VTPixelTransferSession?
            VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &made)
            let session = try #require(made)
            for (key, value) in properties {
                #expect(VTSessionSetProperty(session, key: key, value: value) == noErr, "\(key)")
            }
            return session
        }

        @Test("RGB that names no matrix is encoded with BT.709, beside what it names", .requiresLibYUV)
        func rgbWithoutMatrix() throws {
            for format in Self.rgb {
                for (primaries, transfer) in [
                    (kCVImageBufferColorPrimaries_P3_D65, nil), (nil, kCVImageBufferTransferFunction_sRGB),
                    (kCVImageBufferColorPrimaries_P3_D65, kCVImageBufferTransferFunction_sRGB),
                ] {
                    let encoding = try Encoding()
                    for number in 0..<3 {
                        let buffer = try frame(number, format: format)
                        attach(primaries, transfer, nil, to: buffer)
                        #expect(encoding.encode(buffer, at: time(number)) == noErr)
                    }
                    #expect(encoding.complete() == noErr)
                    #expect(encoding.output.samples.count == 3)
                    let color = try signalled(encoding.output.samples.first)
                    #expect(color?.matrix == 1)
                    #expect(color?.primaries == (primaries == nil ? 2 : 12))
                    #expect(color?.transfer == (transfer == nil ? 2 : 13))
                }
            }
        }

        @Test("RGB that names no matrix gets the stream's, and one that a key names", .requiresLibYUV)
        func rgbInAStream() throws {
            for hasKey in [false, true] {
                let encoding = try Encoding()
                if hasKey { encoding.set(kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_2020) }
                let first = try frame(0)
                attach(kCVImageBufferColorPrimaries_SMPTE_C, nil, kCVImageBufferYCbCrMatrix_ITU_R_601_4, to: first)
                #expect(encoding.encode(first, at: time(0)) == noErr)
                let second = try frame(1, format: kCVPixelFormatType_32BGRA)
                attach(kCVImageBufferColorPrimaries_SMPTE_C, nil, nil, to: second)
                #expect(encoding.encode(second, at: time(1)) == noErr)
                #expect(encoding.complete() == noErr)
                #expect(encoding.output.samples.count == 2)
                #expect(encoding.output.samples.filter(\.isSync).count == 1)
                #expect(try signalled(encoding.output.samples.first)?.matrix == (hasKey ? 9 : 6))
            }
        }

        @Test("a stream whose matrix nobody names gets one when RGB comes", .requiresLibYUV)
        func rgbAfterUnknown() throws {
            let encoding = try Encoding()
            for number in 0..<4 {
                let format =
                    number < 2 ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange : kCVPixelFormatType_32BGRA
                let buffer = try frame(number, format: format)
                if number < 2 { attach(kCVImageBufferColorPrimaries_P3_D65, nil, nil, to: buffer) }
                #expect(encoding.encode(buffer, at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.samples.count == 4)
            #expect(try signalled(encoding.output.samples.last)?.matrix == 1)
            #expect(try signalled(encoding.output.samples.last)?.primaries == 12)
        }

        private func signalled(_ sample: CMSampleBuffer?) throws -> ColorDescription? {
            let description = try #require(sample?.formatDescription)
            return try H264SPS(nalUnit: [UInt8](description.parameterSets[0])).vui?.videoSignalType?.color
        }

        @Test("RGB is transferred and turned again and again into one buffer, with one matrix", .requiresLibYUV)
        func sameDestination() throws {
            let session = try transferSession()
            var made: VTPixelRotationSession?
            VTPixelRotationSessionCreate(nil, &made)
            let rotation = try #require(made)
            let matrices: [(from: CFString?, to: CFString?, luma: UInt8, name: String)] = [
                (nil, nil, 63, "ITU_R_709_2"),
                (kCVImageBufferYCbCrMatrix_ITU_R_601_4, nil, 81, "ITU_R_601_4"),
                (nil, kCVImageBufferYCbCrMatrix_ITU_R_601_4, 81, "ITU_R_601_4"),
                (kCVImageBufferYCbCrMatrix_ITU_R_709_2, kCVImageBufferYCbCrMatrix_ITU_R_601_4, 81, "ITU_R_601_4"),
            ]
            for (from, to, expected, name) in matrices {
                for turns in [false, true] {
                    let (source, target) = (try red(), try frame(0, 64, 64))
                    attach(kCVImageBufferColorPrimaries_P3_D65, nil, from, to: source)
                    attach(nil, nil, to, to: target)
                    for _ in 0..<3 {
                        let status =
                            turns
                            ? VTPixelRotationSessionRotateImage(rotation, source, target)
                            : VTPixelTransferSessionTransferImage(session, from: source, to: target)
                        #expect(status == noErr)
                        #expect(luma(target) == expected)
                        #expect(attached(kCVImageBufferYCbCrMatrixKey, target) == name)
                        #expect(attached(kCVImageBufferColorPrimariesKey, target) == "P3_D65")
                    }
                }
            }
        }

        @Test("a destination's color that nothing is made into is refused, and any other attached", .requiresLibYUV)
        func destinationColor() throws {
            let parts: [(key: CFString, attachment: CFString, name: CFString, other: CFString)] = [
                (
                    kVTPixelTransferPropertyKey_DestinationColorPrimaries, kCVImageBufferColorPrimariesKey,
                    kCVImageBufferColorPrimaries_ITU_R_709_2, kCVImageBufferColorPrimaries_P3_D65
                ),
                (
                    kVTPixelTransferPropertyKey_DestinationTransferFunction, kCVImageBufferTransferFunctionKey,
                    kCVImageBufferTransferFunction_ITU_R_709_2, kCVImageBufferTransferFunction_sRGB
                ),
                (
                    kVTPixelTransferPropertyKey_DestinationYCbCrMatrix, kCVImageBufferYCbCrMatrixKey,
                    kCVImageBufferYCbCrMatrix_ITU_R_601_4, kCVImageBufferYCbCrMatrix_ITU_R_709_2
                ),
            ]
            for (key, attachment, name, other) in parts {
                let session = try transferSession([(key, name)])
                for isRGB in [false, true] {
                    func source(_ name: CFString?) throws -> CVPixelBuffer {
                        let buffer = isRGB ? try red() : try frame(0, 64, 64)
                        if let name { CVBufferSetAttachment(buffer, attachment, name, .shouldPropagate) }
                        return buffer
                    }
                    for same in [nil, name] {
                        let target = try frame(0, 64, 64)
                        CVBufferSetAttachment(target, attachment, other, .shouldPropagate)
                        let from = try source(same)
                        #expect(VTPixelTransferSessionTransferImage(session, from: from, to: target) == noErr)
                        #expect(attached(attachment, target) == "\(name)", "\(key)")
                    }
                    // RGB is made into Y, Cb and Cr by whatever matrix; no other samples are changed.
                    let isMade = isRGB && attachment === kCVImageBufferYCbCrMatrixKey
                    let target = try frame(9, 64, 64)
                    let before = luma(target)
                    let status = VTPixelTransferSessionTransferImage(session, from: try source(other), to: target)
                    #expect(status == (isMade ? noErr : kVTPixelTransferNotSupportedErr), "\(key), RGB: \(isRGB)")
                    #expect(attached(attachment, target) == (isMade ? "\(name)" : nil))
                    #expect(luma(target) == (isMade ? 81 : before))
                }
            }
        }
    }
#endif
