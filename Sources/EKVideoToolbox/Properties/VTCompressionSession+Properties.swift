// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation
    import Logging

    extension VTCompressionSession: PropertySession {
        func set(_ key: CFString, _ value: AnyObject?) -> OSStatus {
            let encoder = encoder
            var reason: String?
            let status = try? withState { (state) throws(EncoderError) -> OSStatus in
                guard !state.isInvalid else { return kVTInvalidSessionErr }
                guard let row = PropertyTable.row(key, of: encoder) else { return kVTPropertyNotSupportedErr }
                guard let take = row.take else { return kVTPropertyReadOnlyErr }
                let before = state.settings
                if let value, !(value is NSNull) {
                    guard take(value, &state.settings, encoder) else { return kVTParameterErr }
                } else {
                    row.reset(&state.settings)
                }
                if let obstacle = obstacle(state), self.obstacle(state, before) == nil {
                    state.settings = before
                    reason = "\(obstacle)"
                    return kVTParameterErr
                }
                pending.note(row.key)
                return noErr
            }
            if let status, status != noErr {
                let value = value.map { "\($0)" } ?? "nil"
                logger.debug(
                    "\(key) was not set to \(value): \(status), \(reason ?? Self.reason(status, key, encoder))")
            }
            return status ?? kVTInvalidSessionErr
        }

        /// Why no session can have some settings together, or those that were set last; nil where one can when
        /// something gives way.
        private func obstacle(_ state: State, _ settings: SessionSettings? = nil) -> EncoderError? {
            let listed = encoders[state.encoder]
            var asked = (settings ?? state.settings).resolved
            asked.pixelFormat = state.configuration?.pixelFormat ?? asked.pixelFormat
            do throws(EncoderError) {
                _ = try asked.conceding(to: listed.encoder, of: listed.backend)
                return nil
            } catch {
                return error
            }
        }

        private static func reason(_ status: OSStatus, _ key: CFString, _ encoder: EncoderDescription) -> String {
            switch status {
            case kVTPropertyNotSupportedErr: "no key of \(encoder.id)"
            case kVTPropertyReadOnlyErr: "a key that is only read"
            case kVTParameterErr: "expected \(PropertyTable.legalValues(of: key, with: encoder))"
            default: "the session was invalidated"
            }
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
                settings: found.1, encoder: encoder, session: pending.contains(row.key) ? nil : found.2,
                pixelBufferAttributes: pixelBufferAttributes)
            return .success(row.value(view))
        }

        var supportedProperties: NSDictionary { PropertyTable.supported(by: encoder) }
    }
#endif
