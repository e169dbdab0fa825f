// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation

    /// A class of this package that has a type of its own.
    package protocol CFTyped: AnyObject {
        /// The type's number, which no other class has.
        static var cfTypeID: CFTypeID { get }
    }

    /// Numbers of Foundation's classes; those of this package are 100 and up.
    private enum TypeID {
        static let null: CFTypeID = 1
        static let boolean: CFTypeID = 2
        static let number: CFTypeID = 3
        static let string: CFTypeID = 4
        static let array: CFTypeID = 5
        static let dictionary: CFTypeID = 6
        static let data: CFTypeID = 7
        static let url: CFTypeID = 8
        static let other: CFTypeID = 0
    }

    /// The number of an object's type, which tells a boolean from a number; 0 for a class that is not of this API.
    ///
    /// On any thread. The numbers are this package's own, and the same in every run.
    public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
        switch cf {
        case let object as any CFTyped: type(of: object).cfTypeID
        case is NSNull: TypeID.null
        case let number as NSNumber: number.isBoolean ? TypeID.boolean : TypeID.number
        case is NSString: TypeID.string
        case is NSArray: TypeID.array
        case is NSDictionary: TypeID.dictionary
        case is NSData: TypeID.data
        case is NSURL: TypeID.url
        default: TypeID.other
        }
    }

    /// The number of the type of ``kCFNull``.
    public func CFNullGetTypeID() -> CFTypeID { TypeID.null }

    /// The number of the type of ``kCFBooleanTrue`` and ``kCFBooleanFalse``.
    public func CFBooleanGetTypeID() -> CFTypeID { TypeID.boolean }

    /// The number of the type of numbers that are no booleans.
    public func CFNumberGetTypeID() -> CFTypeID { TypeID.number }

    /// The number of the type of texts.
    public func CFStringGetTypeID() -> CFTypeID { TypeID.string }

    /// The number of the type of lists.
    public func CFArrayGetTypeID() -> CFTypeID { TypeID.array }

    /// The number of the type of dictionaries.
    public func CFDictionaryGetTypeID() -> CFTypeID { TypeID.dictionary }

    /// The number of the type of bytes.
    public func CFDataGetTypeID() -> CFTypeID { TypeID.data }

    /// Whether two objects are equal: by their content where Foundation compares it, else by identity.
    public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
        if cf1 === cf2 { return true }
        guard let one = cf1 as? NSObject, let other = cf2 as? NSObject else { return false }
        return one.isEqual(other)
    }

    /// A hash that equal objects share.
    public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
        if let object = cf as? NSObject { return CFHashCode(bitPattern: object.hash) }
        return cf.map { CFHashCode(bitPattern: ObjectIdentifier($0).hashValue) } ?? 0
    }
#endif
