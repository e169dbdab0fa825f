// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreVideo
    import Testing

    @Suite struct PayloadTests {
        @Test("codes of formats are their four characters")
        func formats() {
            let rows: [(OSType, String)] = [
                (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "420v"),
                (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "420f"), (kCVPixelFormatType_420YpCbCr8Planar, "y420"),
                (kCVPixelFormatType_420YpCbCr8PlanarFullRange, "f420"),
                (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, "x420"),
                (kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, "xf20"), (kCVPixelFormatType_32BGRA, "BGRA"),
                (kCVPixelFormatType_32RGBA, "RGBA"), (kCVPixelFormatType_422YpCbCr8, "2vuy"),
                (kCVPixelFormatType_422YpCbCr8_yuvs, "yuvs"), (kCVPixelFormatType_422YpCbCr10, "v210"),
                (kCVPixelFormatType_OneComponent8, "L008"),
                (kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, "422v"),
            ]
            for (code, characters) in rows {
                #expect(characters.utf8.reduce(0) { $0 << 8 | OSType($1) } == code)
            }
            #expect(kCVPixelFormatType_32ARGB == 32 && kCVPixelFormatType_24RGB == 24)
        }

        @Test("payloads that clients write themselves")
        func payloads() {
            #expect(kCVPixelBufferPixelFormatTypeKey == "PixelFormatType")
            #expect(kCVPixelBufferWidthKey == "Width")
            #expect(kCVPixelBufferIOSurfacePropertiesKey == "IOSurfaceProperties")
            #expect(kCVImageBufferColorPrimaries_ITU_R_2020 == "ITU_R_2020")
            #expect(kCVImageBufferTransferFunction_ITU_R_2100_HLG == "ITU_R_2100_HLG")
            #expect(kCVPixelBufferPoolAllocationThresholdKey == "BufferPoolAllocationThreshold")
        }
    }
#endif
