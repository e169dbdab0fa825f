// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import EncoderAPI
    import TestSupport
    import Testing

    /// Every key gets objects of every kind: it takes one, or refuses it by its status and stays as it was.
    @Suite struct HostileObjectTests {
        /// What a key gets.
        private static func values() -> [AnyObject] {
            let nested = NSMutableArray()
            for _ in 0..<50 { nested.add(NSArray()) }
            let numbers: [NSNumber] = [
                NSNumber(value: true), NSNumber(value: false), 0, 1, -1, 2, NSNumber(value: Int64.max),
                NSNumber(value: Int64.min), NSNumber(value: UInt64.max), NSNumber(value: Double.nan),
                NSNumber(value: Double.infinity), NSNumber(value: -Double.infinity), NSNumber(value: 1e300),
                NSNumber(value: -1e-300), NSNumber(value: 0.5), NSNumber(value: Int8.min), NSNumber(value: 30.000_001),
            ]
            let others: [AnyObject] = [
                NSNull(), NSString(), "\u{0}" as NSString, String(repeating: "x", count: 100_000) as NSString,
                NSArray(), nested, NSArray(object: NSNull()), NSArray(array: [1 as NSNumber, "s" as NSString]),
                NSArray(array: [NSNumber(value: -1), NSNumber(value: 0)]),
                NSArray(array: [NSNumber(value: 1e300), NSNumber(value: 1e-300)]), NSDictionary(), NSObject(),
                NSDictionary(object: NSNull(), forKey: "HorizontalSpacing" as NSString), NSData(), NSDate(),
            ]
            return numbers + others
        }

        private static func keys(_ codec: CMVideoCodecType) throws -> [String] {
            let encoding = try Encoding(codec, 64, 64)
            var supported: CFDictionary?
            VTSessionCopySupportedPropertyDictionary(encoding.session, supportedPropertyDictionaryOut: &supported)
            return try #require(supported).allKeys.compactMap { $0 as? String }.sorted()
        }

        @Test(
            "a key takes a value or refuses it with -12902, and a session with it opens and encodes",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
        func sampledValues(codec: CMVideoCodecType) throws {
            let keys = try Self.keys(codec)
            #expect(keys.count > 25)
            let rows = keys.flatMap { key in Self.values().indices.map { (key, $0) } }
            for (key, index) in Sample.of(rows, least: 150) {
                let (name, value) = (key as NSString, Self.values()[index])
                let encoding = try Encoding(codec, 64, 64)
                let before = encoding.copy(name).value
                let status = VTSessionSetProperty(encoding.session, key: name, value: value)
                #expect(
                    [noErr, kVTParameterErr, kVTPropertyReadOnlyErr].contains(status), "\(key) \(index): \(status)")
                guard status == noErr else {
                    #expect(CFEqual(encoding.copy(name).value, before), "\(key) \(index)")
                    continue
                }
                #expect(encoding.encode(try frame(0, 64, 64), at: time(0)) == noErr, "\(key) \(index)")
                #expect(encoding.complete() == noErr)
                #expect(encoding.output.all.map(\.status) == [noErr], "\(key) \(index)")
            }
        }

        @Test("legal values of all keys at once give way to each other, and the session opens", arguments: 0..<40)
        func together(round: Int) throws {
            var generator = SeededGenerator()
            let codec = round % 4 == 0 ? kCMVideoCodecType_HEVC : kCMVideoCodecType_H264
            let encoding = try Encoding(codec, 64, 64)
            let values = Self.values()
            var taken: [String] = []
            for key in try Self.keys(codec).shuffled(using: &generator) {
                let index = values.indices.randomElement(using: &generator) ?? 0
                let status = VTSessionSetProperty(encoding.session, key: key as NSString, value: values[index])
                if status == noErr { taken.append("\(key)=\(index)") }
            }
            for number in 0..<3 {
                #expect(encoding.encode(try frame(number, 64, 64), at: time(number)) == noErr, "\(taken)")
            }
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.all.map(\.status) == [noErr, noErr, noErr], "\(taken)")
        }
    }
#endif
