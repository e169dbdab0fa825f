// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    import EncoderAPI
    public import Foundation

    /// Any session of this module.
    public typealias VTSession = CFTypeRef

    /// A session with keys.
    protocol PropertySession: AnyObject {
        /// Sets a value, or the default with nil.
        func set(_ key: CFString, _ value: AnyObject?) -> OSStatus
        /// Reads a value; nil where there is none.
        func copy(_ key: CFString) -> Result<AnyObject?, VTFailure>
        /// Keys with what may be set.
        var supportedProperties: NSDictionary { get }
    }

    /// A status as an error.
    struct VTFailure: Error {
        let status: OSStatus
    }

    /// Sets a key of a session, from the next frame on.
    ///
    /// All keys that are set between two frames are one change. A value that is there already changes nothing. Keys
    /// that conflict with each other do not fail: what gives way when the encoder opens is in the log.
    ///
    /// - Parameters:
    ///   - session: A session; another object is refused with -12903.
    ///   - propertyKey: The key.
    ///   - propertyValue: Its value; nil for the default.
    /// - Returns: -12900 for a key that session or encoder do not have, -12901 for one that cannot be set, -12902 for a
    ///   value of another type or out of range, -12903 after the session was invalidated.
    @discardableResult
    public func VTSessionSetProperty(
        _ session: VTSession, key propertyKey: CFString, value propertyValue: CFTypeRef?
    ) -> OSStatus {
        (session as? any PropertySession)?.set(propertyKey, propertyValue) ?? kVTInvalidSessionErr
    }

    /// Sets all keys of a dictionary, in the order of their names, whatever becomes of the others.
    ///
    /// - Parameters:
    ///   - session: As for `VTSessionSetProperty`.
    ///   - propertyDictionary: Values by keys.
    /// - Returns: The first error, as of `VTSessionSetProperty`; -12902 for a key that is no text.
    @discardableResult
    public func VTSessionSetProperties(_ session: VTSession, propertyDictionary: CFDictionary) -> OSStatus {
        guard session is any PropertySession else { return kVTInvalidSessionErr }
        var status = noErr
        let keys = propertyDictionary.allKeys.compactMap { $0 as? String }
        if keys.count < propertyDictionary.count { status = kVTParameterErr }
        for key in keys.sorted() {
            let one = VTSessionSetProperty(session, key: key as NSString, value: propertyDictionary.object(key))
            if status == noErr { status = one }
        }
        return status
    }

    /// Reads a key of a session: the value in force, the one that was asked for where it is not in force yet.
    ///
    /// A key reads as it was set until the encoder follows it, at one of the next frames. Quality reads as it was set,
    /// also where a bit rate counts over it.
    ///
    /// - Parameters:
    ///   - session: As for `VTSessionSetProperty`.
    ///   - propertyKey: The key.
    ///   - allocator: Ignored.
    ///   - propertyValueOut: The address of a variable for an object; takes one that the caller owns, or nil where the
    ///     key has no value. What was in the variable is overwritten, not released.
    /// - Returns: -12900 for a key that session or encoder do not have, -12902 without an address, -12903 after the
    ///   session was invalidated.
    @discardableResult
    public func VTSessionCopyProperty(
        _ session: VTSession, key propertyKey: CFString, allocator: CFAllocator?,
        valueOut propertyValueOut: UnsafeMutableRawPointer?
    ) -> OSStatus {
        guard let session = session as? any PropertySession else { return kVTInvalidSessionErr }
        guard let propertyValueOut else { return kVTParameterErr }
        switch session.copy(propertyKey) {
        case .failure(let error): return error.status
        case .success(let value):
            let address = value.map { Unmanaged.passRetained($0).toOpaque() }
            propertyValueOut.storeBytes(of: address, as: UnsafeMutableRawPointer?.self)
            return noErr
        }
    }

    /// Tells which keys a session has.
    ///
    /// - Parameters:
    ///   - session: As for `VTSessionSetProperty`.
    ///   - supportedPropertyDictionaryOut: Takes a dictionary, which the caller owns: for each key one with the kind,
    ///     access and legal values.
    /// - Returns: -12903 for another object.
    @discardableResult
    public func VTSessionCopySupportedPropertyDictionary(
        _ session: VTSession, supportedPropertyDictionaryOut: UnsafeMutablePointer<CFDictionary?>
    ) -> OSStatus {
        guard let session = session as? any PropertySession else { return kVTInvalidSessionErr }
        supportedPropertyDictionaryOut.pointee = session.supportedProperties
        return noErr
    }

    /// Copies the values of all keys that can be set and have one.
    ///
    /// - Parameters:
    ///   - session: As for `VTSessionSetProperty`.
    ///   - allocator: Ignored.
    ///   - dictionaryOut: Takes values by keys, which the caller owns and `VTSessionSetProperties` takes.
    /// - Returns: -12903 after the session was invalidated.
    @discardableResult
    public func VTSessionCopySerializableProperties(
        _ session: VTSession, allocator: CFAllocator?, dictionaryOut: UnsafeMutablePointer<CFDictionary?>
    ) -> OSStatus {
        guard let session = session as? any PropertySession else { return kVTInvalidSessionErr }
        let values = NSMutableDictionary()
        for key in session.supportedProperties.allKeys.compactMap({ $0 as? String }) {
            let facts = session.supportedProperties.object(key) as? NSDictionary
            guard facts?.number("\(kVTPropertyShouldBeSerializedKey)")?.boolValue == true else { continue }
            switch session.copy(key as NSString) {
            case .failure(let error) where error.status == kVTInvalidSessionErr: return error.status
            case .failure: break
            case .success(let value): if let value { values.setObject(value, forKey: key as NSString) }
            }
        }
        dictionaryOut.pointee = values
        return noErr
    }
#endif
