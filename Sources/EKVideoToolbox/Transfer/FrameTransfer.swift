// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation
    import Logging
    import PictureTransfer
    import Synchronization

    /// What becomes of pictures of another size.
    enum ScalingMode: String, CaseIterable, Sendable {
        case normal = "Normal"
        case crop = "CropSourceToCleanAperture"
        case letterbox = "Letterbox"
        case trim = "Trim"

        /// How what is left of a picture is brought to its size.
        var scaling: PixelTransferOptions.Scaling {
            switch self {
            case .normal, .crop: .normal
            case .letterbox: .letterbox
            case .trim: .trim
            }
        }
    }

    /// The transfer of a session, whose properties may change between frames.
    final class FrameTransfer: PixelTransfer {
        private let current: Mutex<PixelTransferSession>

        init(_ mode: ScalingMode) { current = Mutex(Self.session(mode)) }

        /// Has pictures from now on made in another way.
        func set(_ mode: ScalingMode) {
            let session = Self.session(mode)
            current.withLock { $0 = session }
        }

        private static func session(_ mode: ScalingMode) -> PixelTransferSession {
            var options = PixelTransferOptions()
            options.scaling = mode.scaling
            return PixelTransferSession(options)
        }

        /// Says once in the log why no picture can be made into another: what has to be installed.
        static func tellMissingLibrary() { _ = hasToldMissingLibrary }

        private static let hasToldMissingLibrary: Bool = {
            guard let missing = PixelTransferSession().missingLibrary else { return false }
            Logger(label: "EncoderKit.VideoToolbox").error("\(missing)")
            return true
        }()

        func check(
            _ picture: PixelBuffer, format: PixelFormat, width: Int, height: Int, color: ColorDescription?
        ) throws(EncoderError) {
            Self.tellMissingLibrary()
            try current.withLock { $0 }.check(picture, format: format, width: width, height: height, color: color)
        }

        func transfer(_ picture: PixelBuffer, to target: inout MutablePixelBuffer) throws(EncoderError) {
            try current.withLock { $0 }.transfer(picture, to: &target)
        }
    }

    extension CVBuffer {
        /// The clean aperture attached, at even places; nil where none is, or it is not in the picture.
        var cleanAperture: (x: Int, y: Int, width: Int, height: Int)? {
            guard let aperture = attachment(kCVImageBufferCleanApertureKey)?.value as? NSDictionary else { return nil }
            func number(_ key: CFString) -> Double { aperture.number("\(key)")?.doubleValue ?? 0 }
            let (width, height) = (
                number(kCVImageBufferCleanApertureWidthKey), number(kCVImageBufferCleanApertureHeightKey)
            )
            let (columns, rows) = (Double(CVPixelBufferGetWidth(self)), Double(CVPixelBufferGetHeight(self)))
            guard 1...columns ~= width, 1...rows ~= height else { return nil }
            let x = (columns - width) / 2 + number(kCVImageBufferCleanApertureHorizontalOffsetKey)
            let y = (rows - height) / 2 + number(kCVImageBufferCleanApertureVerticalOffsetKey)
            guard 0...columns - width ~= x, 0...rows - height ~= y else { return nil }
            return (Int(x) / 2 * 2, Int(y) / 2 * 2, Int(width), Int(height))
        }
    }
#endif
