// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation

    extension VTPixelTransferSession: PropertySession {
        /// Keys with the texts that are taken.
        private static let names: [String: [String]] = [
            "\(kVTPixelTransferPropertyKey_ScalingMode)": ScalingMode.allCases.map(\.rawValue),
            "\(kVTPixelTransferPropertyKey_DestinationColorPrimaries)": ColorNames.primaries.names,
            "\(kVTPixelTransferPropertyKey_DestinationTransferFunction)": ColorNames.transfer.names,
            "\(kVTPixelTransferPropertyKey_DestinationYCbCrMatrix)": ColorNames.matrix.names,
            "\(kVTPixelTransferPropertyKey_DownsamplingMode)": ["Decimate", "Average"],
        ]

        func set(_ key: CFString, _ value: AnyObject?) -> OSStatus {
            let name = "\(key)"
            guard !state.isInvalid else { return kVTInvalidSessionErr }
            if name == "\(kVTPixelTransferPropertyKey_RealTime)" {
                guard value.map({ PropertyValue.boolean($0) != nil }) ?? true else { return kVTParameterErr }
                return keep(name, value)
            }
            guard let legal = Self.names[name] else { return kVTPropertyNotSupportedErr }
            let text = (value as? NSString).map { "\($0)" }
            guard value == nil || text.map(legal.contains) == true else { return kVTParameterErr }
            let status = change { state in
                switch name {
                case "\(kVTPixelTransferPropertyKey_ScalingMode)":
                    state.mode = text.flatMap { ScalingMode(rawValue: $0) } ?? .normal
                case "\(kVTPixelTransferPropertyKey_DestinationColorPrimaries)":
                    state.color.primaries = text.flatMap { ColorNames.primaries.code($0) } ?? 2
                case "\(kVTPixelTransferPropertyKey_DestinationTransferFunction)":
                    state.color.transfer = text.flatMap { ColorNames.transfer.code($0) } ?? 2
                case "\(kVTPixelTransferPropertyKey_DestinationYCbCrMatrix)":
                    state.color.matrix = text.flatMap { ColorNames.matrix.code($0) } ?? 2
                default: break
                }
                return state.isInvalid ? kVTInvalidSessionErr : noErr
            }
            return status == noErr ? keep(name, value) : status
        }

        private func keep(_ name: String, _ value: AnyObject?) -> OSStatus {
            let hint = ((value as? NSObject)?.copy() as? NSObject).map { SessionSettings.Hint(value: $0) }
            return change { state in
                state.hints[name] = hint
                return state.isInvalid ? kVTInvalidSessionErr : noErr
            }
        }

        func copy(_ key: CFString) -> Result<AnyObject?, VTFailure> {
            let (name, state) = ("\(key)", state)
            if state.isInvalid { return .failure(VTFailure(status: kVTInvalidSessionErr)) }
            if name == "\(kVTPixelTransferPropertyKey_ScalingMode)" { return .success(state.mode.rawValue as NSString) }
            guard Self.names[name] != nil || name == "\(kVTPixelTransferPropertyKey_RealTime)" else {
                return .failure(VTFailure(status: kVTPropertyNotSupportedErr))
            }
            return .success(state.hints[name]?.value)
        }

        var supportedProperties: NSDictionary {
            let all = NSMutableDictionary()
            for (key, values) in Self.names {
                all[key as NSString] =
                    [
                        kVTPropertyTypeKey: kVTPropertyType_Enumeration,
                        kVTPropertyReadWriteStatusKey: kVTPropertyReadWriteStatus_ReadWrite,
                        kVTPropertyShouldBeSerializedKey: true as NSNumber,
                        kVTPropertySupportedValueListKey: NSArray(array: values.map { $0 as NSString }),
                    ] as NSDictionary
            }
            all[kVTPixelTransferPropertyKey_RealTime] =
                [
                    kVTPropertyTypeKey: kVTPropertyType_Boolean,
                    kVTPropertyReadWriteStatusKey: kVTPropertyReadWriteStatus_ReadWrite,
                    kVTPropertyShouldBeSerializedKey: true as NSNumber,
                ] as NSDictionary
            return all
        }
    }
#endif
