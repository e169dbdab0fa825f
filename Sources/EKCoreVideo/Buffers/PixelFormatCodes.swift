// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EKCoreFoundation
    package import EncoderAPI

    extension PixelFormat {
        /// Formats that buffers are made in, by the codes of CoreVideo.
        private static let byCode: [(code: OSType, format: PixelFormat)] = [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .nv12),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .nv12FullRange),
            (kCVPixelFormatType_420YpCbCr8Planar, .i420),
            (kCVPixelFormatType_420YpCbCr8PlanarFullRange, .i420FullRange),
            (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, .p010),
            (kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, .p010FullRange),
            (kCVPixelFormatType_32BGRA, .bgra), (kCVPixelFormatType_32RGBA, .rgba), (kCVPixelFormatType_32ARGB, .argb),
            (kCVPixelFormatType_24RGB, .rgb24), (kCVPixelFormatType_422YpCbCr8_yuvs, .yuyv),
            (kCVPixelFormatType_422YpCbCr8, .uyvy), (kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, .nv16),
        ]

        /// The format of a code of CoreVideo; nil where buffers are not made in it.
        package init?(cvPixelFormatType: OSType) {
            guard let row = Self.byCode.first(where: { $0.code == cvPixelFormatType }) else { return nil }
            self = row.format
        }

        /// CoreVideo's code of the format; nil where it has none.
        package var cvPixelFormatType: OSType? { Self.byCode.first { $0.format == self }?.code }

        /// Columns of a plane, as CoreVideo counts them: two samples that lie together are one.
        func columns(plane: Int, width: Int) -> Int {
            plane > 0 && planeCount > 1 && self != .i444 ? width / 2 + width % 2 : width
        }
    }
#endif
