// SPDX-License-Identifier: MIT

#if os(Linux)
    import CCoreFoundation
    public import Foundation

    /// Number of elements; 0 without a list.
    public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }

    /// The element at a place, as the address of the object itself.
    ///
    /// - Parameters:
    ///   - theArray: The list, which keeps the element alive.
    ///   - idx: 0 to the number of elements less one.
    /// - Returns: The address of the element, not retained; nil without a list, and for another place.
    public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
        guard let theArray, 0..<theArray.count ~= idx else { return nil }
        return withExtendedLifetime(theArray) {
            encoderkit_CFArrayGetValueAtIndex(Unmanaged.passUnretained(theArray).toOpaque(), idx)
        }
    }

    /// What a list does with its elements; lists here always retain them.
    public struct CFArrayCallBacks: Sendable {
        /// Makes callbacks, which are not used.
        public init() {}
    }

    /// Says that a list retains its elements.
    public let kCFTypeArrayCallBacks = CFArrayCallBacks()

    /// Makes a list of objects, which it retains.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - values: Addresses of objects, none of them nil.
    ///   - numValues: How many.
    ///   - callBacks: Ignored.
    /// - Returns: A list that the caller owns; nil for a negative number, and where an address is nil.
    public func CFArrayCreate(
        _ allocator: CFAllocator!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
        _ callBacks: UnsafePointer<CFArrayCallBacks>!
    ) -> CFArray! {
        guard let objects = objects(values, numValues) else { return nil }
        return NSArray(array: objects)
    }

    /// Makes an empty list that may be changed.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - capacity: Ignored.
    ///   - callBacks: Ignored.
    /// - Returns: A list that the caller owns.
    public func CFArrayCreateMutable(
        _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>!
    ) -> CFMutableArray! { NSMutableArray() }

    /// Puts an object behind the others; the list retains it.
    ///
    /// - Parameters:
    ///   - theArray: The list; nothing happens without one.
    ///   - value: The object's address; nil is left out.
    public func CFArrayAppendValue(_ theArray: CFMutableArray!, _ value: UnsafeRawPointer!) {
        guard let theArray, let value else { return }
        theArray.add(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue())
    }

    /// The objects at addresses; nil where one is missing.
    func objects(_ values: UnsafeMutablePointer<UnsafeRawPointer?>?, _ count: CFIndex) -> [AnyObject]? {
        guard count >= 0, count == 0 || values != nil else { return nil }
        var objects: [AnyObject] = []
        for index in 0..<count {
            guard let value = values?[index] else { return nil }
            objects.append(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue())
        }
        return objects
    }
#endif
