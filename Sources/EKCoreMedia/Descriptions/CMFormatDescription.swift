// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation

    /// What kind of media samples are.
    public typealias CMMediaType = FourCharCode
    /// How pictures are coded, or the format of those that are not.
    public typealias CMVideoCodecType = FourCharCode

    /// Pictures.
    public let kCMMediaType_Video: CMMediaType = 0x7669_6465
    /// Sound.
    public let kCMMediaType_Audio: CMMediaType = 0x736f_756e
    /// H.264, as `avc1`.
    public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
    /// HEVC, as `hvc1`.
    public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
    /// HEVC with alpha, which nothing here encodes.
    public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6d75_7861
    /// JPEG, which nothing here encodes.
    public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6a70_6567
    /// MPEG-4 part 2, which nothing here encodes.
    public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6d70_3476
    /// AV1, which nothing here encodes.
    public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
    /// VP9, which nothing here encodes.
    public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
    /// ProRes 422, which nothing here encodes.
    public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636e

    /// Columns and rows of pictures.
    public struct CMVideoDimensions: Sendable {
        /// Columns.
        public var width: Int32
        /// Rows.
        public var height: Int32

        /// Makes no size.
        public init() { (width, height) = (0, 0) }

        /// Makes a size.
        public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
    }

    /// What is to be known of samples before the first: kind, coding, size, and in its extensions all else.
    ///
    /// Does not change; any thread may read it. Two are equal where all they say is.
    public final class CMFormatDescription: @unchecked Sendable {
        // Unchecked: nothing changes after init; the dictionary is a copy that nobody writes to.
        let type: CMMediaType
        let subType: FourCharCode
        let size: CMVideoDimensions
        /// Texts with what they stand for.
        let values: NSDictionary
        /// What the parameter sets say; nil where there are none.
        let format: FormatDescription?
        /// The parameter sets in memory that stays.
        let sets: [UnsafeBufferPointer<UInt8>]

        init(
            type: CMMediaType, subType: FourCharCode, size: CMVideoDimensions, values: NSDictionary?,
            format: FormatDescription? = nil
        ) {
            (self.type, self.subType, self.size, self.format) = (type, subType, size, format)
            self.values = values?.copied() ?? NSDictionary()
            sets = (format?.parameterSets ?? []).map { bytes in
                let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
                _ = copy.initialize(from: bytes)
                return UnsafeBufferPointer(copy)
            }
        }

        deinit { for set in sets { set.deallocate() } }
    }

    /// A description of pictures.
    public typealias CMVideoFormatDescription = CMFormatDescription

    extension CMFormatDescription: Hashable {
        /// Whether all that both say is equal.
        public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
            left === right
                || (left.type == right.type && left.subType == right.subType && left.size.width == right.size.width
                    && left.size.height == right.size.height && left.values.isEqual(right.values)
                    && left.format?.parameterSets == right.format?.parameterSets
                    && left.format?.nalUnitLengthSize == right.format?.nalUnitLengthSize)
        }

        /// Hashes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            hasher.combine(subType)
            hasher.combine(size.width)
            hasher.combine(size.height)
            hasher.combine(format?.parameterSets)
        }
    }

    extension CMFormatDescription: CFTyped {
        package static var cfTypeID: CFTypeID { 111 }
    }
#endif
