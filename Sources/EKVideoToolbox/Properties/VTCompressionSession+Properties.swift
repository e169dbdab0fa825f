// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    extension VTCompressionSession: PropertySession {
        func set(_ key: CFString, _ value: AnyObject?) -> OSStatus {
            let encoder = encoder
            let status = try? withState { (state) throws(EncoderError) -> OSStatus in
                guard !state.isInvalid else { return kVTInvalidSessionErr }
                guard let row = PropertyTable.row(key, of: encoder) else { return kVTPropertyNotSupportedErr }
                guard let take = row.take else { return kVTPropertyReadOnlyErr }
                guard let value, !(value is NSNull) else {
                    row.reset(&state.settings)
                    state.isChanged = true
                    return noErr
                }
                guard take(value, &state.settings, encoder) else { return kVTParameterErr }
                state.isChanged = true
                return noErr
            }
            return status ?? kVTInvalidSessionErr
        }

        func copy(_ key: CFString) -> Result<AnyObject?, VTFailure> {
            let encoder = encoder
            let found = try? withState { (state) throws(EncoderError) in
                (state.isInvalid, state.settings, state.session)
            }
            guard let found, !found.0 else { return .failure(VTFailure(status: kVTInvalidSessionErr)) }
            guard let row = PropertyTable.row(key, of: encoder) else {
                return .failure(VTFailure(status: kVTPropertyNotSupportedErr))
            }
            let view = PropertyView(
                settings: found.1, encoder: encoder, session: found.2,
                pixelBufferAttributes: pixelBufferAttributes)
            return .success(row.value(view))
        }

        var supportedProperties: NSDictionary { PropertyTable.supported(by: encoder) }
    }
#endif
