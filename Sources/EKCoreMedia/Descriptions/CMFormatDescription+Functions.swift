// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreVideo
    import EncoderAPI
    public import Foundation
    import ParameterSets

    /// Makes a description of pictures.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - codecType: How they are coded.
    ///   - width: Columns, 0 or more.
    ///   - height: Rows, 0 or more.
    ///   - extensions: All else; an avcC or hvcC among the atoms tells the parameter sets.
    ///   - formatDescriptionOut: Takes the description, which the caller owns; nil where the call fails.
    /// - Returns: -12710 for a negative size.
    @discardableResult
    public func CMVideoFormatDescriptionCreate(
        allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
        formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
    ) -> OSStatus {
        formatDescriptionOut.pointee = nil
        guard width >= 0, height >= 0 else { return kCMFormatDescriptionError_InvalidParameter }
        formatDescriptionOut.pointee = CMFormatDescription(
            type: kCMMediaType_Video, subType: codecType, size: CMVideoDimensions(width: width, height: height),
            values: extensions, format: VideoCodec(cmVideoCodecType: codecType).flatMap { extensions?.format($0) })
        return noErr
    }

    /// Makes a description of pictures that are not coded: the buffer's format, size and color.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - imageBuffer: A buffer like all of them.
    ///   - formatDescriptionOut: Takes the description, which the caller owns.
    /// - Returns: 0.
    @discardableResult
    public func CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: CFAllocator?, imageBuffer: CVImageBuffer,
        formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
    ) -> OSStatus {
        formatDescriptionOut.pointee = CMFormatDescription(of: imageBuffer)
        return noErr
    }

    /// Whether a description is that of pictures like this one.
    public func CMVideoFormatDescriptionMatchesImageBuffer(
        _ videoDesc: CMFormatDescription, imageBuffer: CVImageBuffer
    ) -> Bool { videoDesc == CMFormatDescription(of: imageBuffer) }

    /// Columns and rows, 0 of what is no picture.
    public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMFormatDescription) -> CMVideoDimensions {
        videoDesc.size
    }

    /// Columns and rows as they are to be shown.
    ///
    /// - Parameters:
    ///   - videoDesc: The description.
    ///   - usePixelAspectRatio: Whether samples that are not square count with their width.
    ///   - useCleanAperture: Whether only the clean aperture counts.
    /// - Returns: A size in square samples.
    public func CMVideoFormatDescriptionGetPresentationDimensions(
        _ videoDesc: CMFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
    ) -> CGSize {
        var size = CGSize(width: CGFloat(videoDesc.size.width), height: CGFloat(videoDesc.size.height))
        if useCleanAperture { size = CMVideoFormatDescriptionGetCleanAperture(videoDesc, originIsAtTopLeft: true).size }
        let shape = videoDesc.values.object("\(kCVImageBufferPixelAspectRatioKey)") as? NSDictionary
        if usePixelAspectRatio, let width = shape?.number("\(kCVImageBufferPixelAspectRatioHorizontalSpacingKey)"),
            let height = shape?.number("\(kCVImageBufferPixelAspectRatioVerticalSpacingKey)"), height.doubleValue > 0
        {
            size.width *= width.doubleValue / height.doubleValue
        }
        return size
    }

    /// The part that is meant to be seen; all where nothing is said.
    ///
    /// - Parameters:
    ///   - videoDesc: The description.
    ///   - originIsAtTopLeft: Whether y counts from the top, rather than from the bottom.
    /// - Returns: A part of the picture in samples.
    public func CMVideoFormatDescriptionGetCleanAperture(
        _ videoDesc: CMFormatDescription, originIsAtTopLeft: Bool
    ) -> CGRect {
        let (width, height) = (Double(videoDesc.size.width), Double(videoDesc.size.height))
        guard let aperture = videoDesc.values.object("\(kCVImageBufferCleanApertureKey)") as? NSDictionary else {
            return CGRect(x: 0, y: 0, width: width, height: height)
        }
        func number(_ key: CFString, _ otherwise: Double) -> Double {
            aperture.number("\(key)")?.doubleValue ?? otherwise
        }
        let shown = (
            number(kCVImageBufferCleanApertureWidthKey, width), number(kCVImageBufferCleanApertureHeightKey, height)
        )
        let offset = number(kCVImageBufferCleanApertureVerticalOffsetKey, 0)
        let x = (width - shown.0) / 2 + number(kCVImageBufferCleanApertureHorizontalOffsetKey, 0)
        let y = (height - shown.1) / 2 + (originIsAtTopLeft ? offset : -offset)
        return CGRect(x: x, y: y, width: shown.0, height: shown.1)
    }

    /// What kind of media samples are.
    public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.type }

    /// How samples are coded, or the format of those that are not.
    public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.subType }

    /// An extension; nil where there is none.
    public func CMFormatDescriptionGetExtension(
        _ desc: CMFormatDescription, extensionKey: CFString
    ) -> CFPropertyList? { desc.values.object("\(extensionKey)") }

    /// All extensions; nil where there are none.
    public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
        desc.values.count == 0 ? nil : desc.values
    }

    /// Whether all that two descriptions say is equal; nil equals nil.
    public func CMFormatDescriptionEqual(
        _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
    ) -> Bool { formatDescription == otherFormatDescription }

    /// The number of the type of descriptions.
    public func CMFormatDescriptionGetTypeID() -> CFTypeID { CMFormatDescription.cfTypeID }

    /// A value that files can keep.
    public typealias CFPropertyList = AnyObject

    extension CMFormatDescription {
        /// Describes pictures that are not coded.
        convenience init(of imageBuffer: CVImageBuffer) {
            let values = NSMutableDictionary()
            let keys = [
                kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey, kCVImageBufferYCbCrMatrixKey,
                kCVImageBufferCleanApertureKey, kCVImageBufferPixelAspectRatioKey,
            ]
            for key in keys {
                if let value = CVBufferCopyAttachment(imageBuffer, key, nil) { values[key] = value }
            }
            self.init(
                type: kCMMediaType_Video, subType: CVPixelBufferGetPixelFormatType(imageBuffer),
                size: CMVideoDimensions(
                    width: Int32(clamping: CVPixelBufferGetWidth(imageBuffer)),
                    height: Int32(clamping: CVPixelBufferGetHeight(imageBuffer))), values: values)
        }
    }

    extension ColorDescription {
        /// The color as extensions of a description, with names where CoreVideo has some.
        var extensions: [AnyHashable: Any] {
            var values: [AnyHashable: Any] = [kCMFormatDescriptionExtension_FullRangeVideo: isFullRange as NSNumber]
            for (names, code) in [(ColorNames.primaries, primaries), (.transfer, transfer), (.matrix, matrix)] {
                if let name = names.name(code) { values[names.attachment as NSString] = name as NSString }
            }
            return values
        }
    }
#endif
