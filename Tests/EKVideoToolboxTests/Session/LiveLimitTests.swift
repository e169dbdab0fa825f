// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreMedia
    import EKVideoToolbox
    import TestSupport
    import Testing

    /// Data-rate limits that are set between frames, and what gives way or is refused.
    @Suite struct LiveLimitTests {
        private var key: CFString { kVTCompressionPropertyKey_DataRateLimits }

        private func limits(_ encoding: Encoding) -> [Double] {
            (encoding.copy(key).value as? [NSNumber])?.map(\.doubleValue) ?? []
        }

        private func frames(_ range: Range<Int>, _ encoding: Encoding) throws {
            for number in range { #expect(encoding.encode(try frame(number), at: time(number)) == noErr) }
            #expect(encoding.complete() == noErr)
        }

        @Test(
            "limits that give way to a constant or variable bit rate read as none, and hold where an average follows",
            arguments: ["ConstantBitRate", "VariableBitRate"])
        func givenWay(mode: String) throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(mode as CFString, 200_000 as CFTypeRef)
            try frames(0..<10, encoding)
            encoding.set(key, [12_500, 1] as CFTypeRef)
            try frames(10..<20, encoding)
            #expect(limits(encoding) == [])
            encoding.set(kVTCompressionPropertyKey_AverageBitRate, 80_000 as CFTypeRef)
            try frames(20..<30, encoding)
            #expect(limits(encoding) == [12_500, 1])
        }

        @Test("a limit that no encoder keeps is refused before the first frame and between frames, and others go on")
        func impossible() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_AverageBitRate, 100_000 as CFTypeRef)
            let impossible = [150, 1] as CFTypeRef
            encoding.set(key, impossible, kVTParameterErr)
            encoding.set(key, [18_750, 1] as CFTypeRef)
            try frames(0..<10, encoding)
            encoding.set(key, impossible, kVTParameterErr)
            #expect(limits(encoding) == [18_750, 1])
            for average in [50_000, 40_000, 30_000] {
                encoding.set(kVTCompressionPropertyKey_AverageBitRate, average as CFTypeRef)
                try frames(encoding.output.samples.count..<encoding.output.samples.count + 5, encoding)
                let value = encoding.copy(kVTCompressionPropertyKey_AverageBitRate).value as? NSNumber
                #expect(value?.intValue == average)
            }
            #expect(encoding.output.samples.count == 25)
        }
    }
#endif
