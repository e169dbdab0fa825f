// SPDX-License-Identifier: MIT

#if os(Linux)
    public import Foundation

    /// The one object that means true: compare it by identity.
    public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
    /// The one object that means false: compare it by identity.
    public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

    extension NSNumber {
        /// Whether the number is one of the two booleans.
        package var isBoolean: Bool { self === kCFBooleanTrue || self === kCFBooleanFalse }
    }

    /// What a boolean means; of another number, whether it is not 0.
    public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

    /// How a number lies in memory.
    public enum CFNumberType: CFIndex, Sendable {
        /// Int8.
        case sInt8Type = 1
        /// Int16.
        case sInt16Type = 2
        /// Int32.
        case sInt32Type = 3
        /// Int64.
        case sInt64Type = 4
        /// Float of 32 bits.
        case float32Type = 5
        /// Float of 64 bits.
        case float64Type = 6
        /// C's `char`, signed.
        case charType = 7
        /// C's `short`.
        case shortType = 8
        /// C's `int`.
        case intType = 9
        /// C's `long`, 64 bits.
        case longType = 10
        /// C's `long long`, 64 bits.
        case longLongType = 11
        /// C's `float`.
        case floatType = 12
        /// C's `double`.
        case doubleType = 13
        /// CFIndex, 64 bits.
        case cfIndexType = 14
        /// NSInteger, 64 bits.
        case nsIntegerType = 15
        /// CGFloat, 64 bits.
        case cgFloatType = 16
    }

    /// Makes a number of a value in memory; nil where there is none.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - theType: How the value lies in memory.
    ///   - valuePtr: The value, which is copied; it needs no alignment.
    /// - Returns: A number that the caller owns.
    public func CFNumberCreate(
        _ allocator: CFAllocator!, _ theType: CFNumberType, _ valuePtr: UnsafeRawPointer!
    ) -> CFNumber! {
        guard let value = valuePtr else { return nil }
        switch theType {
        case .sInt8Type, .charType: return NSNumber(value: value.loadUnaligned(as: Int8.self))
        case .sInt16Type, .shortType: return NSNumber(value: value.loadUnaligned(as: Int16.self))
        case .sInt32Type, .intType: return NSNumber(value: value.loadUnaligned(as: Int32.self))
        case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType:
            return NSNumber(value: value.loadUnaligned(as: Int64.self))
        case .float32Type, .floatType: return NSNumber(value: value.loadUnaligned(as: Float.self))
        case .float64Type, .doubleType, .cgFloatType: return NSNumber(value: value.loadUnaligned(as: Double.self))
        }
    }

    /// Writes a number into memory.
    ///
    /// - Parameters:
    ///   - number: The number; a boolean counts as 0 or 1.
    ///   - theType: How it shall lie in memory.
    ///   - valuePtr: Room for it; it needs no alignment.
    /// - Returns: Whether the number is written without a loss. One that does not fit is clamped, and one between two
    ///   whole numbers loses what is behind the point. False, with nothing written, without a number or room.
    @discardableResult
    public func CFNumberGetValue(
        _ number: CFNumber!, _ theType: CFNumberType, _ valuePtr: UnsafeMutableRawPointer!
    ) -> Bool {
        guard let number, let room = valuePtr else { return false }
        func store<Value: FixedWidthInteger>(_ type: Value.Type) -> Bool {
            let value: Value = number.clamped()
            withUnsafeBytes(of: value) { room.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
            return number.isEqual(to: value)
        }
        func store<Value: BinaryFloatingPoint>(_ value: Value) -> Bool {
            withUnsafeBytes(of: value) { room.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
            return Double(value) == number.doubleValue || number.doubleValue.isNaN
        }
        switch theType {
        case .sInt8Type, .charType: return store(Int8.self)
        case .sInt16Type, .shortType: return store(Int16.self)
        case .sInt32Type, .intType: return store(Int32.self)
        case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType: return store(Int64.self)
        case .float32Type, .floatType: return store(Float(number.doubleValue))
        case .float64Type, .doubleType, .cgFloatType: return store(number.doubleValue)
        }
    }

    /// Whether a number was made of a floating-point value.
    public func CFNumberIsFloatType(_ number: CFNumber!) -> Bool { number?.isFloat ?? false }

    extension NSNumber {
        /// Whether it was made of a Float or Double.
        package var isFloat: Bool { ["f", "d"].contains(String(cString: objCType)) }

        /// The whole number next to it towards zero that the type holds; 0 for not-a-number.
        package func clamped<Value: FixedWidthInteger>() -> Value {
            guard isFloat else {
                // "Q" is an unsigned number of 64 bits, which an Int64 may not hold.
                return String(cString: objCType) == "Q" ? Value(clamping: uint64Value) : Value(clamping: int64Value)
            }
            let value = doubleValue.rounded(.towardZero)
            if value.isNaN { return 0 }
            return Value(exactly: value) ?? (value < 0 ? Value.min : Value.max)
        }

        fileprivate func isEqual<Value: FixedWidthInteger>(to value: Value) -> Bool {
            if isFloat { return Double(exactly: value) == doubleValue }
            return String(cString: objCType) == "Q" ? value == uint64Value : value == int64Value
        }
    }
#endif
