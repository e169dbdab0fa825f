// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Testing

    @Suite struct CVPixelBufferTests {
        static let codes: [OSType] = [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
            kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_24RGB,
            kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8,
            kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange,
        ]

        private func make(
            _ width: Int, _ height: Int, _ code: OSType, _ attributes: CFDictionary? = nil
        ) -> (CVReturn, CVPixelBuffer?) {
            var buffer: CVPixelBuffer?
            let status = CVPixelBufferCreate(kCFAllocatorDefault, width, height, code, attributes, &buffer)
            return (status, buffer)
        }

        @Test("buffers of each format have the planes that a session's pictures have", arguments: codes)
        func planes(code: OSType) throws {
            for (width, height) in [(1, 1), (17, 5), (64, 48)] {
                let buffer = try #require(make(width, height, code).1)
                let format = try #require(PixelFormat(cvPixelFormatType: code))
                #expect(CVPixelBufferGetPixelFormatType(buffer) == code)
                #expect((CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)) == (width, height))
                #expect(CVPixelBufferIsPlanar(buffer) == (format.planeCount > 1))
                #expect(CVPixelBufferGetPlaneCount(buffer) == (format.planeCount > 1 ? format.planeCount : 0))
                var byteCount = 0
                for plane in 0..<format.planeCount {
                    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
                    let rows = CVPixelBufferGetHeightOfPlane(buffer, plane)
                    #expect(bytesPerRow % 64 == 0)
                    #expect(bytesPerRow >= format.rowBytes(plane: plane, width: width))
                    #expect(rows == format.rows(plane: plane, height: height))
                    let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
                    #expect(Int(bitPattern: base) % 64 == 0)
                    base.initializeMemory(as: UInt8.self, repeating: UInt8(plane), count: bytesPerRow * rows)
                    byteCount += bytesPerRow * rows
                }
                #expect(CVPixelBufferGetDataSize(buffer) == byteCount)
                #expect(CVPixelBufferGetBaseAddress(buffer) == CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
                let picture = try buffer.pixelBuffer()
                #expect(picture.format == format)
                for plane in 0..<format.planeCount {
                    let address = CVPixelBufferGetBaseAddressOfPlane(buffer, plane)
                    #expect(picture.unsafeAddress(plane: plane) == UnsafeRawPointer(address))
                }
            }
        }

        @Test("planes that are not there have no address and no size", arguments: [-1, 2, 3, Int.max])
        func missingPlanes(index: Int) throws {
            let buffer = try #require(make(16, 16, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).1)
            #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, index) == nil)
            #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, index) == 0)
            #expect(CVPixelBufferGetWidthOfPlane(buffer, index) == 0)
            #expect(CVPixelBufferGetHeightOfPlane(buffer, index) == 0)
        }

        @Test("what cannot be made is refused by its status")
        func refusals() {
            let nv12 = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            for (width, height) in [(0, 1), (-1, 16), (16, 0), (65536, 2), (Int.max, Int.max), (2, Int.min)] {
                #expect(make(width, height, nv12) == (kCVReturnInvalidSize, nil))
            }
            for code: OSType in [0, 0x7669_6465, kCVPixelFormatType_422YpCbCr10, .max] {
                #expect(make(16, 16, code) == (kCVReturnInvalidPixelFormat, nil))
            }
            for alignment in [3, 0, -64, 1 << 17] {
                let attributes = [kCVPixelBufferBytesPerRowAlignmentKey: alignment] as CFDictionary
                #expect(make(16, 16, nv12, attributes) == (kCVReturnInvalidPixelBufferAttributes, nil))
            }
        }

        @Test("rows are as far apart as is asked, and no less than 64 bytes", arguments: [1, 16, 64, 128, 4096])
        func alignment(bytes: Int) throws {
            let attributes = [kCVPixelBufferBytesPerRowAlignmentKey: bytes] as CFDictionary
            let buffer = try #require(make(100, 10, kCVPixelFormatType_32BGRA, attributes).1)
            #expect(CVPixelBufferGetBytesPerRow(buffer) % max(bytes, 64) == 0)
        }

        @Test("each unlock needs a lock")
        func locks() throws {
            let buffer = try #require(make(16, 16, kCVPixelFormatType_32BGRA).1)
            #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnInvalidArgument)
            let address = CVPixelBufferGetBaseAddress(buffer)
            for _ in 0..<3 { #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess) }
            #expect(CVPixelBufferGetBaseAddress(buffer) == address)
            for _ in 0..<3 { #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess) }
            #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnInvalidArgument)
        }

        @Test("a part of a buffer is a picture that begins at its first sample", arguments: codes)
        func parts(code: OSType) throws {
            let buffer = try #require(make(32, 20, code).1)
            let format = try #require(PixelFormat(cvPixelFormatType: code))
            let picture = try buffer.pixelBuffer(part: (4, 2, 10, 6))
            #expect((picture.width, picture.height) == (10, 6))
            for plane in 0..<format.planeCount {
                let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
                let row = format.isFourTwoZero && plane > 0 ? 1 : 2
                let offset = row * CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
                let column = format.rowBytes(plane: plane, width: 4)
                #expect(picture.unsafeAddress(plane: plane) == UnsafeRawPointer(base + offset + column))
            }
        }

        @Test("extended pixels are none")
        func extendedPixels() throws {
            let buffer = try #require(make(16, 16, kCVPixelFormatType_32BGRA).1)
            var (left, right, top, bottom) = (1, 1, 1, 1)
            CVPixelBufferGetExtendedPixels(buffer, &left, &right, &top, &bottom)
            CVPixelBufferGetExtendedPixels(buffer, nil, nil, nil, nil)
            #expect(left == 0 && right == 0 && top == 0 && bottom == 0)
        }
    }
#endif
