// SPDX-License-Identifier: MIT

#if os(Linux)
    import CCoreFoundation
    public import Foundation

    /// Number of keys; 0 without a dictionary.
    public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict?.count ?? 0 }

    /// The value of a key, as the address of the object itself.
    ///
    /// - Parameters:
    ///   - theDict: The dictionary, which keeps the value alive.
    ///   - key: The address of an object that is equal to the key: any CFString of the same characters.
    /// - Returns: The address of the value, not retained; nil where there is none.
    public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! {
        guard let theDict, let key else { return nil }
        return withExtendedLifetime(theDict) {
            encoderkit_CFDictionaryGetValue(Unmanaged.passUnretained(theDict).toOpaque(), key)
        }
    }

    /// Writes the value of a key.
    ///
    /// - Parameters:
    ///   - theDict: As for ``CFDictionaryGetValue(_:_:)``.
    ///   - key: As for ``CFDictionaryGetValue(_:_:)``.
    ///   - value: Takes the value's address, not retained; untouched where there is none. nil asks for nothing.
    /// - Returns: Whether there is a value.
    @discardableResult
    public func CFDictionaryGetValueIfPresent(
        _ theDict: CFDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
    ) -> Bool {
        guard let found = CFDictionaryGetValue(theDict, key) else { return false }
        value?.pointee = found
        return true
    }

    /// Whether there is a value of a key; see ``CFDictionaryGetValue(_:_:)``.
    public func CFDictionaryContainsKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
        CFDictionaryGetValue(theDict, key) != nil
    }

    /// What a dictionary does with its keys; dictionaries here always retain them, without a copy.
    public struct CFDictionaryKeyCallBacks: Sendable {
        /// Makes callbacks, which are not used.
        public init() {}
    }

    /// What a dictionary does with its values; dictionaries here always retain them.
    public struct CFDictionaryValueCallBacks: Sendable {
        /// Makes callbacks, which are not used.
        public init() {}
    }

    /// Says that a dictionary retains its keys.
    public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
    /// Says that a dictionary retains its values.
    public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

    /// Makes a dictionary of objects, which it retains.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - keys: Addresses of the keys, none of them nil: objects of Foundation.
    ///   - values: Addresses of the values, none of them nil.
    ///   - numValues: How many of each; of two equal keys the last counts.
    ///   - keyCallBacks: Ignored.
    ///   - valueCallBacks: Ignored.
    /// - Returns: A dictionary that the caller owns; nil for a negative number, where an address is nil, and for a key
    ///   that is no object of Foundation.
    public func CFDictionaryCreate(
        _ allocator: CFAllocator!, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
        _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
        _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
        _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
    ) -> CFDictionary! {
        guard let keys = objects(keys, numValues) as? [NSObject], let values = objects(values, numValues) else {
            return nil
        }
        let dictionary = NSMutableDictionary()
        for (key, value) in zip(keys, values) { dictionary.setObject(value, forKey: key) }
        return dictionary
    }

    /// Makes an empty dictionary that may be changed.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - capacity: Ignored.
    ///   - keyCallBacks: Ignored.
    ///   - valueCallBacks: Ignored.
    /// - Returns: A dictionary that the caller owns.
    public func CFDictionaryCreateMutable(
        _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
        _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
    ) -> CFMutableDictionary! { NSMutableDictionary() }

    /// Sets the value of a key; the dictionary retains it.
    ///
    /// - Parameters:
    ///   - theDict: The dictionary; nothing happens without one.
    ///   - key: The address of the key, an object of Foundation; nothing happens with another.
    ///   - value: The address of the value; nothing happens without one.
    public func CFDictionarySetValue(
        _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
    ) {
        guard let theDict, let key, let value,
            let key = Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue() as? NSObject
        else { return }
        theDict.setObject(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue(), forKey: key)
    }

    /// Removes a key and its value.
    ///
    /// - Parameters:
    ///   - theDict: The dictionary; nothing happens without one.
    ///   - key: The address of the key; nothing happens without one.
    public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
        guard let theDict, let key else { return }
        theDict.removeObject(forKey: Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue())
    }
#endif
