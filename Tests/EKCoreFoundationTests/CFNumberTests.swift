// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import Foundation
    import Testing

    @Suite struct CFNumberTests {
        /// `===` within `#expect` crashes the compiler of Swift 6.3.1 where one side is an NSNumber.
        private func isSame(_ one: AnyObject?, _ other: AnyObject?) -> Bool { one === other }

        @Test("true and false are the same objects each time they are made, and numbers are other ones")
        func booleans() {
            #expect(isSame(NSNumber(value: true), kCFBooleanTrue))
            #expect(isSame(false as CFBoolean, kCFBooleanFalse))
            #expect(isSame(true as CFTypeRef, kCFBooleanTrue))
            for number: NSNumber in [0, 1, 0.0, 1.0] {
                #expect(!isSame(number, kCFBooleanTrue) && !isSame(number, kCFBooleanFalse))
                #expect(CFGetTypeID(number) == CFNumberGetTypeID())
            }
            #expect(CFGetTypeID(kCFBooleanFalse) == CFBooleanGetTypeID())
            #expect(CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(kCFBooleanFalse))
            #expect(!CFBooleanGetValue(nil))
        }

        @Test("spellings of clients become objects of their kind")
        func spellings() {
            let values: [(CFTypeRef, CFTypeID)] = [
                ("x" as CFString, CFStringGetTypeID()), (30 as CFTypeRef, CFNumberGetTypeID()),
                (30 as CFNumber, CFNumberGetTypeID()), (0.5 as CFTypeRef, CFNumberGetTypeID()),
                ([1, 2] as CFArray, CFArrayGetTypeID()), ([1.5, 2] as CFArray, CFArrayGetTypeID()),
                (["k": 1] as CFDictionary, CFDictionaryGetTypeID()), (Data([1]) as CFData, CFDataGetTypeID()),
                (kCFNull, CFNullGetTypeID()), (CFNumberTests.Other(), 0),
            ]
            for (value, type) in values { #expect(CFGetTypeID(value) == type) }
        }

        private final class Other {}

        @Test("each type of number is read from memory and written back", arguments: [Int64.min, -1, 0, 1, 77, .max])
        func integers(value: Int64) {
            func roundTrip<Value: FixedWidthInteger>(_ type: CFNumberType, _: Value.Type) {
                var small = Value(truncatingIfNeeded: value)
                let number = CFNumberCreate(kCFAllocatorDefault, type, &small)
                var back: Value = 3
                #expect(CFNumberGetValue(number, type, &back))
                #expect(back == small)
            }
            roundTrip(.sInt8Type, Int8.self)
            roundTrip(.charType, Int8.self)
            roundTrip(.sInt16Type, Int16.self)
            roundTrip(.shortType, Int16.self)
            roundTrip(.sInt32Type, Int32.self)
            roundTrip(.intType, Int32.self)
            roundTrip(.sInt64Type, Int64.self)
            roundTrip(.longType, Int.self)
            roundTrip(.longLongType, Int64.self)
            roundTrip(.cfIndexType, Int.self)
            roundTrip(.nsIntegerType, Int.self)
        }

        @Test("a number that does not fit is clamped and said to be lossy")
        func clamping() {
            let rows: [(NSNumber, Int32, Bool)] = [
                (NSNumber(value: Int64.max), .max, false), (NSNumber(value: Int64.min), .min, false),
                (NSNumber(value: UInt64.max), .max, false), (1.9, 1, false), (-1.9, -1, false), (2.0, 2, true),
                (NSNumber(value: Double.nan), 0, false), (NSNumber(value: Double.infinity), .max, false),
                (NSNumber(value: -Double.infinity), .min, false), (NSNumber(value: 1e300), .max, false),
                (kCFBooleanTrue, 1, true),
            ]
            for (number, expected, isExact) in rows {
                var value: Int32 = 5
                #expect(CFNumberGetValue(number, .intType, &value) == isExact, "\(number)")
                #expect(value == expected, "\(number)")
            }
            #expect(!CFNumberGetValue(nil, .intType, nil))
            #expect(!CFNumberGetValue(1, .intType, nil))
            #expect(CFNumberCreate(nil, .intType, nil) == nil)
        }

        @Test("floating-point numbers keep their values")
        func floats() {
            var value = 0.1, small = Float(0.25), back = 0.0
            let number = CFNumberCreate(nil, .doubleType, &value)
            #expect(CFNumberGetValue(number, .float64Type, &back))
            #expect(back == 0.1)
            #expect(CFNumberIsFloatType(number))
            #expect(CFNumberCreate(nil, .floatType, &small)?.doubleValue == 0.25)
            #expect(!CFNumberGetValue(number, .floatType, &small))
            #expect(!CFNumberIsFloatType(3))
        }
    }

    @Suite struct CFStringTests {
        @Test("a text is the same address each time it is asked for")
        func pointers() throws {
            let name = ["x264", "h264"].joined(separator: ".") as CFString
            let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
            let first = try #require(CFStringGetCStringPtr(name, utf8))
            #expect(String(cString: first) == "x264.h264")
            #expect(CFStringGetCStringPtr(NSString(string: "x264.h264"), utf8) == first)
            #expect(CFStringGetCStringPtr(name, CFStringBuiltInEncodings.ASCII.rawValue) == first)
        }

        @Test("what an encoding does not have, other encodings and no text give nil")
        func refusals() {
            #expect(CFStringGetCStringPtr("é" as CFString, CFStringBuiltInEncodings.ASCII.rawValue) == nil)
            #expect(CFStringGetCStringPtr("e" as CFString, 0x0100) == nil)
            #expect(CFStringGetCStringPtr(nil, CFStringBuiltInEncodings.UTF8.rawValue) == nil)
        }

        @Test("bytes are copied, and a negative number of them is refused")
        func data() {
            let bytes: [UInt8] = [1, 2, 3]
            let data = CFDataCreate(nil, bytes, 3)
            #expect(CFDataGetLength(data) == 3)
            #expect(CFDataGetBytePtr(data)?[2] == 3)
            #expect(CFDataCreate(nil, bytes, -1) == nil)
            #expect(CFDataCreate(nil, nil, 1) == nil)
            #expect(CFDataGetBytePtr(CFDataCreate(nil, nil, 0)) == nil)
        }

        @Test("swaps read and write big-endian numbers")
        func byteOrder() {
            let bytes: [UInt8] = [0, 0, 1, 2]
            let read = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            #expect(CFSwapInt32BigToHost(read) == 258)
            #expect(CFSwapInt32HostToBig(258) == read)
            #expect(CFSwapInt16BigToHost(CFSwapInt16HostToBig(0x1234)) == 0x1234)
            #expect(CFSwapInt64BigToHost(CFSwapInt64HostToBig(7)) == 7)
            #expect(CFSwapInt16(0x0102) == 0x0201)
        }

        @Test("equality is by content, identity for what Foundation does not compare")
        func equality() {
            #expect(CFEqual("a" as CFString, NSString(string: "a")))
            #expect(CFHash("a" as CFString) == CFHash(NSString(string: "a")))
            #expect(!CFEqual("a" as CFString, "b" as CFString))
            #expect(!CFEqual(nil, "b" as CFString))
            #expect(CFEqual(nil, nil))
        }
    }
#endif
