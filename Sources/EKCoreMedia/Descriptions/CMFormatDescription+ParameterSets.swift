// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    import EKCoreVideo
    package import EncoderAPI
    public import Foundation
    package import ParameterSets

    extension CMFormatDescription {
        /// Describes what the parameter sets of a session's frames, or a client's, say: the size is the one decoders
        /// show, which is even with 4:2:0.
        ///
        /// - Parameters:
        ///   - format: What the parameter sets say; the color that they signal becomes extensions.
        ///   - values: Further extensions, which count over those; nil for none.
        package convenience init(_ format: FormatDescription, values: NSDictionary? = nil) {
            let all = values?.copied() ?? NSMutableDictionary()
            let record = Data(format.configurationRecord) as NSData
            all[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = NSDictionary(
                object: record, forKey: format.codec.atomName as NSString)
            for (key, value) in format.signalledColor?.extensions ?? [:] where all.object("\(key)") == nil {
                all[key] = value
            }
            self.init(
                type: kCMMediaType_Video, subType: format.codec.cmVideoCodecType,
                size: CMVideoDimensions(
                    width: Int32(clamping: format.shownWidth), height: Int32(clamping: format.shownHeight)),
                values: all, format: format)
        }
    }

    extension VideoCodec {
        /// The codec of a code of CoreMedia; nil for others.
        package init?(cmVideoCodecType: CMVideoCodecType) {
            switch cmVideoCodecType {
            case kCMVideoCodecType_H264: self = .h264
            case kCMVideoCodecType_HEVC: self = .hevc
            default: return nil
            }
        }

        /// CoreMedia's code.
        package var cmVideoCodecType: CMVideoCodecType {
            switch self {
            case .h264: kCMVideoCodecType_H264
            case .hevc: kCMVideoCodecType_HEVC
            }
        }

        /// The name of the record in MP4.
        var atomName: String {
            switch self {
            case .h264: "avcC"
            case .hevc: "hvcC"
            }
        }
    }

    /// Reads a set out of a description.
    ///
    /// All that may be asked for is optional; the number of sets and the length field are told whatever the index.
    private func parameterSet(
        of description: CMFormatDescription, _ codec: CMVideoCodecType, _ index: Int,
        _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
        _ count: UnsafeMutablePointer<Int>?, _ lengthSize: UnsafeMutablePointer<Int32>?
    ) -> OSStatus {
        guard description.type == kCMMediaType_Video, description.subType == codec else {
            return kCMFormatDescriptionBridgeError_InvalidParameter
        }
        guard let format = description.format else { return kCMFormatDescriptionError_ValueNotAvailable }
        count?.pointee = description.sets.count
        lengthSize?.pointee = Int32(format.nalUnitLengthSize)
        guard pointer != nil || size != nil else { return noErr }
        guard description.sets.indices.contains(index) else { return kCMFormatDescriptionBridgeError_InvalidParameter }
        pointer?.pointee = description.sets[index].baseAddress
        size?.pointee = description.sets[index].count
        return noErr
    }

    /// A parameter set of H.264: SPS first, then PPS.
    ///
    /// - Parameters:
    ///   - videoDesc: The description.
    ///   - parameterSetIndex: 0 to the number of sets less one; not looked at where no set is asked for.
    ///   - parameterSetPointerOut: Takes the address of the NAL unit, with header and emulation prevention; it stays as
    ///     long as the description. nil asks for nothing, as with the others.
    ///   - parameterSetSizeOut: Takes its number of bytes.
    ///   - parameterSetCountOut: Takes the number of sets.
    ///   - nalUnitHeaderLengthOut: Takes the bytes of the length before each NAL unit of a sample.
    /// - Returns: -12712 for a description of something else and for another index, -12718 where no sets are known.
    @discardableResult
    public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
        parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
        nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
    ) -> OSStatus {
        parameterSet(
            of: videoDesc, kCMVideoCodecType_H264, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut,
            parameterSetCountOut, nalUnitHeaderLengthOut)
    }

    /// A parameter set of HEVC: VPS first, then SPS and PPS.
    ///
    /// - Parameters:
    ///   - videoDesc: The description.
    ///   - parameterSetIndex: As for H.264.
    ///   - parameterSetPointerOut: As for H.264.
    ///   - parameterSetSizeOut: As for H.264.
    ///   - parameterSetCountOut: As for H.264.
    ///   - nalUnitHeaderLengthOut: As for H.264.
    /// - Returns: As for H.264.
    @discardableResult
    public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
        _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
        parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
        nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
    ) -> OSStatus {
        parameterSet(
            of: videoDesc, kCMVideoCodecType_HEVC, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut,
            parameterSetCountOut, nalUnitHeaderLengthOut)
    }

    /// Makes a description of sets.
    private func make(
        _ codec: VideoCodec, _ count: Int, _ pointers: UnsafePointer<UnsafePointer<UInt8>>, _ sizes: UnsafePointer<Int>,
        _ lengthSize: Int32, _ values: CFDictionary?, _ out: UnsafeMutablePointer<CMFormatDescription?>
    ) -> OSStatus {
        out.pointee = nil
        // avcC counts 31 SPS and 255 PPS, hvcC 65,535 of each kind; nobody has that many.
        guard 1...1024 ~= count else { return kCMFormatDescriptionBridgeError_InvalidParameter }
        var sets: [[UInt8]] = []
        for index in 0..<count {
            guard sizes[index] > 0 else { return kCMFormatDescriptionBridgeError_InvalidParameter }
            sets.append([UInt8](UnsafeBufferPointer(start: pointers[index], count: sizes[index])))
        }
        guard
            let format = try? FormatDescription(
                codec: codec, parameterSets: sets, nalUnitLengthSize: Int(lengthSize))
        else { return kCMFormatDescriptionBridgeError_InvalidParameter }
        out.pointee = CMFormatDescription(format, values: values)
        return noErr
    }

    /// Makes a description of parameter sets of H.264, which are copied.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - parameterSetCount: How many.
    ///   - parameterSetPointers: NAL units without start code or length: one SPS or more, one PPS or more.
    ///   - parameterSetSizes: Their numbers of bytes, 1 or more.
    ///   - nalUnitHeaderLength: Bytes of the length before each NAL unit of a sample: 1, 2 or 4.
    ///   - formatDescriptionOut: Takes the description, which the caller owns; nil where the call fails.
    /// - Returns: -12712 for sets that are incomplete or cannot be read, and for another length.
    @discardableResult
    public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
        allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
        parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32,
        formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
    ) -> OSStatus {
        make(
            .h264, parameterSetCount, parameterSetPointers, parameterSetSizes, nalUnitHeaderLength, nil,
            formatDescriptionOut)
    }

    /// Makes a description of parameter sets of HEVC, which are copied.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - parameterSetCount: As for H.264.
    ///   - parameterSetPointers: As for H.264; VPS, SPS and PPS, one or more of each.
    ///   - parameterSetSizes: As for H.264.
    ///   - nalUnitHeaderLength: As for H.264.
    ///   - extensions: Further extensions; nil for none.
    ///   - formatDescriptionOut: As for H.264.
    /// - Returns: As for H.264.
    @discardableResult
    public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
        allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
        parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32, extensions: CFDictionary?,
        formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
    ) -> OSStatus {
        make(
            .hevc, parameterSetCount, parameterSetPointers, parameterSetSizes, nalUnitHeaderLength, extensions,
            formatDescriptionOut)
    }

    extension NSDictionary {
        /// The parameter sets in an avcC or hvcC among extensions; nil where there is none that can be read.
        func format(_ codec: VideoCodec) -> FormatDescription? {
            let atoms = object(forKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
            let data = (atoms as? NSDictionary)?.object(forKey: codec.atomName as NSString) as? NSData
            guard let data else { return nil }
            let bytes = [UInt8](Data(referencing: data))
            switch codec {
            case .h264:
                guard let record = try? AVCDecoderConfiguration(bytes: bytes) else { return nil }
                return try? FormatDescription(
                    codec: codec, parameterSets: record.sequenceParameterSets + record.pictureParameterSets,
                    nalUnitLengthSize: record.nalUnitLengthSize)
            case .hevc:
                guard let record = try? HEVCDecoderConfiguration(bytes: bytes) else { return nil }
                let sets = record.videoParameterSets + record.sequenceParameterSets + record.pictureParameterSets
                return try? FormatDescription(
                    codec: codec, parameterSets: sets, nalUnitLengthSize: record.nalUnitLengthSize)
            }
        }
    }
#endif
