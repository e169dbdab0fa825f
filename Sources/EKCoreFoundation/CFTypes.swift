// SPDX-License-Identifier: MIT

#if os(Linux)
    public import Foundation

    /// A text; `"text" as CFString` makes one.
    public typealias CFString = NSString
    /// A text that may be changed.
    public typealias CFMutableString = NSMutableString
    /// A list of objects; `[1, 2] as CFArray` makes one.
    public typealias CFArray = NSArray
    /// A list of objects that may be changed.
    public typealias CFMutableArray = NSMutableArray
    /// Objects by keys; `[key: value] as CFDictionary` makes one.
    public typealias CFDictionary = NSDictionary
    /// Objects by keys that may be changed.
    public typealias CFMutableDictionary = NSMutableDictionary
    /// A number; `30 as CFNumber` makes one.
    public typealias CFNumber = NSNumber
    /// One of ``kCFBooleanTrue`` and ``kCFBooleanFalse``.
    public typealias CFBoolean = NSNumber
    /// Bytes.
    public typealias CFData = NSData
    /// An address of a file.
    public typealias CFURL = NSURL
    /// The object that stands for none.
    public typealias CFNull = NSNull
    /// Any object.
    public typealias CFTypeRef = AnyObject

    /// A count or place, as C's `long`.
    public typealias CFIndex = Int
    /// The number of a type of object, see ``CFGetTypeID(_:)``.
    public typealias CFTypeID = UInt
    /// A hash.
    public typealias CFHashCode = UInt
    /// Bits of options.
    public typealias CFOptionFlags = UInt
    /// Seconds.
    public typealias CFTimeInterval = Double
    /// Seconds since the first instant of 2001, UTC.
    public typealias CFAbsoluteTime = Double
    /// What a C function answers: 0 or the code of an error.
    public typealias OSStatus = Int32
    /// Four characters as a number, the first in the highest byte.
    public typealias OSType = UInt32
    /// Four characters as a number, the first in the highest byte.
    public typealias FourCharCode = UInt32

    /// The status of a call that succeeded: 0.
    public let noErr: OSStatus = 0
    /// The object that stands for none.
    public let kCFNull: CFNull! = NSNull()

    /// A part of a list or text.
    public struct CFRange: Sendable {
        /// Place of the first element, from 0 on.
        public var location: CFIndex
        /// Number of elements.
        public var length: CFIndex

        /// Makes an empty range at 0.
        public init() { (location, length) = (0, 0) }

        /// Makes a range.
        public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }
    }

    /// Makes a range of `len` elements from `loc` on.
    public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

    /// Seconds since the first instant of 2001, UTC, by the system's clock, which may be set back.
    public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

    /// Where objects would be allocated; Swift allocates, and only the block allocator of a CMBlockBuffer is looked at.
    public final class CFAllocator: Sendable {
        fileprivate init() {}
    }

    /// The default allocator: nil, as in C.
    public let kCFAllocatorDefault: CFAllocator! = nil
    /// Stands for the system's allocator.
    public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()
    /// Stands for `malloc` and `free`; as the block allocator of a CMBlockBuffer it has the memory freed.
    public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()
    /// Stands for no allocation; as the block allocator of a CMBlockBuffer it leaves the memory to the caller.
    public let kCFAllocatorNull: CFAllocator! = CFAllocator()
#endif
