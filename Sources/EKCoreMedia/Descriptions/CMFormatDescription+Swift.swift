// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreVideo
    import EncoderAPI
    public import Foundation

    // MARK: - Swift's names

    extension CMFormatDescription {
        /// What kind of media samples are.
        public struct MediaType: RawRepresentable, Sendable, Hashable {
            /// Four characters.
            public let rawValue: CMMediaType

            /// Takes four characters.
            public init(rawValue: CMMediaType) { self.rawValue = rawValue }

            /// Pictures.
            public static let video = MediaType(rawValue: kCMMediaType_Video)
            /// Sound.
            public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        }

        /// How samples are coded, or the format of those that are not.
        public struct MediaSubType: RawRepresentable, Sendable, Hashable {
            /// Four characters.
            public let rawValue: FourCharCode

            /// Takes four characters.
            public init(rawValue: FourCharCode) { self.rawValue = rawValue }

            /// H.264.
            public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
            /// HEVC.
            public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
            /// AAC, "aac ".
            public static let mpeg4AAC = MediaSubType(rawValue: 0x6161_6320)
            /// AAC of low delay, "aacl".
            public static let mpeg4AAC_LD = MediaSubType(rawValue: 0x6161_636c)
        }

        /// What kind of media samples are.
        public var mediaType: MediaType { MediaType(rawValue: type) }
        /// How samples are coded, or the format of those that are not.
        public var mediaSubType: MediaSubType { MediaSubType(rawValue: subType) }
        /// Columns and rows.
        public var dimensions: CMVideoDimensions { size }
        /// Copies of the parameter sets, VPS, SPS and PPS in that order; empty where none are known.
        public var parameterSets: [Data] { sets.map { Data($0) } }
        /// Bytes of the length before each NAL unit of a sample; 0 where it is not known.
        public var nalUnitHeaderLength: Int { format?.nalUnitLengthSize ?? 0 }

        /// Makes a description of pictures that are not coded.
        ///
        /// - Parameter imageBuffer: A buffer like all of them.
        /// - Throws: Nothing; declared for callers' `try`.
        public convenience init(imageBuffer: CVImageBuffer) throws { self.init(of: imageBuffer) }
    }

    // MARK: - Extensions

    extension CMFormatDescription {
        /// What a description says besides kind, coding and size.
        public struct Extensions {
            let values: NSDictionary

            /// A name of an extension.
            public struct Key: RawRepresentable, Sendable, Hashable {
                /// The name.
                public let rawValue: String

                /// Takes a name.
                public init(rawValue: String) { self.rawValue = rawValue }

                /// avcC and hvcC, by their names.
                public static let sampleDescriptionExtensionAtoms = Key(rawValue: "SampleDescriptionExtensionAtoms")
                /// Primaries.
                public static let colorPrimaries = Key(rawValue: "CVImageBufferColorPrimaries")
                /// Transfer function.
                public static let transferFunction = Key(rawValue: "CVImageBufferTransferFunction")
                /// Matrix.
                public static let yCbCrMatrix = Key(rawValue: "CVImageBufferYCbCrMatrix")
                /// Whether samples have the full range.
                public static let fullRangeVideo = Key(rawValue: "FullRangeVideo")
                /// Shape of a sample.
                public static let pixelAspectRatio = Key(rawValue: "CVPixelAspectRatio")
                /// The part that is meant to be seen.
                public static let cleanAperture = Key(rawValue: "CVCleanAperture")
            }

            /// The value of an extension; nil where there is none.
            public subscript(key: Key) -> CFPropertyList? { values.object(key.rawValue) }
        }

        /// What it says besides kind, coding and size.
        public var extensions: Extensions { Extensions(values: values) }
    }
#endif
