// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreMedia
    import EncoderAPI
    public import Foundation

    /// Lists the encoders of all back ends; blocks while devices answer.
    ///
    /// - Parameters:
    ///   - options: Not looked at.
    ///   - listOfVideoEncodersOut: Takes a list of dictionaries with the kVTVideoEncoderList keys, which the caller
    ///     owns; empty where no back end is linked or registered.
    /// - Returns: 0.
    @discardableResult
    public func VTCopyVideoEncoderList(
        _ options: CFDictionary?, _ listOfVideoEncodersOut: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        listOfVideoEncodersOut.pointee = NSArray(array: ListedEncoder.all.map(\.encoder.dictionary))
        return noErr
    }

    /// Tells what the encoder supports that a session would take.
    ///
    /// - Parameters:
    ///   - width: Columns of the pictures, 1 to 65535.
    ///   - height: Rows, likewise.
    ///   - codecType: H.264 or HEVC.
    ///   - encoderSpecification: As for a session.
    ///   - encoderIDOut: Takes the encoder's identity, which the caller owns; nil asks for nothing.
    ///   - supportedPropertiesOut: Takes a dictionary as `VTSessionCopySupportedPropertyDictionary` gives; nil asks for
    ///     nothing.
    /// - Returns: -12908 without an encoder, -12902 for another size.
    @discardableResult
    public func VTCopySupportedPropertyDictionaryForEncoder(
        width: Int32, height: Int32, codecType: CMVideoCodecType, encoderSpecification: CFDictionary?,
        encoderIDOut: UnsafeMutablePointer<CFString?>?, supportedPropertiesOut: UnsafeMutablePointer<CFDictionary?>?
    ) -> OSStatus {
        guard let codec = VideoCodec(cmVideoCodecType: codecType) else { return kVTCouldNotFindVideoEncoderErr }
        guard 1...65535 ~= width, 1...65535 ~= height else { return kVTParameterErr }
        let encoders = ListedEncoder.list(codec, EncoderSpecification(encoderSpecification))
        guard let encoder = encoders.first?.encoder else { return kVTCouldNotFindVideoEncoderErr }
        encoderIDOut?.pointee = encoder.id.rawValue as NSString
        supportedPropertiesOut?.pointee = PropertyTable.supported(by: encoder)
        return noErr
    }

    extension EncoderDescription {
        fileprivate var dictionary: NSDictionary {
            let codecName = codec == .h264 ? "H.264" : "HEVC"
            let values: NSMutableDictionary = [
                kVTVideoEncoderList_CodecType: NSNumber(value: codec.cmVideoCodecType),
                kVTVideoEncoderList_EncoderID: id.rawValue as NSString,
                kVTVideoEncoderList_CodecName: codecName as NSString,
                kVTVideoEncoderList_EncoderName: displayName as NSString,
                kVTVideoEncoderList_DisplayName: "\(displayName) (\(codecName))" as NSString,
                kVTVideoEncoderList_IsHardwareAccelerated: isHardwareAccelerated as NSNumber,
                kVTVideoEncoderList_SupportsFrameReordering: capabilities.settings.contains(.allowFrameReordering)
                    as NSNumber,
                kVTVideoEncoderList_SupportsMultiPass: false as NSNumber,
            ]
            if let registryID { values[kVTVideoEncoderList_GPURegistryID] = registryID as NSNumber }
            return values
        }
    }
#endif
